//! The plan, from options to view.

use std::{collections::BTreeMap, rc::Rc};

use diag::{Diagnostic, Diagnostics, FileId, Label, Source, Sources, Span, TextEdit};
use lower::UNNAMED;
use model::{Address, Desired, Observed, Origin, Phase, Pointer, Recorded};
use plan::{Change, KnockOn, Mode, Plan, PlanInput, PlannedAction, Reason};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use syntax::Node;
use types::Types;

use crate::{
    PlanOptions,
    answers::{Need, NeedKind},
    codes,
    json::shown_to_json,
    locate::{diagnostic_views, has_errors, location},
    moved::begin_moves,
    pipeline::Model,
    secrets, sentence,
    state::{place_in, read_observed, read_state},
    view::{
        Action, ActionView, ChangeOriginView, ChangeView, DiagnosticView, LocationView, PlanView, ReasonView,
        SummaryView, ViaView,
    },
    vocabulary,
};

/// The inputs of a plan and its result.
#[derive(Debug)]
pub(crate) struct Planned {
    recorded: Rc<Recorded>,
    observed: Rc<Observed>,
    pub(crate) plan: Plan,
    knock_on: KnockOn,
    mode: Mode,
    /// True if the files have errors that stand in its way.
    is_stopped: bool,
    /// Problems that are not in the files.
    diagnostics: Diagnostics,
    inputs: Inputs,
}

/// The recorded and the observed state as files of their own, behind the descriptors and the type definitions.
#[derive(Debug)]
struct Inputs {
    first: FileId,
    sources: [Option<Source>; 2],
}

impl Inputs {
    fn of(model: &Model, options: &PlanOptions) -> Self {
        let source = |text: &Option<String>, name: &Option<String>, otherwise: &str| {
            text.as_deref().map(|text| {
                // Some editors put a mark before a text that says nothing in UTF-8.
                let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                Source::new(name.as_deref().unwrap_or(otherwise), text)
            })
        };
        let state = source(&options.state, &options.state_file, "state.json");
        let observed = source(&options.observed, &options.observed_file, "observed.json");
        Self { first: FileId(model.sources.iter().count() as u32), sources: [state, observed] }
    }

    fn get(&self, place: u32) -> Option<(FileId, &Source)> {
        Some((FileId(self.first.0 + place), self.sources.get(place as usize)?.as_ref()?))
    }

    fn state(&self) -> Option<(FileId, &Source)> {
        self.get(0)
    }

    fn observed(&self) -> Option<(FileId, &Source)> {
        self.get(1)
    }

    /// All files that diagnostics point into.
    fn sources(&self, model: &Model) -> Sources {
        let own = self.sources.iter().map(|it| it.clone().unwrap_or_else(|| Source::new("", "")));
        model.sources.iter().map(|(_, it)| it.clone()).chain(own).collect()
    }
}

/// Plans. With an error anywhere the plan is empty: an unreadable file must not destroy existing resources.
pub(crate) fn make(model: &Model, types: &Types, options: &PlanOptions) -> Planned {
    let mode = if options.destroy { Mode::Destroy } else { Mode::Apply };
    let knock_on = vocabulary::knock_on_rule(options.knock_on.unwrap_or_default());
    let inputs = Inputs::of(model, options);
    let (mut recorded, mut diagnostics) =
        inputs.state().map(|(file, it)| read_state(types, file, it)).unwrap_or_default();
    let (observed, mut found) =
        inputs.observed().map(|(file, it)| read_observed(file, it)).unwrap_or_default();
    diagnostics.append(&mut found);
    let mut observed = Rc::new(observed);
    if mode == Mode::Apply {
        plan::follow_moves(&model.lowered.desired, &mut recorded, &mut observed);
    }
    // Of secrets only marks are recorded.
    state::unseal_all(&mut recorded, &model.lowered.desired);
    let recorded = Rc::new(recorded);
    PlanInputs { recorded, observed, knock_on, mode, diagnostics, inputs }.plan(model, types)
}

