//! The specs that adapters say they accept, compared with those that a plan sends them, before anything is created.

use std::collections::{BTreeMap, BTreeSet};

use model::{Address, Data, DesiredResource, Pointer};
use protocol::{Description, Verb};

use crate::{Blame, Engine, EngineError, Planner, codes, run_context::Current, steps::StepKind};

impl Engine {
    /// Checks that the adapters accept what the plan creates or changes. An adapter that says nothing, or does not answer,
    /// is left to the steps.
    ///
    /// # Errors
    /// If an adapter does not accept a resource; nothing was done.
    pub(crate) async fn check_accepted(&self, current: &Current) -> Result<(), EngineError> {
        let mut sent: BTreeMap<String, BTreeSet<&Address>> = BTreeMap::new();
        for (_, step) in
            current.steps.iter().enumerate().filter(|(place, _)| !current.held.contains_key(place))
        {
            let desired = current.desired(&step.address);
            if let (StepKind::Write(Verb::Create | Verb::Update), Some(desired)) = (step.kind, desired) {
                sent.entry(desired.kind.to_string()).or_default().insert(&step.address);
            }
        }
        let timing = &self.0.context.timing;
        for (kind, addresses) in sent {
            let Ok(reader) = self.0.readers.of(&kind) else { continue };
            let deadline = timing.deadline(timing.settings.step_timeout);
            let Ok(description) = reader.describe(deadline).await else { continue };
            let planner = self.0.context.planner.borrow().clone();
            if let Some(error) = not_accepted(&description, &*planner, addresses) {
                return Err(error);
            }
        }
        Ok(())
    }
}

/// The reason why an adapter does not accept resources as they are described; `None` if it does, or does not say what it
/// accepts.
pub fn not_accepted<'a>(
    description: &Description,
    planner: &dyn Planner,
    addresses: impl IntoIterator<Item = &'a Address>,
) -> Option<EngineError> {
    if description.accepts.is_empty() {
        return None;
    }
    let (desired, adapter) = (planner.desired(), &description.name);
    let addresses: BTreeSet<&Address> = addresses.into_iter().collect();
    let resources = desired.resources.iter().filter(|it| addresses.contains(&it.address));
    let refused: Vec<Refused<'_>> = resources.filter_map(|it| Refused::find(description, it)).collect();
    let first = refused.first()?;
    let more = match refused.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let attribute = first.pointer.trim_start_matches('/').replace('/', ".");
    let (text, address) = (first.text, &first.resource.address);
    let message =
        format!("the adapter `{adapter}` does not accept `{text}` as `{attribute}` of `{address}`{more}");
    let help = format!(
        "nothing was done; it accepts `{}`: write that, or choose an adapter that accepts `{text}`; the simulator accepts \
         everything and creates nothing real",
        first.accepted.join("`, `")
    );
    let mut blames: Vec<Blame> = Vec::new();
    for blame in refused.iter().map(|it| it.blame(planner)) {
        // Services that run the same payload have one place.
        if blame.place.is_none() || blames.iter().all(|it| it.place != blame.place) {
            blames.push(blame);
        }
    }
    let about = refused.iter().map(|it| it.resource.address.to_string()).collect();
    Some(EngineError { help: help.into(), blames, about, ..EngineError::new(codes::NOT_ACCEPTED, message) })
}

/// An attribute that an adapter does not accept.
struct Refused<'r> {
    resource: &'r DesiredResource,
    pointer: &'r str,
    text: &'r str,
    accepted: &'r [String],
}

impl<'r> Refused<'r> {
    /// The first such attribute of a resource. Secrets and values that are not known yet are left to the adapter.
    fn find(description: &'r Description, resource: &'r DesiredResource) -> Option<Self> {
        description.accepts.get(&*resource.kind)?.iter().find_map(|(pointer, accepted)| {
            let value = resource.spec.at(&Pointer::parse(pointer)).filter(|it| !it.sensitive)?;
            let Data::String(text) = &value.data else { return None };
            let is_accepted = accepted.iter().any(|it| it.eq_ignore_ascii_case(text));
            (!is_accepted).then_some(Self { resource, pointer, text, accepted })
        })
    }

    fn blame(&self, planner: &dyn Planner) -> Blame {
        let value = self.resource.spec.at(&Pointer::parse(self.pointer));
        let place = value.and_then(|it| planner.locate(it.origin.span()?));
        Blame { pointer: self.pointer.to_owned(), detail: format!("`{}` is not accepted", self.text), place }
    }
}
