//! Disks of our own: one that loses power, and one that is small.
//!
//! The first is a real ext4 on a loop file. Cutting its power aborts its log (`remount,abort`) without writing anything
//! out: data and names that were not synced are gone after the next mount, as after a power failure, and until then
//! every write fails. It is the safe way to what the ioctl `EXT4_IOC_SHUTDOWN` (without log flush) does. Limits: it does
//! not reorder writes inside the device's own cache, and does not tear sectors.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::limit::Limited as _;

/// A mounted file system, unmounted when it is dropped.
pub struct Disk {
    base: TempDir,
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    LosesPower,
    Small,
}

impl Disk {
    /// An empty ext4 of this size that can lose power.
    ///
    /// # Errors
    /// Why this machine cannot have one.
    pub fn that_loses_power(mib: u64) -> Result<Self, String> {
        if !Path::new("/dev/loop-control").exists() {
            return Err("there are no loop devices".to_owned());
        }
        let disk = Self::unmounted(Kind::LosesPower)?;
        let image = disk.image();
        let file = std::fs::File::create(&image).map_err(|error| error.to_string())?;
        file.set_len(mib << 20).map_err(|error| error.to_string())?;
        run("mkfs.ext4", &["-q", "-F", text(&image)])?;
        disk.mount()?;
        Ok(disk)
    }

    /// An empty file system in memory that has room for this much.
    ///
    /// # Errors
    /// Why this machine cannot have one.
    pub fn small(mib: u64) -> Result<Self, String> {
        let disk = Self::unmounted(Kind::Small)?;
        let size = format!("size={mib}m");
        let path = text(&disk.path);
        run("mount", &["-t", "tmpfs", "-o", &size, "tmpfs", path])?;
        Ok(disk)
    }

    /// The folder at which it is mounted.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The power fails now. What is not synced is lost, and every later write fails.
    pub fn cut(&self) {
        assert!(self.kind == Kind::LosesPower);
        run("mount", &["-o", "remount,abort", text(&self.path)]).unwrap();
    }

    /// The power is back. No process that writes to the disk may live any more.
    pub fn power_on(&self) {
        // Lazily: a process that another test begins has all open files of this one until it is another program.
        run("umount", &["-l", text(&self.path)]).unwrap();
        if self.is_in_use() {
            self.move_image();
        }
        self.mount().unwrap();
    }

    /// Returns whether the file system lives on without its mount: a program that began in a namespace of mounts of its own
    /// meanwhile has a copy of that, and a process that begins has the open files. Another mount of the image would find it as the cut has left it, and could not be written.
    fn is_in_use(&self) -> bool {
        let image = self.image();
        let output = Command::new("losetup")
            .args(["--associated", text(&image)])
            .limited_output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        !output.stdout.is_empty()
    }

    /// Moves what was written to another file, and so to another device.
    fn move_image(&self) {
        let (image, copy) = (self.image(), self.base.path().join("copy"));
        run("cp", &["--sparse=always", text(&image), text(&copy)]).unwrap();
        std::fs::rename(copy, image).unwrap();
    }

    fn unmounted(kind: Kind) -> Result<Self, String> {
        if !rustix::process::geteuid().is_root() {
            return Err("mounting needs root".to_owned());
        }
        let base = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = base.path().join("mounted");
        std::fs::create_dir(&path).map_err(|error| error.to_string())?;
        Ok(Self { base, path, kind })
    }

    fn image(&self) -> PathBuf {
        self.base.path().join("image")
    }

    fn mount(&self) -> Result<(), String> {
        let image = self.image();
        // A power cut is no error of the file system: it goes on, as it would on a machine that comes up again.
        let options = "loop,errors=continue";
        run("mount", &["-o", options, text(&image), text(&self.path)])
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a process that a failing test left behind must not keep it.
        if let Err(why) = run("umount", &["-l", text(&self.path)]) {
            println!("{why}");
        }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let command_output = Command::new(program).args(arguments).limited_output();
    match command_output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!(
            "{program} {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        )),
        Err(error) => Err(format!("{program}: {error}")),
    }
}