/// The inputs of a plan besides the descriptors.
struct PlanInputs {
    /// Secrets put back, where that was possible.
    recorded: Rc<Recorded>,
    observed: Rc<Observed>,
    knock_on: KnockOn,
    mode: Mode,
    diagnostics: Diagnostics,
    inputs: Inputs,
}

impl PlanInputs {
    fn plan(self, model: &Model, types: &Types) -> Planned {
        let Self { recorded, observed, knock_on, mode, mut diagnostics, inputs } = self;
        if mode == Mode::Apply {
            refuse_empty(&model.lowered.desired, &recorded, &mut diagnostics);
        }
        refuse_other(model, &recorded, &inputs, &mut diagnostics);
        diagnostics.extend(model.plan_diagnostics.iter().cloned());
        diagnostics.extend(model.needs.iter().map(unanswered));
        let plan = Plan::default();
        let is_stopped = mode == Mode::Apply && has_errors(&model.diagnostics);
        let mut planned =
            Planned { recorded, observed, plan, knock_on, mode, is_stopped, diagnostics, inputs };
        if !planned.is_refused() {
            let desired = &model.lowered.desired;
            let (recorded, observed) = (&*planned.recorded, &*planned.observed);
            planned.plan = plan::plan(&PlanInput { desired, recorded, observed, types, mode, knock_on });
            hide_secrets(model, types, &mut planned.plan);
            hide_records(types, &mut planned.plan);
            report_refused(model, &mut planned);
            hint_at_renames(model, &mut planned);
            warn_of_seconds(model, &mut planned);
        }
        planned
    }
}

/// Hides each value that equals or contains a secret of the descriptors.
fn hide_secrets(model: &Model, types: &Types, plan: &mut Plan) {
    if plan.actions.iter().all(|it| it.changes.is_empty()) {
        return;
    }
    let redactor = secrets::redactor(model, types);
    if redactor.is_empty() {
        return;
    }
    for change in plan.actions.iter_mut().flat_map(|it| &mut it.changes).filter(|it| !it.sensitive) {
        let values = [&mut change.desired, &mut change.persisted, &mut change.observed];
        for value in values.into_iter().flatten() {
            redactor.taint(value);
            change.sensitive |= value.sensitive;
        }
    }
}

/// Leaves out changes of records that a front end keeps in a resource, unless nothing else of it changes.
fn hide_records(types: &Types, plan: &mut Plan) {
    for action in &mut plan.actions {
        let Some(kind) = types.kind(&action.kind).filter(|it| !it.hidden_changes.is_empty()) else {
            continue;
        };
        let is_hidden = |it: &Change| kind.hidden_changes.iter().any(|hidden| it.path.is_within(hidden));
        if action.action == Action::Create || !action.changes.iter().all(is_hidden) {
            action.changes.retain(|it| !is_hidden(it));
        }
    }
}

/// Plans with states that were read already, secrets put back. Those of the options do not count.
#[cfg(feature = "engine")]
pub(crate) fn make_with(
    model: &Model,
    types: &Types,
    options: &PlanOptions,
    recorded: Rc<Recorded>,
    observed: Rc<Observed>,
) -> Planned {
    let mode = if options.destroy { Mode::Destroy } else { Mode::Apply };
    let knock_on = vocabulary::knock_on_rule(options.knock_on.unwrap_or_default());
    let inputs = Inputs::of(model, &PlanOptions::default());
    PlanInputs { recorded, observed, knock_on, mode, diagnostics: Diagnostics::new(), inputs }
        .plan(model, types)
}

impl Planned {
    /// True if the plan must not be carried out.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_stopped || has_errors(&self.diagnostics)
    }

    #[cfg(feature = "engine")]
    pub(crate) fn into_plan(self) -> Plan {
        self.plan
    }
}

