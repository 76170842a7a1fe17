//! The app as it is developed and tested: what Trunk makes of `web/index.html`, without names that change with each build,
//! splitting and optimising, and without a program that has to be built first.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::SystemTime,
};

use anyhow::{Context, Result, anyhow};

use super::page::Page;
use crate::{
    dist, output,
    shell::{command, relative, root, run},
    tools, wasm,
};

/// The packages whose programs the page starts.
pub(crate) const PACKAGES: [&str; 2] = ["planloom-web", "planloom-apply"];

/// The script that makes the page reload itself after a build, and the file that it reads.
const RELOAD: &str = "reload.js";
pub(crate) const BUILT: &str = "built.txt";

/// An app in a folder.
pub(crate) struct Development {
    out: PathBuf,
    reloads: bool,
}

impl Development {
    /// An app in that folder; `reloads` makes its page reload itself after each build.
    pub(crate) fn new(out: PathBuf, reloads: bool) -> Self {
        Self { out, reloads }
    }

    /// Makes the app of compiled modules. A file that is the same as before is not written.
    pub(crate) fn assemble(&self) -> Result<()> {
        let page = read_page()?;
        fs::create_dir_all(&self.out)?;
        let output = output::current();
        let bind = |program: &str| output::within(output.clone(), || self.program(program));
        let bind = &bind;
        thread::scope(|scope| {
            let programs = page.workers.iter().chain([&page.program]);
            let bound: Vec<_> = programs.map(|it| scope.spawn(move || bind(it))).collect();
            bound.into_iter().try_for_each(|it| it.join().map_err(|_| anyhow!("a module was not made"))?)
        })?;
        self.copy(page)
    }

    /// Copies what is not compiled, and says that there is a new build.
    pub(crate) fn copy_static(&self) -> Result<()> {
        self.copy(read_page()?)
    }

    fn copy(&self, page: Page) -> Result<()> {
        for path in &page.files {
            let from = root().join("web").join(path);
            copy(&from, &self.out.join(from.file_name().context("a file without a name")?))?;
        }
        for path in &page.folders {
            let from = root().join("web").join(path);
            copy_folder(&from, &self.out.join(from.file_name().context("a folder without a name")?))?;
        }
        for worker in &page.workers {
            let loader = format!("import init from './{worker}.js';await init();");
            fs::write(self.out.join(format!("{worker}_loader.js")), loader)?;
        }
        let mut html = page.html;
        if self.reloads {
            copy(&root().join("web/serve").join(RELOAD), &self.out.join(RELOAD))?;
            html = html.replace("</head>", "<script type=\"module\" src=\"./reload.js\"></script></head>");
        }
        fs::write(self.out.join("index.html"), html)?;
        if self.reloads {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
            fs::write(self.out.join(BUILT), now.as_nanos().to_string())?;
        }
        Ok(())
    }

    fn program(&self, name: &str) -> Result<()> {
        // Who develops reads the names in stack traces.
        let flags: &[&str] = if self.reloads { &[] } else { &[wasm::WITHOUT_NAMES] };
        let bound = wasm::bind(&wasm::compiled(name), name, flags)?;
        for file in [format!("{name}.js"), format!("{name}_bg.wasm")] {
            copy(&bound.join(&file), &self.out.join(&file))?;
        }
        let snippets = bound.join("snippets");
        if snippets.is_dir() { copy_folder(&snippets, &self.out.join("snippets")) } else { Ok(()) }
    }
}

/// Bundles the code editor, which is one of the page's files.
pub(crate) fn bundle_editor() -> Result<()> {
    tools::node_modules("web/editor")?;
    run(command("npm").args(["--prefix", "web/editor", "run", "--silent", "build"]))
}

fn read_page() -> Result<Page> {
    let trunk = fs::read_to_string(root().join("Trunk.toml"))?;
    let script = trunk.lines().find_map(|it| it.strip_prefix("pattern_script = '")?.strip_suffix('\''));
    let source = fs::read_to_string(root().join("web/index.html"))?;
    Page::read(&source, script.context("Trunk.toml has no `pattern_script`")?)
}

/// Copies a file unless its copy is the same.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", relative(from)))?;
    if fs::read(to).is_ok_and(|it| it == bytes) {
        return Ok(());
    }
    fs::write(to, bytes).with_context(|| format!("cannot write {}", relative(to)))
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for path in dist::files(from)? {
        let (from, to) = (from.join(&path), to.join(&path));
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        copy(&from, &to)?;
    }
    Ok(())
}
