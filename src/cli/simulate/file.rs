//! The file of a run that is going on: lines appended as pieces of work are done; begun anew, or gone on with where it was broken off.

use crate::cli::failure::Failure;
use crate::tools::simulate::shard::{Batch, NotBegun, begun, head, line};
use crate::tools::simulate::{Plan, Shard, Tally, Task};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// A file that lines are appended to.
#[derive(Debug)]
pub struct Kept {
    name: String,
    file: File,
    /// How many bytes of it are whole lines.
    whole: u64,
}

/// Why a file cannot be gone on with.
#[derive(Debug)]
pub enum NotKept {
    /// It cannot be read or written.
    Failure(Failure),
    /// It is something else than what it is to become: what, and what would help.
    Other(String, &'static str),
}

/// What helps where a file shall not be touched.
const ELSEWHERE: &str = "give another file";

impl From<Failure> for NotKept {
    fn from(failure: Failure) -> NotKept {
        NotKept::Failure(failure)
    }
}

impl Kept {
    /// Opens a file, or begins one; gives also what is done already.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds something else.
    pub fn open(name: &str, plan: &Plan, shard: Shard) -> Result<(Kept, Vec<Batch>), NotKept> {
        let failed = |error: io::Error| Failure::NotWritten {
            file: name.to_owned(),
            reason: error.to_string(),
        };
        let other =
            |reason: &str, help| NotKept::Other(format!("{name} cannot be used: {reason}"), help);
        // What is no file may go on for ever, or forget.
        if Path::new(name)
            .metadata()
            .is_ok_and(|found| !found.is_file())
        {
            return Err(NotKept::Failure(Failure::NotWritten {
                file: name.to_owned(),
                reason: "it is no ordinary file".to_owned(),
            }));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(name)
            .map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(other("another run is writing it", ELSEWHERE));
            }
            // Where files cannot be locked there is nobody to be kept out.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let begun = begun(&bytes, plan, shard).map_err(|why| match why {
            NotBegun::Foreign => other("it is there, and is no file of a simulation", ELSEWHERE),
            NotBegun::Other(reason) => other(
                &reason,
                "give another file, or delete this one to begin anew",
            ),
        })?;
        let mut kept = Kept {
            name: name.to_owned(),
            file,
            whole: begun.whole as u64,
        };
        kept.file.set_len(kept.whole).map_err(failed)?;
        if begun.whole == 0 {
            kept.append(&head(plan, shard))?;
        }
        Ok((kept, begun.batches))
    }

    /// Writes down a piece of work.
    ///
    /// # Errors
    /// If it cannot be written; the file then holds all that was written before.
    pub fn note(&mut self, task: &Task, tally: &Tally) -> Result<(), Failure> {
        self.append(&line(task, tally))
    }

    fn append(&mut self, text: &str) -> Result<(), Failure> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.whole))
            .and_then(|_| self.file.write_all(text.as_bytes()));
        match written {
            Ok(()) => {
                self.whole += text.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A piece of a line would be passed over by the next run as well.
                let _ = self.file.set_len(self.whole);
                Err(Failure::NotWritten {
                    file: self.name.clone(),
                    reason: error.to_string(),
                })
            }
        }
    }

    /// Makes sure that all is on the disk.
    ///
    /// # Errors
    /// If it is not.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.file.sync_all().map_err(|error| Failure::NotWritten {
            file: self.name.clone(),
            reason: error.to_string(),
        })
    }
}