/// Warns of observed resources that are not recorded: one may be the resource that is to be created.
fn warn_of_seconds(model: &Model, planned: &mut Planned) {
    let observed = planned.observed.clone();
    let is_there = |address: &Address| match observed.resources.get(address) {
        Some(Some(seen)) => seen.phase != Phase::Terminated,
        _ => false,
    };
    for action in
        planned.plan.actions.iter().filter(|it| it.action == Action::Create && is_there(&it.address))
    {
        if planned.recorded.resources.contains_key(&action.address) {
            continue;
        }
        let message = format!("`{}` exists already but is not recorded", action.address);
        let help = "it would be created a second time: record it in the state with `planloom apply --adopt`, or delete it first";
        let node = model.graph.find(&action.address).and_then(|it| model.graph.nodes.get(it));
        let found = Diagnostic::warning(codes::plan::EXISTS, node.map(|it| it.declared), message).help(help);
        planned.diagnostics.push(found);
    }
}

/// Reports protected resources. Their actions stay in the plan, so that the cause is visible, but the plan cannot be
/// applied.
fn report_refused(model: &Model, planned: &mut Planned) {
    for action in planned.plan.refused.iter().filter_map(|it| planned.plan.actions.get(*it)) {
        let message =
            format!("`{}` is protected and would be {}", action.address, action.action.words().past);
        let node = model.graph.find(&action.address).and_then(|it| model.graph.nodes.get(it));
        let help = "keep it, or set its `protected` to false in the state first";
        planned
            .diagnostics
            .push(Diagnostic::error(codes::plan::PROTECTED, node.map(|it| it.declared), message).help(help));
    }
}

/// Hints at pairs of a destroyed and a new resource that are probably one that was renamed. Where the name is part of what is
/// requested, as with resources of services, no resource can be renamed.
fn hint_at_renames(model: &Model, planned: &mut Planned) {
    let pairs = plan::likely_renames(&planned.plan, &model.lowered.desired, &planned.recorded);
    for (old, new) in pairs {
        let (Some(old), Some(new)) = (planned.plan.actions.get(old), planned.plan.actions.get(new)) else {
            continue;
        };
        if model.types.kind(&new.kind).is_some_and(|it| it.literal) {
            continue;
        }
        let (from, to) = (old.address.declaration(), new.address.declaration());
        let node = model.graph.find(&new.address).and_then(|it| model.graph.nodes.get(it));
        let message = format!("`{from}` is destroyed, and `{to}`, which is almost the same, is created");
        let help = format!(
            "if it was renamed, write `moved: [{{from: {from}, to: {to}}}]`, and nothing is destroyed"
        );
        let mut found =
            Diagnostic::hint(codes::plan::LOOKS_RENAMED, node.map(|it| it.declared), message).help(help);
        if let Some(edit) = node.and_then(|it| record_move(model, it.declared, &from, &to)) {
            found = found.fix(format!("Record that `{from}` was renamed to `{to}`"), vec![edit]);
        }
        planned.diagnostics.push(found);
    }
}

/// The edit that records a move in the file that declares the resource; `None` where that has such lines already, and for names
/// that have to be quoted.
fn record_move(model: &Model, declared: Span, from: &Address, to: &Address) -> Option<TextEdit> {
    let text = &model.sources.get(declared.file)?.text;
    let has_moves = text.lines().any(|line| line.starts_with("moved"));
    let is_plain =
        |it: &Address| it.name.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it));
    let edit = || begin_moves(declared.file, text, &format!("{{from: {from}, to: {to}}}"));
    if has_moves || !is_plain(from) || !is_plain(to) { None } else { edit() }
}

/// The error for a need without an answer: with the answer, the plan might be different.
fn unanswered(need: &Need) -> Diagnostic {
    let name = &need.name;
    let (message, help) = match need.kind {
        NeedKind::Text | NeedKind::Exists => {
            (format!("the file `{name}` is needed and was not given"), "add it to the files")
        }
        NeedKind::Variable => {
            (format!("the variable `{name}` is needed and has no value"), "give it a value")
        }
        NeedKind::Resources => (
            format!("the resources of `{name}` are needed and were not read from their service"),
            "give the address of the service with `--adapter`",
        ),
    };
    Diagnostic::error(codes::plan::UNANSWERED, need.asked_by, message).help(help)
}

