//! The engine's side of the conversation, without a worker: takes requests in, does one step of work at a time, and
//! answers for the newest revision only.

use std::collections::BTreeSet;

use capabilities::{Cursor, DocumentsPart, EditingPart, Part, Parts, VersionsPart};
use diag::order;
use workspace::{
    File, PlanOptions, Snapshot, Workspace,
    view::{
        Action, ActionView, CheckView, FileView, LayoutView, LinkMapView, LinkProfile, LinksView,
        LocationView, MergeView, OverrideView, PlanView, ResolutionView, Severity,
    },
};

use crate::{
    base64,
    message::{Answer, Counts, Encoded, Mark, Marks, Question, Request, Response, Want},
    text,
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
    files: Snapshot,
    /// Made when it is first needed.
    workspace: Option<Workspace>,
}

/// What the page was last sent. What would say the same again is not sent.
#[derive(Debug, Default)]
struct Sent {
    plan: Option<PlanView>,
    layout: Option<LayoutView>,
    merge: Option<Encoded<MergeView>>,
    links: Option<Encoded<(LinksView, LinkMapView)>>,
    resolution: Option<Encoded<ResolutionView>>,
    marks: Option<(Counts, Marks)>,
}

/// A workspace and what is still to be said about it.
#[derive(Debug)]
pub struct Session {
    workspace: Workspace,
    options: PlanOptions,
    /// Links follow the rules of BOSH's director.
    bosh: bool,
    want: Want,
    revision: u64,
    step: Step,
    good: Option<Good>,
    /// A file cannot be read: the views are those of `good`.
    model_stale: bool,
    /// The page shows a plan that could be trusted, and now there is an error.
    plan_stale: bool,
    planned: bool,
    sent: Sent,
    parts: Parts,
    /// Parts that are needed and were not loaded.
    needed: BTreeSet<Part>,
    /// Those that are being loaded.
    loading: BTreeSet<Part>,
    /// Those that could not be loaded, since something changed last.
    failed: BTreeSet<Part>,
    /// Questions that wait for a part.
    waiting: Vec<(Part, u32, Question)>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            workspace: Workspace::with(capabilities::ALL),
            options: PlanOptions::default(),
            bosh: false,
            want: Want::default(),
            revision: 0,
            step: Step::Idle,
            good: None,
            model_stale: false,
            plan_stale: false,
            planned: false,
            sent: Sent::default(),
            parts: Parts::default(),
            needed: BTreeSet::new(),
            loading: BTreeSet::new(),
            failed: BTreeSet::new(),
            waiting: Vec::new(),
        }
    }
}

impl Session {
    /// A session that has these parts of the engine from the beginning.
    pub fn with(parts: Parts) -> Self {
        Self { parts, ..Self::default() }
    }

    /// The parts that have to be loaded now; each is given once, until it is loaded or has failed.
    pub fn take_needed(&mut self) -> Vec<Part> {
        let needed = std::mem::take(&mut self.needed);
        self.loading.extend(&needed);
        needed.into_iter().collect()
    }

    /// Takes in a part that was loaded; gives the answers to questions that waited for it.
    pub fn add(&mut self, part: Part, loaded: Parts) -> Vec<Response> {
        self.parts = self.parts.and(loaded);
        self.loading.remove(&part);
        if self.revision > 0 {
            self.restart(self.revision);
        }
        let waiting = self.take_waiting(part);
        waiting.into_iter().filter_map(|(id, question)| self.ask(id, question)).collect()
    }

    /// Takes note that a part could not be loaded.
    pub fn fail(&mut self, part: Part) -> Vec<Response> {
        self.loading.remove(&part);
        self.failed.insert(part);
        if self.revision > 0 {
            self.restart(self.revision);
        }
        let name = || part.name().to_owned();
        let waiting = self.take_waiting(part).into_iter();
        let answers = waiting.map(|(id, _)| Response::Answer { id, answer: Answer::NotLoaded(name()) });
        answers.chain([Response::NotLoaded { part: name() }]).collect()
    }

    fn take_waiting(&mut self, part: Part) -> Vec<(u32, Question)> {
        let (now, later) = std::mem::take(&mut self.waiting).into_iter().partition(|it| it.0 == part);
        self.waiting = later;
        let now: Vec<(Part, u32, Question)> = now;
        now.into_iter().map(|(_, id, question)| (id, question)).collect()
    }

    /// Asks for a part, unless that has failed since something changed.
    fn need(&mut self, part: Part) {
        if !self.loading.contains(&part) && !self.failed.contains(&part) {
            self.needed.insert(part);
        }
    }

