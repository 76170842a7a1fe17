//! Resources that could not be observed, and what is left alone because of that.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    rc::Rc,
};

use model::{Address, Desired};
use state::Snapshot;

use crate::{EngineError, codes, holder::named, run_context::RunContext, steps::Step};

/// An adapter that could not report the state of its resources.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnreachableAdapter {
    pub(crate) adapter: String,
    /// The kinds that it makes, as far as resources of them are recorded.
    pub(crate) kinds: BTreeSet<String>,
    /// The resources whose state is not known.
    pub(crate) addresses: BTreeSet<Address>,
    pub(crate) why: EngineError,
}

impl UnreachableAdapter {
    pub(crate) fn new(adapter: &str, kind: &str, addresses: BTreeSet<Address>, why: EngineError) -> Self {
        Self { adapter: adapter.to_owned(), kinds: BTreeSet::from([kind.to_owned()]), addresses, why }
    }

    /// The error, with the adapter's name and its resources.
    pub(crate) fn error(&self) -> EngineError {
        let message = format!(
            "adapter `{}` cannot report the status of {}: {}",
            self.adapter,
            self.named(),
            self.why.message
        );
        EngineError { message, about: self.about(), ..self.why.clone() }
    }

    /// The error for resources with a write that an earlier run had started.
    pub(crate) fn unsettled_error(&self) -> EngineError {
        let message = format!(
            "adapter `{}` cannot report the result of earlier steps on {}: {}",
            self.adapter,
            self.named(),
            self.why.message
        );
        let help = "check that it can be reached, and try again";
        EngineError { about: self.about(), ..EngineError::new(codes::UNSETTLED, message).help(help) }
    }

    fn about(&self) -> Vec<String> {
        self.addresses.iter().map(ToString::to_string).collect()
    }

    /// `services.a`, `services.a, services.b and 7 more`.
    fn named(&self) -> String {
        named(&self.about())
    }
}

/// Adds one to others: each adapter once.
pub(crate) fn join(all: &mut Vec<UnreachableAdapter>, one: UnreachableAdapter) {
    match all.iter_mut().find(|it| it.adapter == one.adapter) {
        Some(known) => {
            known.kinds.extend(one.kinds);
            known.addresses.extend(one.addresses);
        }
        None => all.push(one),
    }
}

impl RunContext {
    /// An adapter's answer. An adapter that could not report last time has a shorter timeout, because all
    /// others wait for it.
    pub(crate) async fn adapter_answer<T>(
        &self,
        adapter: &str,
        answer: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        if !self.failed_observation.borrow().some.iter().any(|it| it.adapter == adapter) {
            return answer.await;
        }
        let patience = self.timing.settings.backoff_last;
        self.timing.within(patience, answer).await.unwrap_or_else(|| Err(silent()))
    }
}

fn silent() -> EngineError {
    EngineError::new(codes::UNREACHABLE, "it still does not respond")
        .help("nothing was lost; check that the adapter can be reached, and try again")
        .passing()
}

/// The error that a plan cannot be made, because these could not be observed.
pub(crate) fn refusal(unreachable: &[UnreachableAdapter]) -> Option<EngineError> {
    let mut errors = unreachable.iter().map(UnreachableAdapter::error);
    let first = errors.next()?;
    Some(errors.fold(first, |mut all, it| {
        all.message = format!("{}; {}", all.message, it.message);
        all.about.extend(it.about);
        all
    }))
}

/// The reason why a step is left alone; displayed in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HoldReason {
    /// The adapter of that name cannot report on its resources.
    Unreachable(Rc<str>),
    /// The resource is not recorded, and only an apply creates it.
    NotRecorded,
    /// The descriptors have changed since the resource was recorded, and only an apply follows them.
    Unapplied,
    /// The resource is restored later, as the sentence says.
    Paused(Rc<str>),
}

impl HoldReason {
    /// True if an apply does what is held.
    pub(crate) const fn waits_for_apply(&self) -> bool {
        matches!(self, Self::NotRecorded | Self::Unapplied)
    }
}

impl fmt::Display for HoldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(adapter) => {
                write!(f, "skipped: adapter `{adapter}` cannot report the status of its resources")
            }
            Self::NotRecorded => f.write_str("skipped: it is not recorded, and nothing new is created"),
            Self::Unapplied => f.write_str("skipped: its description has changed, which waits for an apply"),
            Self::Paused(sentence) => write!(f, "waits: {sentence}"),
        }
    }
}

/// The steps that are left alone, each with the reason: those of resources that could not be observed, of new
/// resources that must not be created, of those that are paused (with the reason), and of resources that depend on any of these,
/// as described or recorded.
pub(crate) fn held(
    unreachable: &[UnreachableAdapter],
    new: &BTreeSet<Address>,
    paused: &BTreeMap<Address, HoldReason>,
    steps: &[Step],
    desired: &Desired,
    snapshot: &Snapshot,
) -> BTreeMap<usize, HoldReason> {
    if unreachable.is_empty() && new.is_empty() && paused.is_empty() {
        return BTreeMap::new();
    }
    let mut why: BTreeMap<Address, HoldReason> = BTreeMap::new();
    for it in unreachable {
        let reason = HoldReason::Unreachable(it.adapter.as_str().into());
        why.extend(it.addresses.iter().map(|address| (address.clone(), reason.clone())));
        let new = desired.resources.iter().filter(|resource| it.kinds.contains(&*resource.kind));
        why.extend(new.map(|resource| (resource.address.clone(), reason.clone())));
    }
    for it in new {
        why.entry(it.clone()).or_insert(HoldReason::NotRecorded);
    }
    for (address, reason) in paused {
        why.entry(address.clone()).or_insert_with(|| reason.clone());
    }
    let needs = needs(desired, snapshot);
    let mut next: Vec<Address> = why.keys().cloned().collect();
    while let Some(address) = next.pop() {
        let Some(reason) = why.get(&address).cloned() else { continue };
        for dependent in needs.get(&address).into_iter().flatten() {
            if !why.contains_key(dependent) {
                why.insert(dependent.clone(), reason.clone());
                next.push(dependent.clone());
            }
        }
    }
    let steps = steps.iter().enumerate();
    steps.filter_map(|(place, step)| Some((place, why.get(&step.address)?.clone()))).collect()
}

/// By resource: those that depend on it.
fn needs(desired: &Desired, snapshot: &Snapshot) -> BTreeMap<Address, Vec<Address>> {
    let mut needs: BTreeMap<Address, Vec<Address>> = BTreeMap::new();
    for resource in &desired.resources {
        for dependency in &resource.dependencies {
            needs.entry(dependency.to.clone()).or_default().push(resource.address.clone());
        }
    }
    for (address, entry) in &snapshot.resources {
        let Ok(address) = address.parse::<Address>() else { continue };
        for needed in entry.depends_on.iter().filter_map(|it| it.parse().ok()) {
            needs.entry(needed).or_default().push(address.clone());
        }
    }
    needs
}

#[cfg(test)]
mod tests;