/// Refuses an empty set of files: it is far more often a mistake than a request to destroy everything.
fn refuse_empty(desired: &Desired, recorded: &Recorded, diagnostics: &mut Diagnostics) {
    if desired.resources.is_empty() && !recorded.resources.is_empty() {
        let count = recorded.resources.len();
        let message = format!("no resource is described, and {count} recorded resources would be destroyed");
        let help = "to destroy everything, use `planloom destroy`; in the app, choose Destroy above the plan";
        diagnostics.push(Diagnostic::error(codes::plan::EMPTY, None, message).help(help));
    }
}

/// Against the state of another deployment, a plan would destroy all of it.
fn refuse_other(model: &Model, recorded: &Recorded, inputs: &Inputs, diagnostics: &mut Diagnostics) {
    let (Some(theirs), Some(ours)) = (&recorded.deployment, &model.lowered.desired.deployment) else {
        return;
    };
    if theirs == ours || **theirs == *UNNAMED || recorded.resources.is_empty() {
        return;
    }
    let message = format!("the state belongs to the deployment `{theirs}`, and the files describe `{ours}`");
    let help = format!(
        "give the state of `{ours}`; if the deployment was renamed, write `{ours}` into \
                        the state"
    );
    let place = inputs.state().map(|(file, source)| place_in(file, source, &["deployment"]));
    let mut found = Diagnostic::error(codes::plan::OTHER_DEPLOYMENT, place, message).help(help);
    let named = model.merged.at(&Pointer::root().key("meta").key("name"));
    found.related.extend(named.map(|it| Label { span: it.span, message: format!("`{ours}` is named here") }));
    diagnostics.push(found);
}

/// The plan as a view.
pub(crate) fn view(model: &Model, planned: &Planned, options: &PlanOptions) -> PlanView {
    let mut view = undigested(model, planned, &planned.observed.ended, options);
    view.digest = digest_of(model, planned, options, &view.to_json());
    view.diagnostics = diagnostics(model, planned);
    view
}

/// The view as JSON text. Text is made once, for the digest and for the answer.
pub(crate) fn json(model: &Model, planned: &Planned, options: &PlanOptions) -> String {
    let text = undigested(model, planned, &planned.observed.ended, options).to_json();
    let diagnostics = serde_json::to_string(&diagnostics(model, planned)).unwrap_or_default();
    PlanView::complete_json(&text, &digest_of(model, planned, options, &text), &diagnostics)
}

/// The digest of a plan whose view without digest and diagnostics is that text. The words in which adapters say
/// why something has ended do not count: they may change while the plan stays the same.
fn digest_of(model: &Model, planned: &Planned, options: &PlanOptions, text: &str) -> String {
    if planned.observed.ended.is_empty() {
        return digest(text);
    }
    digest(&undigested(model, planned, &BTreeMap::new(), options).to_json())
}

fn diagnostics(model: &Model, planned: &Planned) -> Vec<DiagnosticView> {
    let sources = planned.inputs.sources(model);
    match planned.mode {
        Mode::Apply => model.diagnostic_views_with(&sources, &planned.diagnostics),
        Mode::Destroy => diagnostic_views(&sources, &planned.diagnostics),
    }
}

/// The view without digest and diagnostics.
fn undigested(
    model: &Model,
    planned: &Planned,
    ended: &BTreeMap<Address, String>,
    options: &PlanOptions,
) -> PlanView {
    let viewer = Viewer { model, plan: &planned.plan, recorded: &planned.recorded, ended };
    let listed = |action: &&PlannedAction| options.list_unchanged || action.action != Action::NoOp;
    let actions: Vec<ActionView> =
        planned.plan.actions.iter().filter(listed).map(|it| viewer.action(it)).collect();
    PlanView {
        format: "planloom.plan/1".into(),
        mode: vocabulary::mode(planned.mode),
        deployment: name(model, planned).into(),
        serial: planned.recorded.serial,
        digest: String::new(),
        knock_on: vocabulary::knock_on(planned.knock_on),
        actions,
        summary: SummaryView::count(planned.plan.actions.iter().map(|it| it.action)),
        diagnostics: Vec::new(),
    }
}

