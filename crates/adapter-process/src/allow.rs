use std::{
    env, fs, io,
    os::unix::fs::PermissionsExt,
    path::{Component, Path, PathBuf},
};

use adapter_native::{NotAllowed, real_folder, real_path};

mod variable;

use variable::Variables;

/// The programs that may run, the folders in which they may start, and the environment variables that may be
/// set. They are chosen by the operator who starts the adapter; nothing is allowed by default.
///
/// A program is allowed if its file, after all links are followed, is one of the named files and is called by
/// its name there (so that one of a family of programs in a file does not allow the others), or if it is in
/// one of the folders.
///
/// The behaviour of a program is not examined: an allowed interpreter runs any script that its arguments name
/// or contain, an allowed script runs the interpreter of its first line, and an allowed folder holds whatever
/// its owner puts there later. A program that every user of the machine could replace is therefore refused.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    programs: Vec<Named>,
    folders: Vec<Named>,
    work: Vec<PathBuf>,
    variables: Variables,
}

/// A path as it was given, and the file or folder it leads to.
#[derive(Clone, Debug)]
struct Named {
    given: PathBuf,
    real: PathBuf,
}

/// A program that may be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The file, without links: the file that was checked is the one that is run.
    pub(crate) file: PathBuf,
    /// The name by which it is called, for programs whose behaviour depends on it.
    pub(crate) name: PathBuf,
}

impl Allowed {
    /// Allows nothing.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Also allows this program.
    ///
    /// # Errors
    /// If that is no absolute path of an executable file.
    pub fn program(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        let named = Named::new(path.into())?;
        match runnable(&named.real).and_then(|()| protected(&named.real)) {
            Ok(()) => self.programs.push(named),
            Err(why) => return Err(NotAllowed::path(&named.given, why)),
        }
        Ok(self)
    }

    /// Also allows all programs whose files are in this folder or below it.
    ///
    /// # Errors
    /// If that is no absolute path of a folder.
    pub fn programs_in(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        let named = Named::folder(path.into())?;
        protected(&named.real).map_err(|why| NotAllowed::path(&named.given, why))?;
        self.folders.push(named);
        Ok(self)
    }

    /// Also allows descriptors to set this environment variable, or those with this prefix: `NAME` or
    /// `PREFIX_*`.
    ///
    /// # Errors
    /// If it is neither, or is a variable that selects the code that programs run.
    pub fn variable(mut self, pattern: &str) -> Result<Self, NotAllowed> {
        self.variables.permit(pattern)?;
        Ok(self)
    }

    /// Also allows services to start in this folder and those below it.
    ///
    /// # Errors
    /// If that is no absolute path of a folder.
    pub fn work_in(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        self.work.push(real_folder(&path.into())?);
        Ok(self)
    }

    /// The program that a word names.
    ///
    /// # Errors
    /// The reason why it may not be run, for people.
    pub(crate) fn find(&self, word: &str) -> Result<Program, String> {
        if word.is_empty() {
            return Err("no program has that name".into());
        }
        if !word.contains('/') {
            return self.find_name(word);
        }
        let path = Path::new(word);
        if !path.is_absolute() {
            return Err(format!("`{word}` is neither an absolute path nor a bare name"));
        }
        let real = fs::canonicalize(path).map_err(|error| unreadable(word, &error))?;
        if !self.allows(path, &real) {
            return Err(refusal(word, &real));
        }
        runnable(&real)?;
        protected(&real)?;
        Ok(Program { file: real, name: path.to_owned() })
    }

    /// A name without a path is looked up on the list only, in its order: programs first, then folders.
    fn find_name(&self, name: &str) -> Result<Program, String> {
        let programs = self
            .programs
            .iter()
            .map(|it| it.given.clone())
            .filter(|it| it.file_name() == Some(name.as_ref()));
        // `.` and `..` are excluded.
        let is_plain = matches!(Path::new(name).components().next(), Some(Component::Normal(_)));
        let folders = self.folders.iter().filter(|_| is_plain).map(|it| it.given.join(name));
        let candidates: Vec<PathBuf> = programs.chain(folders).collect();
        for path in candidates {
            let Ok(real) = fs::canonicalize(&path) else { continue };
            if self.allows(&path, &real) && runnable(&real).is_ok() {
                protected(&real)?;
                return Ok(Program { file: real, name: path });
            }
        }
        match elsewhere(name).filter(|_| is_plain) {
            Some(path) => Err(refusal(name, &path)),
            None => Err(format!("`{name}` is not found on this machine")),
        }
    }

