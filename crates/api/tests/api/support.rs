use std::{
    env, fs,
    path::{Path, PathBuf},
};

use diag::{FileId, Severity, Span};
use spec::{Input, Services};
use syntax::Limits;

/// Services of texts; those that begin with `import ` in their name are imports.
pub(crate) fn services(texts: &[(&str, bool)]) -> Services {
    let read = |(at, (text, is_import)): (usize, &(&str, bool))| {
        let file = FileId(u32::try_from(at).expect("few files"));
        let parse = syntax::parse(file, text, &Limits::default());
        let (skeleton, problems) = spec::read(&parse.document, Span::at(file, 0));
        assert!(problems.iter().all(|it| it.severity != Severity::Error), "{problems:#?}");
        Input { skeleton: skeleton.expect("it is a map"), is_import: *is_import }
    };
    let inputs: Vec<Input> = texts.iter().enumerate().map(read).collect();
    let (services, problems) = spec::resolve(&inputs);
    assert!(problems.iter().all(|it| it.severity != Severity::Error), "{problems:#?}");
    services
}

/// The folder with specifications of real services.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn real() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = env::var_os("PLANLOOM_SHARED").map_or_else(beside, PathBuf::from).join("data/goten");
    if !folder.is_dir() {
        eprintln!("skipped: there is no folder {}", folder.display());
        return None;
    }
    Some(folder)
}

/// One real service, and all others as imports.
pub(crate) fn real_services(folder: &Path, name: &str) -> Services {
    let mut texts: Vec<(String, bool)> = Vec::new();
    for path in ["skeletons", "stubs"].iter().flat_map(|it| fs::read_dir(folder.join(it)).expect("a folder"))
    {
        let path = path.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text");
        texts.push((text, path.file_stem().expect("a name") != name));
    }
    texts.sort();
    let texts: Vec<(&str, bool)> = texts.iter().map(|(text, is_import)| (&**text, *is_import)).collect();
    services(&texts)
}