    /// Loads what the files need. Whether something is still to come.
    fn complete(&mut self) -> bool {
        let missing = self.parts.complete(&mut self.workspace);
        missing.iter().for_each(|it| self.need(*it));
        missing.iter().any(|it| !self.failed.contains(it))
    }

    /// Takes a request in; questions are answered at once, unless they have to wait for a part.
    pub fn receive(&mut self, request: Request) -> Option<Response> {
        match request {
            Request::Files { revision, files } => {
                self.workspace.set_files(files);
                self.sent = Sent::default();
                self.restart(revision);
            }
            Request::Edit { revision, file, splice } => {
                let text = splice.apply(self.workspace.text(&file).map_or("", |text| text));
                self.workspace.set_file(&file, &text);
                self.restart(revision);
            }
            Request::Options { revision, options, bosh } => {
                self.options = options;
                self.follow(bosh);
                self.restart(revision);
            }
            Request::Want(want) => {
                self.want = want;
                // Problems and plan that are still to come lead to the view.
                let is_past_plan = matches!(self.step, Step::View | Step::Mark | Step::Idle);
                if is_past_plan && self.revision > 0 {
                    self.step = if want.changes { Step::Plan } else { Step::View };
                }
            }
            Request::Ask { id, question } => {
                return self.ask(id, question);
            }
        }
        None
    }

    fn ask(&mut self, id: u32, question: Question) -> Option<Response> {
        let answer = match needs(&question).filter(|it| !self.parts.has(*it)) {
            None => self.answer(question),
            Some(part) => {
                // Who asks again wants it to be tried again.
                self.failed.remove(&part);
                self.need(part);
                self.waiting.push((part, id, question));
                return None;
            }
        };
        Some(Response::Answer { id, answer })
    }

    /// Takes a set of rules for links.
    fn follow(&mut self, bosh: bool) {
        self.bosh = bosh;
        let known = self.good.iter_mut().filter_map(|good| good.workspace.as_mut());
        for workspace in known.chain([&mut self.workspace]) {
            workspace.set_profile(profile(bosh));
        }
    }

    /// Whether something is still to be said.
    pub fn is_busy(&self) -> bool {
        self.step != Step::Idle
    }

    /// Whether what comes next are problems, which never wait.
    pub fn is_urgent(&self) -> bool {
        self.step == Step::Check
    }

    /// Does one step of work. What is wrong is not said before everything is there to say it.
    pub fn step(&mut self) -> Option<Response> {
        let step = self.step;
        if step == Step::Check && self.complete() {
            self.step = Step::Idle;
            return None;
        }
        self.step = match step {
            Step::Check => Step::Plan,
            Step::Plan => Step::View,
            Step::View => Step::Mark,
            Step::Mark | Step::Idle => Step::Idle,
        };
        match step {
            Step::Check => Some(self.check()),
            Step::Plan => {
                // Nobody waits any more: what earlier answers were made of takes as long to drop as a file to read.
                self.workspace.release();
                self.plan()
            }
            Step::View => self.view(),
            Step::Mark => self.mark(),
            Step::Idle => None,
        }
    }

    fn restart(&mut self, revision: u64) {
        if revision != self.revision {
            self.failed.clear();
        }
        self.revision = revision;
        self.step = Step::Check;
    }

    fn check(&mut self) -> Response {
        if self.is_blank() {
            return self.check_nothing();
        }
        let check = self.workspace.diagnostics();
        let broken = does_not_parse(&check);
        self.model_stale = broken && self.good.is_some();
        let blocking = self.workspace.blocking_errors();
        self.plan_stale = self.planned && blocking > 0;
        if !broken {
            self.good = Some(Good { files: self.workspace.snapshot(), workspace: None });
        }
        let files = self.workspace.files();
        let Self { revision, model_stale, plan_stale, .. } = *self;
        Response::Checked { revision, check, files, blocking, model_stale, plan_stale }
    }

    /// Nothing is written yet, and a blank start is no mistake: what is missing is not said.
    fn check_nothing(&mut self) -> Response {
        (self.good, self.sent) = (None, Sent::default());
        (self.planned, self.model_stale, self.plan_stale) = (false, false, false);
        let check = CheckView { diagnostics: Vec::new(), ..self.workspace.diagnostics() };
        Response::Checked {
            revision: self.revision,
            check,
            files: self.workspace.files(),
            blocking: 0,
            model_stale: false,
            plan_stale: false,
        }
    }

    fn is_blank(&self) -> bool {
        self.workspace.all_texts(text::is_blank)
    }

