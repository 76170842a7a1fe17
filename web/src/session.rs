//! The engine's side of the conversation, without a worker: takes requests in, does one step of work at a time, and
//! answers for the newest revision only.

use workspace::{
    File, PlanOptions, Workspace,
    view::{CheckView, LocationView, MergeView, OriginView},
};

use crate::{
    base64,
    message::{Answer, Counts, Mark, Marks, Question, Request, Response, Want},
};

/// What is worked on next. After each step newer requests are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Check,
    Plan,
    View,
    Mark,
    Idle,
}

/// The last texts that all could be read: graph and merged document are made from them while the newest cannot be.
#[derive(Debug)]
struct Good {
    files: Vec<File>,
    /// Made when it is first needed.
    workspace: Option<Workspace>,
}

/// A workspace and what is still to be said about it.
#[derive(Debug)]
pub struct Session {
    workspace: Workspace,
    options: PlanOptions,
    want: Want,
    revision: u64,
    step: Step,
    good: Option<Good>,
    /// A file cannot be read: the views are those of `good`.
    model_stale: bool,
    /// The page shows a plan that could be trusted, and now there is an error.
    plan_stale: bool,
    planned: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            workspace: Workspace::new(),
            options: PlanOptions::default(),
            want: Want::default(),
            revision: 0,
            step: Step::Idle,
            good: None,
            model_stale: false,
            plan_stale: false,
            planned: false,
        }
    }
}

impl Session {
    /// Takes a request in; questions are answered at once.
    pub fn receive(&mut self, request: Request) -> Option<Response> {
        match request {
            Request::Files { revision, files } => {
                self.workspace.set_files(files);
                self.restart(revision);
            }
            Request::Text { revision, file, text } => {
                self.workspace.set_file(&file, &text);
                self.restart(revision);
            }
            Request::Options { revision, options } => {
                self.options = options;
                self.restart(revision);
            }
            Request::Want(want) => {
                self.want = want;
                if self.step == Step::Idle && self.revision > 0 {
                    self.step = Step::View;
                }
            }
            Request::Ask { id, question } => {
                return Some(Response::Answer { id, answer: self.answer(question) });
            }
        }
        None
    }

    /// Whether something is still to be said.
    pub fn is_busy(&self) -> bool {
        self.step != Step::Idle
    }

    /// Does one step of work.
    pub fn step(&mut self) -> Option<Response> {
        let step = self.step;
        self.step = match step {
            Step::Check => Step::Plan,
            Step::Plan => Step::View,
            Step::View => Step::Mark,
            Step::Mark | Step::Idle => Step::Idle,
        };
        match step {
            Step::Check => Some(self.check()),
            Step::Plan => self.plan(),
            Step::View => self.view(),
            Step::Mark => Some(self.mark()),
            Step::Idle => None,
        }
    }

    fn restart(&mut self, revision: u64) {
        self.revision = revision;
        self.step = Step::Check;
    }

    fn check(&mut self) -> Response {
        let check = self.workspace.diagnostics();
        let files = self.workspace.files();
        if files.is_empty() {
            (self.good, self.planned) = (None, false);
        }
        let broken = does_not_parse(&check);
        self.model_stale = broken && self.good.is_some();
        self.plan_stale = self.planned && has_errors(&check);
        if !broken {
            self.good = Some(Good { files, workspace: None });
        }
        let Self { revision, model_stale, plan_stale, .. } = *self;
        Response::Checked { revision, check, model_stale, plan_stale }
    }

    fn plan(&mut self) -> Option<Response> {
        if self.plan_stale {
            return None;
        }
        let plan = self.workspace.plan(&self.options);
        self.planned = !plan.diagnostics.iter().any(|diagnostic| diagnostic.severity == "error");
        Some(Response::Planned { revision: self.revision, plan })
    }

    fn view(&mut self) -> Option<Response> {
        let revision = self.revision;
        match self.want {
            Want { layout: true, .. } => Some(Response::Laid { revision, layout: self.readable().layout() }),
            Want { merge: true, .. } => {
                Some(Response::Merged { revision, merge: self.readable().merged(true) })
            }
            Want { .. } => None,
        }
    }

    fn mark(&mut self) -> Response {
        let workspace = self.readable();
        let resources = workspace.graph().nodes.len();
        let merge = workspace.merged(true);
        let counts = Counts { resources, overrides: overrides(&merge).count() };
        Response::Marked { revision: self.revision, counts, marks: marks(&merge) }
    }

    /// The newest workspace that can be read.
    fn readable(&mut self) -> &mut Workspace {
        match &mut self.good {
            Some(good) if self.model_stale => good.workspace.get_or_insert_with(|| {
                let mut workspace = Workspace::new();
                workspace.set_files(std::mem::take(&mut good.files));
                workspace
            }),
            _ => &mut self.workspace,
        }
    }

    fn answer(&mut self, question: Question) -> Answer {
        let Self { workspace, options, .. } = self;
        match question {
            Question::Hover { file, line, column } => {
                Answer::Hover(workspace.hover(&file, line, column, options))
            }
            Question::Complete { file, line, column } => {
                Answer::Completions(workspace.complete(&file, line, column))
            }
            Question::Define { file, line, column } => {
                Answer::Definition(workspace.definition(&file, line, column))
            }
            Question::SetValue { file, pointer, yaml } => {
                Answer::Edits(workspace.set_value(&file, &pointer, &yaml))
            }
            Question::ReadPackage { name, bytes } => Answer::Files(read_package(&name, &bytes)),
            Question::WritePackage => Answer::Package(base64::encode(&workspace.write_package())),
            Question::MergedText => Answer::Text(Some(workspace.merged_yaml())),
            Question::GraphText { format } => Answer::Text(workspace.graph_text(&format)),
            Question::Picture { files } => {
                let mut other = Workspace::new();
                other.set_files(files);
                Answer::Picture(other.layout())
            }
        }
    }
}

fn read_package(name: &str, bytes: &str) -> Result<Vec<File>, String> {
    let bytes = base64::decode(bytes).ok_or_else(|| format!("{name} came damaged."))?;
    Workspace::read_package(name, &bytes)
}

fn has_errors(check: &CheckView) -> bool {
    check.diagnostics.iter().any(|diagnostic| diagnostic.severity == "error")
}

/// Whether a file's text has no certain meaning, so that values may be missing that are only half written.
fn does_not_parse(check: &CheckView) -> bool {
    let mut diagnostics = check.diagnostics.iter();
    diagnostics.any(|diagnostic| diagnostic.severity == "error" && diagnostic.code.starts_with("syntax/"))
}

/// The places where one file's value replaces another's.
fn overrides(merge: &MergeView) -> impl Iterator<Item = &OriginView> {
    let replaces = |origin: &&OriginView| matches!(&*origin.rule, "override" | "replace" | "reset");
    merge.origins.iter().flat_map(|origins| origins.values()).filter(replaces)
}

fn marks(merge: &MergeView) -> Marks {
    let mut marks = Marks::new();
    let mut mark = |at: &LocationView, wins: bool, other: &LocationView| {
        let mark = Mark { line: at.line, wins, other: other.file.clone() };
        marks.entry(at.file.clone()).or_default().push(mark);
    };
    for origin in overrides(merge) {
        for shadowed in &origin.shadowed {
            mark(&shadowed.location, false, &origin.location);
        }
        if let Some(last) = origin.shadowed.first() {
            mark(&origin.location, true, &last.location);
        }
    }
    for lines in marks.values_mut() {
        lines.sort();
        lines.dedup();
    }
    marks
}