    /// The reason why the program that a word names may not be run, for people; `None` if it may.
    pub fn refusal(&self, word: &str) -> Option<String> {
        self.find(word).err()
    }

    /// The reason why a descriptor may not set this environment variable, for people; `None` if it may. If
    /// the value is not known yet, only the name is checked.
    pub fn variable_refusal(&self, name: &str, value: Option<&str>) -> Option<String> {
        self.variables.refusal(name, value)
    }

    /// True if the operator can permit the variable.
    pub(crate) fn may_permit(&self, name: &str) -> bool {
        Variables::default().permit(name).is_ok()
    }

    fn allows(&self, requested: &Path, real: &Path) -> bool {
        let is_program = |it: &Named| {
            let same_name = [it.given.file_name(), it.real.file_name()].contains(&requested.file_name());
            it.real == real && same_name
        };
        self.programs.iter().any(is_program) || self.folders.iter().any(|it| real.starts_with(&it.real))
    }

    /// The folder at a path, without links.
    ///
    /// # Errors
    /// The reason why a program may not start there, for people.
    pub(crate) fn folder(&self, text: &str) -> Result<PathBuf, String> {
        if !Path::new(text).is_absolute() {
            return Err(format!("`{text}` is not an absolute path"));
        }
        let real = fs::canonicalize(text).map_err(|error| unreadable(text, &error))?;
        if !self.work.iter().any(|it| real.starts_with(it)) {
            return Err(format!("programs cannot be started in `{text}`"));
        }
        if real.is_dir() { Ok(real) } else { Err(format!("`{text}` is not a folder")) }
    }
}

impl Named {
    fn new(given: PathBuf) -> Result<Self, NotAllowed> {
        Ok(Self { real: real_path(&given)?, given })
    }

    fn folder(given: PathBuf) -> Result<Self, NotAllowed> {
        Ok(Self { real: real_folder(&given)?, given })
    }
}

fn runnable(file: &Path) -> Result<(), String> {
    let shown = file.display();
    let data = fs::metadata(file).map_err(|error| unreadable(&shown.to_string(), &error))?;
    let runs = data.is_file() && data.permissions().mode() & 0o111 != 0;
    if runs { Ok(()) } else { Err(format!("`{shown}` is not an executable program")) }
}

/// Checks that only its owner and a group can replace a file: neither the file nor a folder on its path may be
/// writable by everybody. In folders with the sticky bit, such as `/tmp`, everybody may write but cannot
/// replace files of others.
pub(crate) fn protected(real: &Path) -> Result<(), String> {
    for path in real.ancestors() {
        let data = fs::metadata(path).map_err(|error| unreadable(&path.display().to_string(), &error))?;
        let mode = data.permissions().mode();
        let is_sticky = data.is_dir() && mode & 0o1000 != 0 && path != real;
        if mode & 0o002 != 0 && !is_sticky {
            let (shown, path) = (real.display(), path.display());
            return Err(format!(
                "every user can replace `{shown}`: remove that right with `chmod o-w {path}`"
            ));
        }
    }
    Ok(())
}

fn refusal(word: &str, real: &Path) -> String {
    let leads =
        if Path::new(word) == real { String::new() } else { format!(" (it leads to `{}`)", real.display()) };
    format!("`{word}` is not on the allow list (`--allow`){leads}")
}

/// The usual folders of programs.
const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";

/// A program of that name that is on this machine, but not on the list.
fn elsewhere(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_else(|| USUAL.into());
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| runnable(path).is_ok())
}

fn unreadable(path: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("`{path}` is not found on this machine"),
        _ => format!("`{path}` cannot be read: {error}"),
    }
}