    fn plan(&mut self) -> Option<Response> {
        if self.plan_stale || self.is_blank() {
            return None;
        }
        let mut plan = self.workspace.plan(&self.options);
        self.planned = !plan.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        if !self.want.changes {
            plan.actions.iter_mut().for_each(leave_values_out);
        }
        let plan = news(&mut self.sent.plan, plan)?;
        Some(Response::Planned { revision: self.revision, plan })
    }

    fn view(&mut self) -> Option<Response> {
        let revision = self.revision;
        match self.want {
            Want { layout: true, .. } => {
                let layout = self.readable().layout();
                Some(Response::Laid { revision, layout: news(&mut self.sent.layout, layout)? })
            }
            Want { merge: true, .. } => {
                let merge = Encoded::new(self.readable().merged(true).to_json());
                Some(Response::Merged { revision, merge: news(&mut self.sent.merge, merge)? })
            }
            Want { links: true, .. } => {
                let Some(part) = self.parts.linking else {
                    self.need(Part::Linking);
                    return None;
                };
                let links = Encoded::new(part.links_with_map(self.readable()));
                Some(Response::Linked { revision, links: news(&mut self.sent.links, links)? })
            }
            Want { versions: true, .. } => {
                let Some(part) = self.parts.versions else {
                    self.need(Part::Versions);
                    return None;
                };
                let resolution = Encoded::new(part.resolution_if(self.readable(), &[]));
                Some(Response::Resolved {
                    revision,
                    resolution: news(&mut self.sent.resolution, resolution)?,
                })
            }
            Want { .. } => None,
        }
    }

    fn mark(&mut self) -> Option<Response> {
        let parts = self.parts;
        let workspace = self.readable();
        let overrides = workspace.overrides();
        let (links, links_failed) = workspace.count_links();
        let (versions, versions_failed) = match parts.versions {
            Some(part) => part.count_versions(workspace),
            None => workspace.count_packages(),
        };
        let counts = Counts {
            name: name(workspace),
            resources: workspace.count_nodes(),
            overrides: overrides.len(),
            links,
            links_failed,
            versions,
            versions_failed,
        };
        let (counts, marks) = news(&mut self.sent.marks, (counts, marks(&overrides)))?;
        Some(Response::Marked { revision: self.revision, counts, marks })
    }

    /// The newest workspace that can be read.
    fn readable(&mut self) -> &mut Workspace {
        let (profile, parts) = (profile(self.bosh), self.parts);
        match &mut self.good {
            Some(good) if self.model_stale => {
                let workspace = good.workspace.get_or_insert_with(|| {
                    let mut workspace = Workspace::with(capabilities::ALL);
                    workspace.set_profile(profile);
                    workspace.restore(&good.files);
                    workspace
                });
                parts.complete(workspace);
                workspace
            }
            _ => &mut self.workspace,
        }
    }

    /// The answer to a question whose part is loaded.
    fn answer(&mut self, question: Question) -> Answer {
        let parts = self.parts;
        let by_part = match (needs(&question), parts) {
            (Some(Part::Versions), Parts { versions: Some(part), .. }) => {
                self.answer_of_versions(part, &question)
            }
            (Some(Part::Documents), Parts { documents: Some(part), .. }) => {
                self.answer_of_documents(part, &question)
            }
            (Some(Part::Editing), Parts { editing: Some(part), .. }) => {
                self.answer_of_editing(part, &question)
            }
            _ => None,
        };
        by_part.unwrap_or_else(|| self.answer_of_core(question))
    }

    fn answer_of_versions(&mut self, part: &dyn VersionsPart, question: &Question) -> Option<Answer> {
        let workspace = self.readable();
        Some(match question {
            Question::ResolveIf { ranges } => {
                let ranges: Vec<(&str, &str)> =
                    ranges.iter().map(|(who, range)| (&**who, &**range)).collect();
                Answer::Resolution(Encoded::new(part.resolution_if(workspace, &ranges)))
            }
            Question::WouldMove { id } => Answer::Move(Encoded::new(part.what_would_move(workspace, id))),
            Question::Upgrades { package } => {
                Answer::Upgrades(Encoded::new(part.upgrades(workspace, package)))
            }
            Question::Lock => Answer::Text(part.lock_text(workspace)),
            _ => return None,
        })
    }

    fn answer_of_documents(&mut self, part: &dyn DocumentsPart, question: &Question) -> Option<Answer> {
        let workspace = &mut self.workspace;
        Some(match question {
            Question::ReadPackage { name, bytes } => Answer::Files(read_package(part, name, bytes)),
            Question::WritePackage => Answer::Package(base64::encode(&part.write_package(workspace))),
            Question::MergedText => Answer::Text(Some(part.merged_yaml(workspace))),
            Question::GraphText { format } => Answer::Text(Some(part.graph_text(workspace, *format))),
            _ => return None,
        })
    }

