use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Result;
use fastrand::Rng;
use planloom_tests::{example::Inputs, mutation::mutated, page::Page, real_files};

/// Files that are given together.
pub(crate) struct FileSet {
    /// A description of the set, for reports.
    pub(crate) name: String,
    /// Their names and texts, in merge order.
    pub(crate) files: Vec<(String, String)>,
}

/// Larger files say nothing that smaller ones do not, and take long.
const LARGEST: usize = 1 << 20;

impl FileSet {
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        for (name, text) in &self.files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, text)?;
        }
        Ok(())
    }

    /// The same with one to three lines of one file changed: left out, written twice, exchanged, indented or cut.
    pub(crate) fn mutated(&self, random: &mut Rng) -> Self {
        let mut files = self.files.clone();
        if let Some((_, text)) = random.choice(&mut files) {
            for _ in 0..random.usize(1..4) {
                *text = mutated(text, random);
            }
        }
        Self { name: format!("{}, mutated", self.name), files }
    }
}

/// The files of every example of the suite.
pub(crate) fn of_suite() -> Result<Vec<FileSet>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|it| Ok(it?.path())).collect::<Result<_>>()?;
    paths.retain(|it| it.extension().is_some_and(|it| it == "md"));
    paths.sort();
    let mut sets = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let page = Page::parse(&name, &fs::read_to_string(&path)?);
        for section in &page.sections {
            let files = Inputs::of(&page, section).files;
            let files = files.into_iter().filter(|it| it.package.is_none()).map(|it| (it.name, it.text));
            sets.push(FileSet { name: format!("{name} {}", section.id), files: files.collect() });
        }
    }
    sets.retain(|it| !it.files.is_empty());
    Ok(sets)
}

/// Every real file, alone; none where there are none on this machine.
pub(crate) fn real() -> Vec<FileSet> {
    let files = real_files::of_folders(&[""]).into_iter().filter(|(_, text)| text.len() <= LARGEST);
    files.map(|(name, text)| FileSet { name: name.clone(), files: vec![(name, text)] }).collect()
}
