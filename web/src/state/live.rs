//! The reports of the worker that applies.

use std::rc::Rc;

use ui::views::{
    controllers::Snapshot,
    live::{ApplyStatus, Doing, StepItem},
};
use workspace::view::{DiagnosticView, PlanMode, PlanView, Severity};

use super::{Input, State};
use crate::apply::{link::News, message::Response};

/// The progress of loading the worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nobody needed it yet.
    #[default]
    Off,
    /// It is on its way.
    Loading,
    /// It is not there: why, as a sentence.
    Failed(String),
    /// It is there.
    On,
}

/// The reports of the worker that applies.
#[derive(Clone, Debug, Default)]
pub struct Applying {
    /// The progress of loading it.
    pub phase: Phase,
    /// The status of applying.
    pub live: Rc<ApplyStatus>,
    /// The steps of the run, or of the last one.
    pub steps: Rc<Vec<StepItem>>,
    /// The plan against what is recorded and seen.
    pub plan: Option<Rc<PlanView>>,
    /// The recorded state.
    pub recorded: Option<Rc<Input>>,
    /// The state of the controllers, as long as they are on screen.
    pub controllers: Option<Rc<Snapshot>>,
    /// The report of the last run was read.
    pub read: bool,
    run: Run,
}

/// The outcome of the last run, as long as nothing was planned since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Run {
    /// There was none, or it did all that it was to do.
    #[default]
    None,
    /// It is not known yet.
    Underway,
    /// Not all of it was done.
    Failed,
}

impl Run {
    /// After its status was reported again.
    fn after(self, before: &ApplyStatus, now: &ApplyStatus) -> Self {
        let failed = |failed| if failed { Self::Failed } else { Self::None };
        match (self, &now.outcome) {
            _ if now.doing.is_busy() => Self::Underway,
            (Self::Underway, Some(outcome)) => failed(!outcome.ok),
            // It did not begin; the reason is reported after the next observation.
            (Self::Underway, None) if now.doing == Doing::Idle => failed(now.error.is_some()),
            (Self::Underway, None) => self,
            // The next observation plans again.
            _ if before.doing == Doing::Idle && now.doing != Doing::Idle => Self::None,
            _ => self,
        }
    }
}

impl Applying {
    /// Takes in what comes.
    pub fn take(&mut self, news: News) {
        match news {
            News::Loading => self.phase = Phase::Loading,
            News::Failed(why) => *self = Self { phase: Phase::Failed(why), ..Self::default() },
            News::Said(response) => self.hear(*response),
        }
    }

    fn hear(&mut self, response: Response) {
        match response {
            Response::Live(live) => {
                self.phase = Phase::On;
                self.read &= !live.doing.is_busy() && live.outcome.is_some() == self.live.outcome.is_some();
                self.run = self.run.after(&self.live, &live);
                self.live = Rc::new(*live);
            }
            Response::Steps { all, steps } => {
                let now = Rc::make_mut(&mut self.steps);
                if all {
                    now.clear();
                }
                for (at, step) in steps {
                    match now.get_mut(at) {
                        Some(slot) => *slot = step,
                        None => now.push(step),
                    }
                }
            }
            Response::Planned { plan, .. } => self.plan = plan.map(|plan| Rc::new(*plan)),
            Response::Recorded(text) => {
                let input = |text| Rc::new(Input { name: "this browser".into(), text });
                self.recorded = text.map(input);
            }
            Response::Controllers(snapshot) => self.controllers = Some(Rc::from(snapshot)),
            Response::Answer { .. } | Response::Stopped { .. } => {}
        }
    }

    /// True if a run is on screen: under way, or over and not read yet.
    pub fn shows_run(&self) -> bool {
        self.live.doing.is_busy() || (!self.read && self.live.outcome.is_some() && !self.steps.is_empty())
    }

    /// Something was changed: the next plan is more important than the report of a run that did all it was to do.
    pub fn read_success(&mut self) {
        let is_done = !self.live.doing.is_busy() && self.live.outcome.as_ref().is_some_and(|it| it.ok);
        self.read |= is_done;
    }

    /// True if the last run failed or was stopped, and nothing was planned since.
    pub fn has_failed(&self) -> bool {
        self.run == Run::Failed
    }

    /// The outcome of the last run, as long as nothing was planned since.
    pub fn last_run(&self) -> ui::LastRun {
        let was_stopped = self.live.outcome.as_ref().is_some_and(|it| it.stopped);
        match (self.has_failed(), was_stopped) {
            (false, _) => ui::LastRun::Fine,
            (true, false) => ui::LastRun::Failed,
            (true, true) => ui::LastRun::Stopped,
        }
    }

    /// The number of steps that have ended, and the number of all steps.
    pub fn progress(&self) -> (usize, usize) {
        use ui::views::live::StepLook::{Done, Failed, Skipped};
        let ended = self.steps.iter().filter(|step| matches!(step.look, Done | Failed | Skipped)).count();
        (ended, self.steps.len())
    }

    /// The attributes that adapters blame, as problems of the files.
    pub fn blamed(&self) -> Vec<DiagnosticView> {
        let errors = self.steps.iter().filter_map(|step| step.error.as_ref());
        let places = errors.flat_map(|error| error.places.iter().map(move |place| (error, place)));
        let problem =
            |(error, place): (&ui::views::live::ErrorItem, &ui::views::live::PlaceItem)| DiagnosticView {
                code: error.code.clone(),
                severity: Severity::Error,
                message: place.detail.clone(),
                file: Some(place.file.clone()),
                line: Some(place.line),
                column: Some(place.column),
                end_line: Some(place.line),
                end_column: Some(u32::MAX),
                related: Vec::new(),
                help: Some(error.help.clone()).filter(|help| !help.is_empty()),
                fixes: Vec::new(),
            };
        places.map(problem).collect()
    }
}

impl State {
    /// True if plans are made by the worker that applies: it is there, and no file stands for the state.
    pub fn is_live(&self) -> bool {
        self.applying.phase == Phase::On && !self.has_files_for_states()
    }

    /// True if it is planned against files instead of what is kept.
    pub fn has_files_for_states(&self) -> bool {
        self.document.inputs.state.is_some() || self.document.inputs.observed.is_some()
    }

    /// The steps of the run that is on screen.
    pub fn steps(&self) -> Option<&Rc<Vec<StepItem>>> {
        self.applying.shows_run().then_some(&self.applying.steps)
    }

    /// The plan to show: against the recorded and observed states if they are known. If they should be and are not,
    /// there is none: one that takes everything for new would be wrong.
    pub fn plan(&self) -> Option<&Rc<PlanView>> {
        if self.document.files.is_blank() {
            return None;
        }
        let (is_live, seen) = (self.is_live(), !self.applying.live.unseen);
        // One of the other mode is on its way out.
        let mode = if self.document.inputs.destroy { PlanMode::Destroy } else { PlanMode::Apply };
        let live = self.applying.plan.as_ref().filter(|plan| is_live && plan.mode == mode);
        // The engine's own plan knows of no state that the worker has.
        let all_is_new = !is_live || (seen && self.applying.recorded.is_none());
        let own = || {
            let plan = self.answers.plan.as_ref();
            plan.filter(|plan| plan.mode == mode && (all_is_new || is_refused(plan)))
        };
        live.or_else(own)
    }

    /// The current activity of the worker.
    pub fn doing(&self) -> Doing {
        self.applying.live.doing
    }
}

/// True if there is no plan because something is wrong with what it is made of.
pub fn is_refused(plan: &PlanView) -> bool {
    plan.actions.is_empty() && plan.diagnostics.iter().any(|it| it.severity == Severity::Error)
}