    fn answer_of_editing(&mut self, part: &dyn EditingPart, question: &Question) -> Option<Answer> {
        let Self { workspace, options, .. } = self;
        Some(match question {
            Question::Hover { file, line, column } => {
                Answer::Json(part.hover(workspace, Cursor { file, line: *line, column: *column }, options))
            }
            Question::Complete { file, line, column } => {
                Answer::Json(part.complete(workspace, Cursor { file, line: *line, column: *column }))
            }
            Question::Define { file, line, column } => {
                Answer::Json(part.definition(workspace, Cursor { file, line: *line, column: *column }))
            }
            Question::SetValue { file, pointer, yaml } => {
                let edits = part.set_value(workspace, file, pointer, yaml);
                Answer::Edits(Encoded::new(edits).read().flatten())
            }
            _ => return None,
        })
    }

    fn answer_of_core(&mut self, question: Question) -> Answer {
        let Self { workspace, parts, .. } = self;
        match question {
            Question::Recognise { files } => Answer::Recognised(recognise(files)),
            Question::FilesToShare => Answer::Files(Ok(workspace.files_without_secrets())),
            Question::Picture { files } => {
                let mut other = Workspace::with(capabilities::ALL);
                other.set_files(files);
                parts.complete(&mut other);
                Answer::Picture(other.layout())
            }
            // Those of parts, which are loaded before this is asked.
            other => Answer::NotLoaded(needs(&other).map(Part::name).unwrap_or_default().into()),
        }
    }
}

/// The part that answers a question; `None` for the core.
const fn needs(question: &Question) -> Option<Part> {
    match question {
        Question::ResolveIf { .. }
        | Question::WouldMove { .. }
        | Question::Upgrades { .. }
        | Question::Lock => Some(Part::Versions),
        Question::ReadPackage { .. }
        | Question::WritePackage
        | Question::MergedText
        | Question::GraphText { .. } => Some(Part::Documents),
        Question::Hover { .. }
        | Question::Complete { .. }
        | Question::Define { .. }
        | Question::SetValue { .. } => Some(Part::Editing),
        Question::Recognise { .. } | Question::FilesToShare | Question::Picture { .. } => None,
    }
}

const fn profile(bosh: bool) -> LinkProfile {
    if bosh { LinkProfile::Bosh } else { LinkProfile::Strict }
}

/// What the deployment is called; a name that is made of other values is not known here.
fn name(workspace: &mut Workspace) -> String {
    let name = workspace.written_name().filter(|name| !name.contains("${"));
    name.unwrap_or_default().to_owned()
}

/// What is new, remembered as sent; `None` when it is what was sent before.
fn news<T: Clone + PartialEq>(sent: &mut Option<T>, now: T) -> Option<T> {
    if sent.as_ref() == Some(&now) {
        return None;
    }
    *sent = Some(now.clone());
    Some(now)
}

/// What files are, whatever else is open.
fn recognise(files: Vec<File>) -> Vec<FileView> {
    let mut workspace = Workspace::with(capabilities::ALL);
    workspace.set_files(files);
    workspace.files()
}

fn read_package(part: &dyn DocumentsPart, name: &str, bytes: &str) -> Result<Vec<File>, String> {
    let bytes = base64::decode(bytes).ok_or_else(|| format!("{name} was damaged while loading."))?;
    let files = part.read_package(name, &bytes)?;
    Ok(Encoded::new(files).read().unwrap_or_default())
}

/// Whether a file's text has no certain meaning, so that values may be missing that are only half written.
fn does_not_parse(check: &CheckView) -> bool {
    let mut diagnostics = check.diagnostics.iter();
    diagnostics
        .any(|diagnostic| diagnostic.severity == Severity::Error && diagnostic.code.starts_with("syntax/"))
}

fn marks(overrides: &[OverrideView]) -> Marks {
    let mut marks = Marks::new();
    let mut mark = |at: &LocationView, wins: bool, other: &LocationView| {
        let mark = Mark { line: at.line, wins, other: other.file.clone() };
        marks.entry(at.file.clone()).or_default().push(mark);
    };
    for OverrideView { location, shadowed } in overrides {
        for shadowed in shadowed {
            mark(shadowed, false, location);
        }
        if let Some(last) = shadowed.first() {
            mark(location, true, last);
        }
    }
    for lines in marks.values_mut() {
        order::by(lines, Ord::cmp);
        lines.dedup();
    }
    marks
}

