use std::path::{Path, PathBuf};

use report::codes;
use services::Imports;
use workspace::{
    File, PlanOptions, Workspace,
    view::{DiagnosticView, PlanView, Role},
};

use crate::answer::has_errors;
use crate::args::{Bosh, Changes, Inputs, Kinds, ServiceInputs};
use crate::catalogs::{read_catalogs, with_lock};
use crate::changes::{self, ChangeFiles};
use crate::files::{Stdin, name, overwritten, read_all, read_folder, read_text};
use crate::problem::problem;
use crate::work::{
    adapters::{self, DescribedAdapter},
    errors::diagnostic,
    run,
};

/// A workspace with the files that were named on the command line.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) workspace: Workspace,
    /// The texts that diagnostics point into: descriptors, type definitions and job specs.
    pub(crate) texts: Vec<File>,
    /// The errors of reading. If there are any, the workspace is empty, and diagnostics of it mean nothing.
    pub(crate) problems: Vec<DiagnosticView>,
    /// Standard input, for further files.
    pub(crate) stdin: Stdin,
    /// The descriptions of the adapters.
    pub(crate) adapters: Vec<DescribedAdapter>,
}

/// `out` is where the answer will be written.
pub(crate) fn load(inputs: &Inputs, out: Option<&Path>) -> Loaded {
    load_site(inputs, &Bosh::default(), out)
}

/// The same with the other inputs of links.
pub(crate) fn load_site(inputs: &Inputs, bosh: &Bosh, out: Option<&Path>) -> Loaded {
    load_changed(inputs, bosh, &Changes::default(), out)
}

/// The same with operations and variables that change a document.
pub(crate) fn load_changed(inputs: &Inputs, bosh: &Bosh, changes: &Changes, out: Option<&Path>) -> Loaded {
    let mut stdin = Stdin::default();
    let paths = with_lock(&inputs.files);
    let mut files = read_all(&mut stdin, &paths);
    let mut catalogs = read_catalogs(&mut stdin, &inputs.catalogs);
    files.problems.append(&mut catalogs.problems);
    let (types, mut problems) = read_types(&mut stdin, &inputs.kinds);
    files.problems.append(&mut problems);
    let mut specs = bosh.releases.as_deref().map(|it| read_folder(&mut stdin, it)).unwrap_or_default();
    files.problems.append(&mut specs.problems);
    let ChangeFiles { operations, variables, mut problems } = changes::read(&mut stdin, changes);
    files.problems.append(&mut problems);
    let changing = changes.ops.iter().chain(&changes.vars_files);
    let read = paths.iter().chain(&inputs.kinds.types).chain(&specs.paths).chain(changing);
    files.problems.extend(overwritten(out, read));
    let mut loaded = Loaded { problems: files.problems, stdin, ..Loaded::default() };
    if loaded.problems.is_empty() {
        loaded.texts = files
            .files
            .iter()
            .chain(&types)
            .chain(&specs.files)
            .chain(&catalogs.files)
            .chain(&operations)
            .cloned()
            .collect();
        loaded.workspace.set_lenient(inputs.lenient);
        if let Some(profile) = bosh.profile {
            loaded.workspace.set_profile(profile.view());
        }
        loaded.workspace.set_types(types);
        loaded.workspace.set_releases(specs.files);
        loaded.workspace.set_catalogs(catalogs.files);
        loaded.workspace.set_files_as(Role::Operations, operations);
        loaded.workspace.set_files_as(Role::Variables, variables);
        loaded.workspace.set_files(files.files);
    }
    loaded
}

/// The same without descriptors.
pub(crate) fn load_types(kinds: &Kinds, out: Option<&Path>) -> Loaded {
    let (types, mut problems) = read_types(&mut Stdin::default(), kinds);
    problems.extend(overwritten(out, &kinds.types));
    let mut loaded = Loaded { problems, ..Loaded::default() };
    if loaded.problems.is_empty() {
        loaded.texts = types.clone();
        loaded.workspace.set_types(types);
    }
    loaded
}

/// Specifications of services, with those that they import.
pub(crate) fn load_specifications(files: &[PathBuf], imports: &[PathBuf], protos: &[PathBuf]) -> Loaded {
    let mut stdin = Stdin::default();
    let mut read = read_all(&mut stdin, files);
    let mut imported = read_all(&mut stdin, imports);
    read.problems.append(&mut imported.problems);
    let mut messages = read_all(&mut stdin, protos);
    read.problems.append(&mut messages.problems);
    let mut loaded = Loaded { problems: read.problems, stdin, ..Loaded::default() };
    if loaded.problems.is_empty() {
        loaded.texts = read.files.iter().chain(&imported.files).chain(&messages.files).cloned().collect();
        loaded.workspace.set(Imports(imported.files.iter().map(|it| it.name.clone()).collect()));
        loaded.workspace.set_files_as(Role::Specification, loaded.texts.clone());
    }
    loaded
}

/// Specifications of services, and fixtures of their resources.
pub(crate) fn load_fixtures(inputs: &ServiceInputs, files: &[PathBuf]) -> Loaded {
    let mut loaded = load_specifications(&inputs.services, &inputs.imports, &inputs.protos);
    let mut read = read_all(&mut loaded.stdin, files);
    loaded.problems.append(&mut read.problems);
    if files.is_empty() {
        let help = "name the files with the resources, before or after the options";
        loaded.problems.push(problem(codes::NO_FILES, None, "no file of fixtures is given", help));
    }
    loaded.texts.extend(read.files.iter().cloned());
    loaded.workspace.set_files_as(Role::Fixtures, read.files);
    if loaded.problems.is_empty() {
        let found = loaded.workspace.diagnostics().diagnostics;
        loaded.problems = if has_errors(&found) { found } else { Vec::new() };
    }
    loaded
}

fn read_types(stdin: &mut Stdin, kinds: &Kinds) -> (Vec<File>, Vec<DiagnosticView>) {
    let mut types = Vec::new();
    let mut problems = Vec::new();
    for path in &kinds.types {
        match read_text(stdin, path) {
            Ok(text) => types.push(File { name: name(path), text, package: None }),
            Err(problem) => problems.push(*problem),
        }
    }
    (types, problems)
}

impl Default for Loaded {
    fn default() -> Self {
        let (texts, problems) = (Vec::new(), Vec::new());
        Self {
            workspace: capabilities::workspace(),
            texts,
            problems,
            stdin: Stdin::default(),
            adapters: Vec::new(),
        }
    }
}

impl Loaded {
    /// Adds the definitions of the kinds that adapters define.
    pub(crate) fn add_types_of(&mut self, adapters: &[String]) {
        if adapters.is_empty() {
            return;
        }
        match run::run(adapters::described(adapters)) {
            Ok((types, described)) => {
                self.add_types(types);
                self.adapters = described;
            }
            Err(problem) => self.problems.push(*problem),
        }
    }

    /// The problems that adapters whose kinds were added report about a plan.
    pub(crate) fn not_accepted(&mut self, options: &PlanOptions, plan: &PlanView) -> Vec<DiagnosticView> {
        if self.adapters.is_empty() {
            return Vec::new();
        }
        let deployment = self.workspace.deployment(options);
        self.adapters
            .iter()
            .filter_map(|it| it.not_accepted(&deployment, plan))
            .map(|it| diagnostic(&it))
            .collect()
    }

    /// Adds kinds that adapters define to those of definition files, which win.
    pub(crate) fn add_types(&mut self, types: Vec<File>) {
        if types.is_empty() {
            return;
        }
        self.texts.extend(types.iter().cloned());
        self.workspace.add_types(types);
    }
}
