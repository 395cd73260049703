//! The memory of a process and of those that it has started.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

/// Watches the memory of a process and its children, until it is asked for the most that there was.
pub struct MemoryWatch {
    is_over: Arc<AtomicBool>,
    most: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    pub fn start(pid: u32) -> Self {
        let (is_over, most) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let (over, seen) = (Arc::clone(&is_over), Arc::clone(&most));
        let thread = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                seen.fetch_max(resident(pid), Ordering::Relaxed);
                sleep(Duration::from_millis(1));
            }
        });
        Self {
            is_over,
            most,
            thread: Some(thread),
        }
    }

    /// The most memory that was resident at once, in bytes.
    pub fn end(mut self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        self.most.load(Ordering::Relaxed)
    }
}

/// The resident memory of a process and its children, in bytes.
pub fn resident(pid: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten();
    let children = threads.filter_map(|task| {
        let children = fs::read_to_string(task.ok()?.path().join("children")).ok()?;
        Some(
            children
                .split_whitespace()
                .filter_map(|child| child.parse().ok())
                .collect::<Vec<u32>>(),
        )
    });
    let own = status(pid, "RssAnon:").saturating_add(status(pid, "RssFile:"));
    // The program itself is in memory once.
    children
        .flatten()
        .fold(own, |sum, child| sum + status(child, "RssAnon:"))
}

fn status(pid: u32, key: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}
