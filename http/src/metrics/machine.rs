//! The process, the disk and the program itself.

use prometheus_client::encoding::EncodeMetric as _;
use prometheus_client::metrics::info::Info;
use switchboard_engine::store::identity;

use super::Written;
use super::page::Page;
use switchboard_network::limits::data_directory::DataSpace;
use switchboard_network::limits::process::ProcessUse;

/// Writes the version of the program and of its data, as labels of a series that is always 1.
pub(super) fn build(page: &mut Page<'_>) -> Written {
    let labels = vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("data_format", identity::FORMAT.to_string()),
    ];
    let info = Info::new(labels);
    let help = "The version of the program and the format of its data";
    let encoder = page
        .0
        .encode_descriptor("build", help, None, info.metric_type())?;
    info.encode(encoder)
}

/// Writes the space of the data directory.
pub(super) fn disk(page: &mut Page<'_>, space: &DataSpace) -> Written {
    page.gauge(
        "disk_free_bytes",
        "Free space of the file system with the data directory",
        space.free,
    )?;
    page.gauge(
        "disk_size_bytes",
        "Size of the file system with the data directory",
        space.size,
    )?;
    page.gauge(
        "journal_bytes",
        "Size of the journal on disk",
        space.journal,
    )?;
    page.gauge(
        "index_bytes",
        "Size of the index and its tables on disk",
        space.index,
    )
}

/// Writes the metrics of a process that Prometheus expects of every program, under their usual names.
pub(super) fn process(page: &mut Page<'_>, process: &ProcessUse) -> Written {
    page.seconds(
        "process_cpu_seconds",
        "Time that processors worked for the process",
        process.cpu,
    )?;
    page.gauge(
        "process_resident_memory_bytes",
        "Resident memory",
        process.resident_bytes,
    )?;
    page.gauge(
        "process_virtual_memory_bytes",
        "Virtual memory",
        process.virtual_bytes,
    )?;
    page.gauge("process_threads", "Threads", process.threads)?;
    page.gauge("process_open_fds", "Open descriptors", process.open_files)?;
    if let Some(most) = process.open_files_max {
        page.gauge("process_max_fds", "Limit of open descriptors", most)?;
    }
    page.decimal(
        "process_start_time_seconds",
        "Unix time of the start of the process",
        process.started_at,
    )
}
