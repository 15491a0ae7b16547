//! Files on disk: paths in, texts written whole or not at all, and lists of files in a stable order out.

use crate::cli::failure::Failure;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// So many links are followed to a file that is not there yet.
const MOST_LINKS: usize = 40;

/// Writes a file whole or not at all: beside it first, then in its place. The folder must exist.
///
/// A file that is there keeps its permissions, and a link goes on leading to it. What is no file, as a pipe or a device, is written
/// to as it stands.
///
/// # Errors
///
/// If it cannot be written; then what was there is there still.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    replace(path, content.as_ref()).map_err(|error| not_written(path, &error))
}

/// Writes a file that is not there yet, whole or not at all; false, and nothing is written, when there is something already.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_new(path: &Path, text: &str) -> Result<bool, Failure> {
    match create(path, text) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(not_written(path, &error)),
        Ok(()) => Ok(true),
    }
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let file = beside(path, text.as_bytes(), ordinary())?;
    file.persist_noclobber(path)
        .map(drop)
        .map_err(|error| error.error)
}

/// A file beside a path, with a content.
fn beside(
    path: &Path,
    content: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let mut builder = Builder::new();
    builder.prefix(".gambol-").suffix(".tmp");
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = followed(path)?;
    let before = match fs::metadata(&path) {
        Ok(found) if !found.is_file() && !found.is_dir() => {
            return fs::OpenOptions::new()
                .write(true)
                .open(&path)?
                .write_all(content);
        }
        Ok(found) if found.permissions().readonly() => {
            return Err(ErrorKind::PermissionDenied.into());
        }
        Ok(found) => Some(found.permissions()),
        Err(_) => None,
    };
    let file = beside(&path, content, before.or_else(ordinary))?;
    file.persist(&path).map(drop).map_err(|error| error.error)
}

/// Where links lead to, which need not be there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            found => return found,
        }
        let Ok(target) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Ok(path)
}

/// The permissions of a new file, before the mask of the process.
#[cfg(unix)]
fn ordinary() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn ordinary() -> Option<Permissions> {
    None
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    Failure::NotWritten {
        file: path.display().to_string(),
        // The system's own words name files that nobody has asked for.
        reason: if error.kind() == ErrorKind::NotFound {
            "there is no such folder".to_owned()
        } else if error.kind() == ErrorKind::Other {
            error.to_string()
        } else {
            error.kind().to_string()
        },
    }
}

/// Makes a folder, with those above it, unless it is there.
///
/// # Errors
///
/// If it cannot be made.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| not_written(path, &error))
}

/// Deletes a file, if it is there.
///
/// # Errors
///
/// If it is there and cannot be deleted.
pub fn delete(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(not_written(path, &error)),
        _ => Ok(()),
    }
}

/// What stands in a folder, sorted by name: files, then folders. Links to folders are left out.
///
/// # Errors
///
/// If it cannot be read.
pub fn list(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Failure> {
    let unreadable = |error: io::Error| Failure::Unreadable {
        file: folder.display().to_string(),
        reason: error.to_string(),
    };
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if entry.file_type().map_err(unreadable)?.is_dir() {
            folders.push(path);
        } else if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    folders.sort();
    Ok((files, folders))
}

#[cfg(test)]
mod tests {
    use crate::cli::store::{delete, list, write_whole};
    use std::fs;

    #[test]
    fn files_are_written_whole_and_leave_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        assert!(write_whole(&path, "one").is_ok() && write_whole(&path, "two").is_ok());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let (files, folders) = list(folder.path()).unwrap();
        assert_eq!((files, folders), (vec![path.clone()], vec![]));
        assert!(delete(&path).is_ok() && delete(&path).is_ok() && !path.exists());
        assert!(write_whole(&folder.path().join("no/a.txt"), "x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert!(write_whole(&path, "one").is_ok());
        assert_eq!(mode() & 0o600, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a", &link).unwrap();
        assert!(write_whole(&link, "two").is_ok());
        assert_eq!(
            (fs::read_to_string(&path).unwrap().as_str(), mode()),
            ("two", 0o640)
        );
        assert!(link.is_symlink());
        let (early, late) = (folder.path().join("c"), folder.path().join("d"));
        symlink("d", &early).unwrap();
        assert!(write_whole(&early, "new").is_ok() && early.is_symlink());
        assert_eq!(fs::read_to_string(&late).unwrap(), "new");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write_whole(&path, "three").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_stays_one() {
        use std::os::unix::fs::FileTypeExt as _;
        let link = tempfile::tempdir().unwrap();
        let link = link.path().join("full");
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        assert!(write_whole(&link, "x").is_err());
        let device = fs::metadata(&link).unwrap().file_type();
        assert!(device.is_char_device() && link.is_symlink());
    }
}
