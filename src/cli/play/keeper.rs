//! The file of the record: texts in, the file written whole after every action. When it cannot be written the game goes on,
//! and the next action tries again.

use crate::cli::failure::Failure;
use crate::cli::store;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Keeps a record in a file.
#[derive(Debug)]
pub struct Keeper {
    path: PathBuf,
    /// Held while the file is written, so that the program does not end in between.
    writing: Arc<Mutex<()>>,
    /// What the file holds.
    written: Option<String>,
    /// Why it could not be written the last time.
    trouble: Option<String>,
}

impl Keeper {
    /// Keeps a record in a file that holds `written` now.
    #[must_use]
    pub fn new(path: PathBuf, written: Option<String>, writing: Arc<Mutex<()>>) -> Keeper {
        Keeper {
            path,
            writing,
            written,
            trouble: None,
        }
    }

    /// Makes the file hold a text; what a person has to hear about it, if anything.
    pub fn keep(&mut self, text: &str) -> Option<String> {
        if self.written.as_deref() == Some(text) && self.trouble.is_none() {
            return None;
        }
        let done = write(&self.path, text, &self.writing);
        match done {
            Ok(()) => {
                self.written = Some(text.to_owned());
                let before = self.trouble.take();
                before.map(|_| "the record is written again".to_owned())
            }
            Err(reason) => {
                let short = reason.split(" at path ").next().unwrap_or_default();
                let told =
                    format!("the record cannot be written ({short}); the next action tries again");
                self.trouble = Some(reason);
                Some(told)
            }
        }
    }

    /// Why the file does not hold all that was played.
    #[must_use]
    pub fn trouble(&self) -> Option<Failure> {
        self.trouble.as_ref().map(|reason| Failure::NotWritten {
            file: self.path.display().to_string(),
            reason: reason.clone(),
        })
    }
}

fn write(path: &Path, text: &str, writing: &Mutex<()>) -> Result<(), String> {
    let held = writing.lock();
    let done = store::write_whole(path, text);
    drop(held);
    done.map_err(|failure| {
        if let Failure::NotWritten { reason, .. } = failure {
            reason
        } else {
            format!("{failure:?}")
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::cli::play::keeper::Keeper;
    use std::fs;
    use std::sync::{Arc, Mutex};

    #[test]
    fn what_cannot_be_written_is_told_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("gone");
        fs::create_dir(&inner).unwrap();
        let path = inner.join("a.record");
        let mut keeper = Keeper::new(path.clone(), None, Arc::new(Mutex::new(())));
        assert!(keeper.keep("one").is_none() && keeper.trouble().is_none());
        fs::remove_dir_all(&inner).unwrap();
        let told = keeper.keep("two").unwrap();
        assert!(
            told.contains("cannot be written") && keeper.trouble().is_some(),
            "{told}"
        );
        fs::create_dir(&inner).unwrap();
        let told = keeper.keep("two").unwrap();
        assert!(
            told.contains("written again") && keeper.trouble().is_none(),
            "{told}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert!(keeper.keep("two").is_none());
    }
}
