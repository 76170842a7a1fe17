mod call_result;
mod exchange;
mod subject;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use protocol::{Caller, Description, Feature, ResourceId, Transport};
use runtime::Timer;

use super::{Checked, Options, Report, Stop, skipped};
pub(super) use call_result::CallResult;

/// The state that checks share: a connection to the adapter, the created resources, and the observed answers.
pub(super) struct Bench {
    transport: Rc<dyn Transport>,
    pub(super) caller: Caller,
    timer: Rc<dyn Timer>,
    pub(super) options: Options,
    description: RefCell<Option<Description>>,
    /// The check in progress.
    check: Cell<&'static str>,
    lines: RefCell<Vec<String>>,
    /// The resources that were requested, and whether they still have to be destroyed.
    made: RefCell<BTreeMap<ResourceId, bool>>,
    subjects: Cell<u32>,
    keys: Cell<u32>,
    answers: Cell<usize>,
    broken: RefCell<Vec<String>>,
}

impl Bench {
    pub(super) fn new(
        transport: Rc<dyn Transport>,
        caller: Caller,
        timer: Rc<dyn Timer>,
        options: Options,
    ) -> Self {
        Self {
            transport,
            caller,
            timer,
            options,
            description: RefCell::default(),
            check: Cell::new(""),
            lines: RefCell::default(),
            made: RefCell::default(),
            subjects: Cell::default(),
            keys: Cell::default(),
            answers: Cell::default(),
            broken: RefCell::default(),
        }
    }

    pub(super) fn begin(&self, check: &'static str) {
        self.check.set(check);
        self.lines.take();
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.take()
    }

    pub(super) fn answers(&self) -> usize {
        self.answers.get()
    }

    /// Answers that broke a rule that holds for all answers.
    pub(super) fn broken(&self) -> Vec<String> {
        self.broken.borrow().clone()
    }

    pub(super) fn described(&self, description: Description) {
        self.description.replace(Some(description));
    }

    /// True if the adapter has described itself.
    pub(super) fn is_described(&self) -> bool {
        self.description.borrow().is_some()
    }

    /// Skips the check if the adapter declares that it lacks the feature. An adapter that declares nothing is
    /// tested in full.
    pub(super) fn needs(&self, feature: Feature) -> Result<(), Stop> {
        let description = self.description.borrow();
        if description.as_ref().is_none_or(|it| it.can(feature)) {
            return Ok(());
        }
        skipped(format!("the adapter does not have the feature `{}`", feature.as_str()))
    }

    /// A key that was never used. It begins with the lineage, which no other run has.
    pub(super) fn key(&self) -> String {
        self.keys.set(self.keys.get() + 1);
        format!("{}-{}", self.options.lineage, self.keys.get())
    }

    pub(super) async fn sleep(&self, millis: u32) {
        let mut until = self.timer.now();
        until.0 += i64::from(millis);
        self.timer.sleep_until(until).await;
    }

    /// Polls until the result satisfies `is`, at most as long as a resource may take; returns the last result
    /// otherwise.
    pub(super) async fn until<T>(&self, look: impl AsyncFn() -> T, is: impl Fn(&T) -> bool) -> T {
        let end = self.timer.now().0.saturating_add(i64::from(self.options.ready_s) * 1000);
        let mut pause = 50;
        loop {
            let seen = look().await;
            if is(&seen) || self.timer.now().0 >= end {
                return seen;
            }
            self.sleep(pause).await;
            pause = (pause * 3 / 2).min(2_000);
        }
    }

    pub(super) fn report(&self, checks: Vec<Checked>) -> Report {
        let description = self.description.borrow();
        let adapter = description.as_ref().map(|it| format!("{} {}", it.name, it.version));
        let adapter = adapter.unwrap_or_default().trim().to_owned();
        Report::new(self.caller.base(), adapter, &self.options.kind, checks)
    }
}
