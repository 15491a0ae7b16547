//! What a run came to, on standard output and as a page: a plan and sums in, table, JSON, CSV or HTML out.

use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::store;
use crate::tools::simulate::{Plan, Summary, Tally, csv, lines, page, table};
use clap::Args;
use std::path::Path;

/// How results are told.
#[derive(Args, Clone, Debug)]
pub struct Told {
    /// Write JSON, one object a configuration, each in one line.
    #[arg(long)]
    pub json: bool,
    /// Write comma-separated values, one line a configuration.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Also write a page with plots into this file.
    #[arg(long, value_name = "OUT")]
    pub html: Option<String>,
    /// Tell all of each configuration, where there are several, instead of a line each.
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub details: bool,
}

/// Whether a page can be written there at all: better now than when all has been played.
///
/// # Errors
/// If it cannot.
pub fn can_be_written(told: &Told) -> Result<(), Failure> {
    let Some(file) = &told.html else {
        return Ok(());
    };
    let path = Path::new(file);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    // What is no ordinary file, a pipe or a device, may be called anything.
    let ordinary = path.is_file() || !path.exists();
    let named = path.extension().is_some_and(|e| e == "html" || e == "htm");
    if ordinary && !named {
        return Err(Failure::Usage(format!(
            "`{file}` is no name of a page: --html wants one that ends in .html"
        )));
    }
    let reason = if path.is_dir() {
        "it is a folder".to_owned()
    } else if folder.is_some_and(|folder| !folder.is_dir()) {
        "there is no such folder".to_owned()
    } else {
        return Ok(());
    };
    Err(Failure::NotWritten {
        file: file.clone(),
        reason,
    })
}

/// Tells all.
///
/// # Errors
/// If it cannot be written.
pub fn tell(
    plan: &Plan,
    tallies: &[Tally],
    told: &Told,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let all = plan.configurations.iter().zip(tallies);
    let summaries: Vec<Summary<'_>> = all
        .map(|(configuration, tally)| Summary::of(plan, configuration, tally))
        .collect();
    let text = if told.json {
        lines(&summaries)
    } else if told.csv {
        csv(&summaries)
    } else {
        table(&summaries, told.details)
    };
    terminal.print(&text)?;
    terminal.flush()?;
    if let Some(file) = &told.html {
        store::write_whole(Path::new(file), page(&summaries))?;
    }
    Ok(())
}