/// The name of the deployment: the described one, else the recorded one; in destroy mode the other way round. A name that
/// contains a secret is not used, and neither is the recorded one then, because it may contain that secret.
fn name<'n>(model: &'n Model, planned: &'n Planned) -> &'n str {
    let described = model.lowered.desired.deployment.as_deref();
    let written = model.merged.at(&Pointer::root().key("meta").key("name"));
    let is_hidden = described.is_none() && written.and_then(Node::as_str).is_some_and(|it| it.contains("${"));
    let recorded = planned.recorded.deployment.as_deref().filter(|_| !is_hidden);
    let (first, second) =
        if planned.mode == Mode::Apply { (described, recorded) } else { (recorded, described) };
    first.or(second).unwrap_or(UNNAMED)
}

/// `sha256:` of the JSON text of a view without digest and diagnostics.
fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

struct Viewer<'v> {
    model: &'v Model,
    plan: &'v Plan,
    recorded: &'v Recorded,
    /// The reasons why resources have ended, as reported by their adapters.
    ended: &'v BTreeMap<Address, String>,
}

impl Viewer<'_> {
    fn id(&self, action: usize) -> Option<String> {
        self.plan.actions.get(action).map(|it| it.id.clone())
    }

    fn action(&self, action: &PlannedAction) -> ActionView {
        ActionView {
            id: action.id.clone(),
            address: action.address.to_string(),
            previous_address: action.previous.as_ref().map(ToString::to_string),
            kind: action.kind.to_string(),
            action: action.action,
            origin: self.declared(action),
            after: action.after.iter().filter_map(|it| self.id(*it)).collect(),
            reason: action.reason.as_ref().map(|it| self.reason(action, it)),
            changes: action.changes.iter().map(|it| self.change(it)).collect(),
        }
    }

    /// The first place of its declaration.
    fn declared(&self, action: &PlannedAction) -> Option<LocationView> {
        let graph = &self.model.graph;
        let node = graph.find(&action.address).and_then(|it| graph.nodes.get(it))?;
        Some(location(&self.model.sources, node.declared))
    }

    fn reason(&self, action: &PlannedAction, reason: &Reason) -> ReasonView {
        let (cause, via) = match reason {
            Reason::KnockOn { cause, via } => (self.id(*cause), Some(via)),
            _ => (None, None),
        };
        // What never became ready is nothing that somebody took away: to people it is new.
        let recorded = self.recorded.resources.get(&action.address);
        let is_unfinished = *reason == Reason::Gone
            && action.action == Action::Create
            && recorded.is_some_and(|it| it.tainted && it.phase == Phase::Pending);
        ReasonView {
            kind: vocabulary::reason(if is_unfinished { &Reason::New } else { reason }),
            cause,
            via: via.map(|via| ViaView {
                edge: vocabulary::edge(via.edge),
                path: place_of(&action.address, &via.path).to_string(),
                to: via.to.to_string(),
            }),
            sentence: match (is_unfinished, self.ended.get(&action.address)) {
                (true, _) => "it was created and never became ready".into(),
                (false, Some(why)) if *reason == Reason::Gone => {
                    format!("it has ended; its adapter reports: {why}")
                }
                (false, _) => sentence::reason(self.plan, self.model, action, reason),
            },
        }
    }

    fn change(&self, change: &Change) -> ChangeView {
        let json = |value: &Option<model::Value>| match value {
            Some(value) if !change.sensitive => shown_to_json(value),
            _ => Json::Null,
        };
        let origin = change.origin.span().map(|span| ChangeOriginView {
            location: location(&self.model.sources, span),
            inferred: matches!(change.origin, Origin::Inferred(_) | Origin::Default(_)),
        });
        ChangeView {
            path: change.path.to_string(),
            desired: json(&change.desired),
            persisted: json(&change.persisted),
            observed: json(&change.observed),
            unknown: change.unknown,
            sensitive: change.sensitive,
            forces_rebuild: change.forces_rebuild,
            origin,
        }
    }
}

/// The place of a resource's attribute in the merged document.
pub(crate) fn place_of(address: &Address, path: &Pointer) -> Pointer {
    let resource = Pointer::root().key(&address.collection).key(&address.name);
    path.segments().fold(resource, |pointer, segment| pointer.key(&segment))
}
