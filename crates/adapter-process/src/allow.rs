use std::{
    env, fmt, fs, io,
    os::unix::fs::PermissionsExt,
    path::{Component, Path, PathBuf},
};

/// What may be run, and where. Whoever starts the adapter says it; nothing is allowed by default.
///
/// A program is allowed when the file it is in the end, after all links, is one of those named, under the name it has
/// there (so that one of a family of programs in a file does not allow the others), or lies in one of the folders.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    programs: Vec<Named>,
    folders: Vec<Named>,
    work: Vec<PathBuf>,
}

/// A path as it was given, and what it is in the end.
#[derive(Clone, Debug)]
struct Named {
    given: PathBuf,
    real: PathBuf,
}

/// Why a path cannot be put on the list.
#[derive(Debug)]
pub struct NotAllowed {
    path: PathBuf,
    why: String,
}

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be allowed: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for NotAllowed {}

/// A program that may be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The file, without links: what was checked is what is run.
    pub(crate) file: PathBuf,
    /// What it is called, for programs that look at that.
    pub(crate) name: PathBuf,
}

impl Allowed {
    /// Nothing.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Also this program.
    ///
    /// # Errors
    /// Where that is no absolute path of a file that can be run.
    pub fn program(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        let named = Named::new(path.into())?;
        match runnable(&named.real) {
            Ok(()) => self.programs.push(named),
            Err(why) => return Err(NotAllowed { path: named.given, why }),
        }
        Ok(self)
    }

    /// Also all programs whose files lie in this folder or below it.
    ///
    /// # Errors
    /// Where that is no absolute path of a folder.
    pub fn programs_in(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        self.folders.push(Named::folder(path.into())?);
        Ok(self)
    }

    /// Services may also start in this folder and those below it.
    ///
    /// # Errors
    /// Where that is no absolute path of a folder.
    pub fn work_in(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        self.work.push(Named::folder(path.into())?.real);
        Ok(self)
    }

    /// The program that a word names.
    ///
    /// # Errors
    /// Why it may not be run, for people.
    pub(crate) fn find(&self, word: &str) -> Result<Program, String> {
        if word.is_empty() {
            return Err("there is no program of that name".into());
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
        Ok(Program { file: real, name: path.to_owned() })
    }

    /// A bare name is looked up on the list only, in its order: programs first, then folders.
    fn find_name(&self, name: &str) -> Result<Program, String> {
        let programs = self
            .programs
            .iter()
            .map(|it| it.given.clone())
            .filter(|it| it.file_name() == Some(name.as_ref()));
        // `.` and `..` are names too.
        let is_plain = matches!(Path::new(name).components().next(), Some(Component::Normal(_)));
        let folders = self.folders.iter().filter(|_| is_plain).map(|it| it.given.join(name));
        let candidates: Vec<PathBuf> = programs.chain(folders).collect();
        for path in candidates {
            let Ok(real) = fs::canonicalize(&path) else { continue };
            if self.allows(&path, &real) && runnable(&real).is_ok() {
                return Ok(Program { file: real, name: path });
            }
        }
        match elsewhere(name).filter(|_| is_plain) {
            Some(path) => Err(refusal(name, &path)),
            None => Err(format!("`{name}` is not found on this machine")),
        }
    }

    /// Why the program that a word names may not be run, for people; nothing where it may.
    pub fn refusal(&self, word: &str) -> Option<String> {
        self.find(word).err()
    }

    fn allows(&self, asked: &Path, real: &Path) -> bool {
        let is_program = |it: &Named| {
            let same_name = [it.given.file_name(), it.real.file_name()].contains(&asked.file_name());
            it.real == real && same_name
        };
        self.programs.iter().any(is_program) || self.folders.iter().any(|it| real.starts_with(&it.real))
    }

    /// The folder that a text names, without links.
    ///
    /// # Errors
    /// Why nothing may start there, for people.
    pub(crate) fn folder(&self, text: &str) -> Result<PathBuf, String> {
        if !Path::new(text).is_absolute() {
            return Err(format!("`{text}` is no absolute path"));
        }
        let real = fs::canonicalize(text).map_err(|error| unreadable(text, &error))?;
        if !self.work.iter().any(|it| real.starts_with(it)) {
            return Err(format!("nothing may be started in `{text}`"));
        }
        if real.is_dir() { Ok(real) } else { Err(format!("`{text}` is no folder")) }
    }
}

impl Named {
    fn new(given: PathBuf) -> Result<Self, NotAllowed> {
        if !given.is_absolute() {
            return Err(NotAllowed { path: given, why: "it is no absolute path".into() });
        }
        match fs::canonicalize(&given) {
            Ok(real) => Ok(Self { given, real }),
            Err(error) => Err(NotAllowed { path: given, why: error.to_string() }),
        }
    }

    fn folder(path: PathBuf) -> Result<Self, NotAllowed> {
        let named = Self::new(path)?;
        if named.real.is_dir() {
            return Ok(named);
        }
        Err(NotAllowed { path: named.given, why: "it is no folder".into() })
    }
}

fn runnable(file: &Path) -> Result<(), String> {
    let shown = file.display();
    let data = fs::metadata(file).map_err(|error| unreadable(&shown.to_string(), &error))?;
    let runs = data.is_file() && data.permissions().mode() & 0o111 != 0;
    if runs { Ok(()) } else { Err(format!("`{shown}` is no program that can be run")) }
}

fn refusal(word: &str, real: &Path) -> String {
    let leads =
        if Path::new(word) == real { String::new() } else { format!(" (it leads to `{}`)", real.display()) };
    format!("`{word}` is not on the list of what may be run (`--allow`){leads}")
}

/// Where programs usually are.
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