/// What is changed is told in brief; for what is new, everything is.
fn leave_values_out(action: &mut ActionView) {
    match action.action {
        Action::Create => action.changes = Vec::new(),
        Action::Update | Action::Rebuild | Action::Destroy | Action::NoOp | Action::Forget => {}
    }
    for change in &mut action.changes {
        for value in [&mut change.desired, &mut change.persisted, &mut change.observed] {
            value.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workspace::Work;

    use crate::{examples::EXAMPLES, splice::Splice};

    const GOOD: &str = "payloads:\n  p: {runtime: vm}\nservices:\n  web: {payload: p}\n";
    const BROKEN: &str = "services: [1\n";

    fn file(name: &str, text: &str) -> File {
        File { name: name.into(), text: text.into(), package: None }
    }

    fn session(files: &[(&str, &str)]) -> Session {
        let mut session = Session::with(Parts::all());
        session.receive(Request::Want(Want { layout: true, ..Want::default() }));
        let files = files.iter().map(|(name, text)| file(name, text)).collect();
        session.receive(Request::Files { revision: 1, files });
        session
    }

    fn finish(session: &mut Session) -> Vec<Response> {
        let mut responses = Vec::new();
        while session.is_busy() {
            responses.extend(session.step());
        }
        responses
    }

    /// What one edit costs while a view is on screen.
    fn work_of_an_edit(files: Vec<File>, want: Want) -> Work {
        let mut session = Session::with(Parts::all());
        let name = files[0].name.clone();
        session.receive(Request::Want(want));
        session.receive(Request::Files { revision: 1, files });
        finish(&mut session);
        let before = session.workspace.work();
        let splice = Splice { from: 0, to: 0, text: "# edited\n".into() };
        session.receive(Request::Edit { revision: 2, file: name.clone(), splice });
        finish(&mut session);
        session.receive(Request::Ask { id: 1, question: Question::Hover { file: name, line: 2, column: 1 } });
        let after = session.workspace.work();
        Work {
            parsed: after.parsed - before.parsed,
            modelled: after.modelled - before.modelled,
            solved: after.solved - before.solved,
            planned: after.planned - before.planned,
            converted: after.converted - before.converted,
        }
    }

    #[test]
    fn an_edit_is_processed_and_sent_once() {
        let none = Want::default();
        let wants = [
            Want { layout: true, ..none },
            Want { merge: true, ..none },
            Want { links: true, ..none },
            Want { versions: true, ..none },
            Want { changes: true, ..none },
        ];
        for example in EXAMPLES {
            for want in wants {
                let work = work_of_an_edit(example.files(), want);
                let solved = work.solved;
                let once = Work { parsed: 1, modelled: 1, solved, planned: 1, converted: 1 };
                assert_eq!(work, once, "{} with {want:?}", example.title);
                assert!(solved <= 1, "{} is solved {solved} times", example.title);
            }
        }
    }

    fn text(revision: u64, text: &str) -> Request {
        Request::Edit {
            revision,
            file: "a".into(),
            splice: Splice { from: 0, to: usize::MAX, text: text.into() },
        }
    }

    fn profiles(responses: &[Response]) -> Vec<LinkProfile> {
        let linked = responses.iter().filter_map(|response| match response {
            Response::Linked { links, .. } => links.read().map(|(links, _)| links.profile),
            _ => None,
        });
        linked.collect()
    }

    fn nodes(responses: &[Response]) -> Option<usize> {
        responses.iter().find_map(|response| match response {
            Response::Laid { layout, .. } => Some(layout.graph.nodes.len()),
            _ => None,
        })
    }

    fn revision(response: &Response) -> Option<u64> {
        match response {
            Response::Checked { revision, .. }
            | Response::Planned { revision, .. }
            | Response::Laid { revision, .. }
            | Response::Merged { revision, .. }
            | Response::Linked { revision, .. }
            | Response::Resolved { revision, .. }
            | Response::Marked { revision, .. } => Some(*revision),
            Response::NotLoaded { .. } | Response::Answer { .. } | Response::Stopped { .. } => None,
        }
    }

    /// A session without parts whose files need one of them.
    fn without_parts() -> Session {
        let example = crate::examples::versions().and_then(|at| EXAMPLES.get(at)).expect("the example");
        let mut session = Session::default();
        session.receive(Request::Files { revision: 1, files: example.files() });
        session
    }

    #[test]
    fn no_views_are_sent_before_the_capabilities_are_loaded() {
        let mut session = without_parts();
        assert_eq!(finish(&mut session), []);
        assert_eq!(session.take_needed(), [Part::Versions]);
        assert_eq!(session.take_needed(), [], "it is being loaded");
        session.add(Part::Versions, Parts { versions: Some(capabilities::versions()), ..Parts::default() });
        let responses = finish(&mut session);
        let Some(Response::Checked { check, .. }) = responses.first() else { panic!("{responses:?}") };
        assert_eq!(check.diagnostics, []);
    }

    #[test]
    fn a_failed_capability_is_reported_and_retried_after_a_change() {
        let mut session = without_parts();
        session.step();
        assert_eq!(session.take_needed(), [Part::Versions]);
        assert_eq!(session.fail(Part::Versions), [Response::NotLoaded { part: "versions".into() }]);
        let Some(Response::Checked { check, .. }) = session.step() else { panic!("not checked") };
        assert_eq!(check.diagnostics[0].code, "capability/not-loaded");
        assert_eq!(session.take_needed(), []);
        session.receive(Request::Edit {
            revision: 2,
            file: "more.yaml".into(),
            splice: Splice { from: 0, to: usize::MAX, text: String::new() },
        });
        session.step();
        assert_eq!(session.take_needed(), [Part::Versions]);
    }

    #[test]
    fn the_capability_of_a_shown_view_is_loaded() {
        let mut session = Session::default();
        session.receive(Request::Files { revision: 1, files: vec![file("a", GOOD)] });
        session.receive(Request::Want(Want { versions: true, ..Want::default() }));
        finish(&mut session);
        assert_eq!(session.take_needed(), [Part::Versions]);
        session.add(Part::Versions, Parts { versions: Some(capabilities::versions()), ..Parts::default() });
        let resolution = finish(&mut session).into_iter().find_map(|it| match it {
            Response::Resolved { resolution, .. } => resolution.read(),
            _ => None,
        });
        assert_eq!(resolution.map(|it| it.outcome), Some(workspace::view::Outcome::Empty));
    }

    #[test]
    fn questions_wait_for_their_part() {
        let mut session = Session::default();
        let ask =
            |session: &mut Session| session.receive(Request::Ask { id: 7, question: Question::WritePackage });
        assert_eq!(ask(&mut session), None);
        assert_eq!(session.take_needed(), [Part::Documents]);
        let failed = session.fail(Part::Documents);
        let not_loaded = Answer::NotLoaded("documents".into());
        assert_eq!(failed.first(), Some(&Response::Answer { id: 7, answer: not_loaded }));
        assert_eq!(ask(&mut session), None);
        assert_eq!(session.take_needed(), [Part::Documents], "who asks again wants it to be tried again");
        let answers = session.add(Part::Documents, Parts::all());
        assert!(matches!(&answers[..], [Response::Answer { id: 7, answer: Answer::Package(_) }]));
    }

    #[test]
    fn requests_of_the_editor_need_the_editing_capability() {
        let mut session = Session::default();
        session.receive(Request::Files { revision: 1, files: vec![file("a", GOOD)] });
        let question = Question::Hover { file: "a".into(), line: 1, column: 1 };
        assert_eq!(session.receive(Request::Ask { id: 7, question }), None);
        assert_eq!(session.take_needed(), [Part::Editing]);
        let parts = Parts { editing: Some(capabilities::editing()), ..Parts::default() };
        let answers = session.add(Part::Editing, parts);
        let [Response::Answer { id: 7, answer: Answer::Json(card) }] = &answers[..] else {
            panic!("{answers:?}")
        };
        assert!(card.contains("\"pointer\""), "{card}");
    }

    #[test]
    fn problems_are_sent_first_and_only_requested_views() {
        let mut session = session(&[("a", GOOD)]);
        let responses = finish(&mut session);
        assert!(matches!(
            responses.as_slice(),
            [
                Response::Checked { .. },
                Response::Planned { .. },
                Response::Laid { .. },
                Response::Marked { .. },
            ]
        ));
    }

    #[test]
    fn unchanged_views_are_not_sent_again() {
        let mut session = session(&[("a", GOOD)]);
        finish(&mut session);
        session.receive(text(2, &format!("# a comment\n{}", GOOD.replace("vm", "vm # x"))));
        let kinds = finish(&mut session);
        assert!(kinds.iter().all(|response| !matches!(response, Response::Marked { .. })), "{kinds:?}");
    }

    #[test]
    fn links_follow_the_rules_that_are_chosen() {
        let mut session = session(&[("a", GOOD)]);
        let options = |revision, bosh| Request::Options { revision, options: PlanOptions::default(), bosh };
        session.receive(options(2, true));
        assert!(profiles(&finish(&mut session)).is_empty(), "nobody looks at them");
        session.receive(Request::Want(Want { links: true, ..Want::default() }));
        assert_eq!(profiles(&finish(&mut session)), [LinkProfile::Bosh]);
        session.receive(text(3, BROKEN));
        session.receive(options(4, false));
        assert_eq!(
            profiles(&finish(&mut session)),
            [LinkProfile::Strict],
            "also for the last that could be read"
        );
    }

    #[test]
    fn versions_are_sent_if_shown_and_answered_on_request() {
        let example = crate::examples::versions().and_then(|at| EXAMPLES.get(at)).expect("the example");
        let mut session = Session::with(Parts::all());
        session.receive(Request::Files { revision: 1, files: example.files() });
        let resolved = |responses: &[Response]| {
            responses.iter().filter(|it| matches!(it, Response::Resolved { .. })).count()
        };
        assert_eq!(resolved(&finish(&mut session)), 0, "nobody looks at them");
        session.receive(Request::Want(Want { versions: true, ..Want::default() }));
        assert_eq!(resolved(&finish(&mut session)), 1);
        let ranges = vec![("payloads.queue".to_owned(), "^2.0.0".to_owned())];
        let question = Question::ResolveIf { ranges };
        let answer = session.receive(Request::Ask { id: 1, question });
        let Some(Response::Answer { answer: Answer::Resolution(view), .. }) = answer else {
            panic!("{answer:?}")
        };
        let view = view.read().expect("a resolution");
        let versions: Vec<&str> = view.selection.iter().map(|it| it.version.as_str()).collect();
        assert_eq!(versions, ["2.2.0", "1.4.0", "25.3.0"]);
    }

    #[test]
    fn a_plan_carries_its_values_only_where_they_are_seen() {
        let mut session = session(&[("a", GOOD)]);
        let changes = |responses: &[Response]| {
            responses.iter().find_map(|response| match response {
                Response::Planned { plan, .. } => {
                    Some(plan.actions.iter().map(|it| it.changes.len()).sum::<usize>())
                }
                _ => None,
            })
        };
        assert_eq!(changes(&finish(&mut session)), Some(0));
        session.receive(Request::Want(Want { changes: true, ..Want::default() }));
        assert!(changes(&finish(&mut session)) > Some(0));
    }

    #[test]
    fn another_view_does_not_keep_a_plan_from_being_made() {
        let mut session = session(&[("a", GOOD)]);
        assert!(matches!(session.step(), Some(Response::Checked { .. })));
        session.receive(Request::Want(Want { merge: true, ..Want::default() }));
        let responses = finish(&mut session);
        assert!(responses.iter().any(|it| matches!(it, Response::Planned { .. })));
        assert!(responses.iter().any(|it| matches!(it, Response::Merged { .. })));
    }

    #[test]
    fn a_newer_edit_drops_what_is_left_of_an_older_one() {
        let mut session = session(&[("a", GOOD)]);
        let first = session.step();
        assert_eq!(first.as_ref().and_then(revision), Some(1));
        session.receive(text(2, GOOD));
        session.receive(text(3, GOOD));
        assert!(finish(&mut session).iter().all(|response| revision(response) == Some(3)));
    }

    #[test]
    fn broken_text_keeps_the_last_good_model() {
        let mut session = session(&[("a", GOOD)]);
        assert_eq!(nodes(&finish(&mut session)), Some(1));
        session.receive(text(2, BROKEN));
        let responses = finish(&mut session);
        assert!(matches!(
            responses.first(),
            Some(Response::Checked { model_stale: true, plan_stale: true, .. })
        ));
        assert_eq!(nodes(&responses), None, "the picture on screen is still the right one");
        assert!(!responses.iter().any(|response| matches!(response, Response::Planned { .. })));
        session.sent = Sent::default();
        session.receive(Request::Want(session.want));
        assert_eq!(nodes(&finish(&mut session)), Some(1), "asked anew, it is the last good model");
        session.receive(text(3, GOOD));
        let responses = finish(&mut session);
        assert!(matches!(
            responses.first(),
            Some(Response::Checked { model_stale: false, plan_stale: false, .. })
        ));
    }

    #[test]
    fn files_that_were_never_valid_are_shown_partially() {
        let mut session = session(&[("a", BROKEN)]);
        let responses = finish(&mut session);
        assert!(matches!(responses.first(), Some(Response::Checked { model_stale: false, .. })));
        assert!(nodes(&responses).is_some());
    }

    #[test]
    fn both_places_of_an_override_are_marked() {
        let mut session = session(&[("a", "meta: {name: one}\n"), ("b", "meta: {name: two}\n")]);
        let responses = finish(&mut session);
        let Some(Response::Marked { marks, counts, .. }) = responses.last() else { panic!("no marks") };
        let mark = |wins, other: &str| Mark { line: 1, wins, other: other.into() };
        assert_eq!(marks.get("a"), Some(&vec![mark(false, "b")]));
        assert_eq!(marks.get("b"), Some(&vec![mark(true, "a")]));
        assert_eq!(counts.overrides, 1);
    }

    #[test]
    fn a_blank_start_is_no_mistake() {
        for blank in [vec![], vec![("a", "")], vec![("a", "# later\n"), ("b", "---\n")]] {
            let mut session = session(&blank);
            let responses = finish(&mut session);
            let Some(Response::Checked { check, .. }) = responses.first() else { panic!("not checked") };
            assert_eq!(check.diagnostics, [], "{blank:?}");
            assert!(!responses.iter().any(|response| matches!(response, Response::Planned { .. })));
        }
    }

    #[test]
    fn views_of_restored_text_are_sent_again() {
        let mut session = session(&[("a", GOOD)]);
        finish(&mut session);
        session.receive(text(2, ""));
        finish(&mut session);
        session.receive(text(3, GOOD));
        let responses = finish(&mut session);
        assert!(responses.iter().any(|response| matches!(response, Response::Planned { .. })));
        assert!(nodes(&responses).is_some());
    }

    #[test]
    fn the_name_is_that_of_the_files_even_when_nothing_can_be_planned() {
        let named = |text: &str| {
            let mut session = session(&[("a", text)]);
            let responses = finish(&mut session);
            let Some(Response::Marked { counts, .. }) = responses.last() else { panic!("no counts") };
            counts.name.clone()
        };
        assert_eq!(named("meta: {name: shop}\nservices: {web: {payload: none}}\n"), "shop");
        assert_eq!(named("services: {web: {payload: none}}\n"), "");
    }

    #[test]
    fn a_catalog_prevents_a_plan_only_of_what_needs_it() {
        let example = crate::examples::versions().and_then(|at| EXAMPLES.get(at)).expect("the example");
        let mut files = example.files();
        let other = "schema: olm.package\nname: other\ndefaultChannel: gone\n";
        files.push(file("others.yaml", other));
        let mut session = Session::with(Parts::all());
        session.receive(Request::Files { revision: 1, files: files.clone() });
        let responses = finish(&mut session);
        let Some(Response::Checked { check, blocking, .. }) = responses.first() else {
            panic!("not checked")
        };
        let errors = check.diagnostics.iter().filter(|it| it.severity == Severity::Error).count();
        assert!(errors > 0, "{check:?}");
        assert_eq!(*blocking, 0);
        let plan = responses.iter().find_map(|it| match it {
            Response::Planned { plan, .. } => Some(plan.actions.len()),
            _ => None,
        });
        assert!(plan > Some(0));
        let app = "payloads: {p: {runtime: vm, package: {name: other}}}\nservices: {s: {payload: p}}\n";
        files.push(file("asks.yaml", app));
        session.receive(Request::Files { revision: 2, files });
        let Some(Response::Checked { blocking, .. }) = session.step() else { panic!("not checked") };
        assert!(blocking > 0, "what asks for it cannot be planned");
    }

    #[test]
    fn a_package_that_is_none_is_refused_with_a_sentence() {
        let mut session = Session::with(Parts::all());
        let question = Question::ReadPackage { name: "x.zip".into(), bytes: base64::encode(b"PK?") };
        let answer = session.receive(Request::Ask { id: 1, question });
        let Some(Response::Answer { answer: Answer::Files(Err(why)), .. }) = answer else {
            panic!("{answer:?}")
        };
        assert!(!why.is_empty());
    }

    #[test]
    fn examples_have_no_problems() {
        for example in EXAMPLES {
            let mut session = Session::with(Parts::all());
            session.receive(Request::Files { revision: 1, files: example.files() });
            let Some(Response::Checked { check, .. }) = session.step() else { panic!("not checked") };
            assert_eq!(check.diagnostics, [], "{}", example.title);
        }
    }

    #[test]
    fn messages_survive_their_codec() {
        let mut session = session(&[("a", GOOD)]);
        session.receive(Request::Want(Want { merge: true, ..Want::default() }));
        let responses = finish(&mut session);
        assert!(responses.iter().any(|response| matches!(response, Response::Merged { .. })));
        for response in responses {
            let text = serde_json::to_string(&response).unwrap();
            assert_eq!(serde_json::from_str::<Response>(&text).unwrap(), response);
        }
    }
}
