//! Read leases, as Linux has them (`F_SETLEASE` of fcntl(2)): nobody writes a file while one is held.

use std::{
    fs::File,
    io,
    thread::sleep,
    time::{Duration, Instant},
};

/// The time for which programs that have a file open to write it are waited for. Editors have it for less than a millisecond.
const PATIENCE: Duration = Duration::from_millis(500);

/// A file that no program has open to write it. A program that opens it for that, while this is held, waits in the kernel.
/// Without a lease, as on other systems, on some file systems, and on files of other users, nothing is known about other
/// programs.
#[derive(Debug)]
pub(super) struct ReadLease {
    file: File,
    is_held: bool,
}

impl ReadLease {
    /// A lease on a file that is open for reading only. Programs that have it open to write it are waited for, as long as the
    /// file may still be replaced; `None` if it may not.
    ///
    /// # Errors
    /// If a program keeps it open.
    pub(super) fn take(file: File, may_replace: impl Fn() -> bool) -> io::Result<Option<Self>> {
        let begun = Instant::now();
        loop {
            let taken = kernel::lease(&file);
            if !may_replace() {
                return Ok(None);
            }
            match taken {
                Ok(()) => return Ok(Some(Self { file, is_held: true })),
                Err(why) if why.kind() != io::ErrorKind::WouldBlock => {
                    return Ok(Some(Self { file, is_held: false }));
                }
                Err(_) if begun.elapsed() > PATIENCE => {
                    return Err(io::Error::other("another program has it open to write it"));
                }
                Err(_) => sleep(Duration::from_millis(1)),
            }
        }
    }

    /// True if a program that found the file under its name waits to write it.
    pub(super) fn has_waiting_writer(&self) -> bool {
        self.is_held && !kernel::is_leased(&self.file)
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no library has these calls; they take and return numbers only")]
mod kernel {
    use std::{
        ffi::c_int,
        fs::File,
        io,
        os::fd::{AsFd as _, AsRawFd as _},
    };

    use libc::{F_GETLEASE, F_RDLCK, F_SETLEASE, SIGURG};

    /// The signal that tells the holder of a lease that a writer waits: a command that libc does not name, of the same number on all
    /// processors that Rust has.
    const F_SETSIG: c_int = 10;

    /// Takes a lease, which ends when the file is closed.
    pub(super) fn lease(file: &File) -> io::Result<()> {
        // Nobody listens for the signal when a writer waits, and this one is ignored unless somebody does; the default one ends the
        // process.
        call(file, F_SETSIG, SIGURG)?;
        call(file, F_SETLEASE, F_RDLCK).map(drop)
    }

    /// False as soon as another program waits for the end of the lease.
    pub(super) fn is_leased(file: &File) -> bool {
        call(file, F_GETLEASE, 0).is_ok_and(|it| it == F_RDLCK)
    }

    fn call(file: &File, command: c_int, argument: c_int) -> io::Result<c_int> {
        // SAFETY: the descriptor is open as long as it is borrowed, and none of these commands takes or returns a pointer.
        let answer = unsafe { libc::fcntl(file.as_fd().as_raw_fd(), command, argument) };
        if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(answer) }
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::{fs::File, io};

    pub(super) fn lease(_: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_leased(_: &File) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{fs, io::Write as _, path::PathBuf, thread};

    use super::{
        super::disk::{delete, read_with_stamp, replace},
        *,
    };

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("planloom-lease-{}-{name}", std::process::id()));
        fs::write(&path, "a: 1\n").unwrap();
        path
    }

    fn open(path: &PathBuf) -> File {
        File::open(path).unwrap()
    }

    #[test]
    fn who_opens_a_leased_file_to_write_it_waits() {
        let path = file("waits");
        let lease = ReadLease::take(open(&path), || true).unwrap().unwrap();
        fs::read(&path).unwrap();
        assert!(!lease.has_waiting_writer(), "readers do not count");
        thread::scope(|scope| {
            let writer = scope.spawn(|| fs::write(&path, "a: 2\n"));
            while !lease.has_waiting_writer() {
                assert!(!writer.is_finished());
                thread::yield_now();
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), "a: 1\n");
            drop(lease);
            writer.join().unwrap().unwrap();
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 2\n");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_is_being_written_is_not_leased() {
        let path = file("written");
        let mut writer = File::options().append(true).open(&path).unwrap();
        let why = ReadLease::take(open(&path), || true).unwrap_err();
        assert_eq!(why.to_string(), "another program has it open to write it");
        let is_same = || fs::read_to_string(&path).is_ok_and(|it| it == "a: 1\n");
        writer.write_all(b"b: 2\n").unwrap();
        assert!(ReadLease::take(open(&path), is_same).unwrap().is_none(), "it has changed");
        drop(writer);
        assert!(ReadLease::take(open(&path), || true).unwrap().is_some());
        fs::remove_file(path).unwrap();
    }
    #[test]
    fn what_a_program_writes_that_has_the_file_open_is_not_lost() {
        let path = file("open");
        let (_, stamp) = read_with_stamp(&path).unwrap();
        let mut editor = File::options().write(true).open(&path).unwrap();
        assert!(replace(&path, b"c: 3\n", &stamp).is_err(), "it cannot be known what the editor will write");
        assert!(delete(&path, &stamp).is_err(), "nor that it is to be deleted then");
        let mut replaced = None;
        thread::scope(|scope| {
            let server = scope.spawn(|| replace(&path, b"c: 3\n", &stamp));
            thread::sleep(Duration::from_millis(20));
            editor.write_all(b"edited\n").unwrap();
            drop(editor);
            replaced = Some(server.join().unwrap().unwrap());
        });
        assert_eq!((replaced, fs::read_to_string(&path).unwrap()), (Some(false), "edited\n".to_owned()));
        let (_, stamp) = read_with_stamp(&path).unwrap();
        assert!(replace(&path, b"c: 3\n", &stamp).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "c: 3\n");
        fs::remove_file(path).unwrap();
    }
}
