//! Applying, on the page: the worker is sent every change, and the user's requests.

use gloo::{
    events::EventListener,
    timers::callback::{Interval, Timeout},
    utils::document,
};
use ui::{
    StateSign, Tab, Target,
    views::live::{self, Doing, Fault, LiveEvent},
};
use web_sys::VisibilityState;
use workspace::view::EditView;
use yew::prelude::*;

use super::{
    Store,
    context::{Context, Overlay},
};
use crate::{
    apply::{
        link::{Link, News},
        message::{Answer, Question, Request, Response},
    },
    files_change::FilesChange,
    home, host, inputs,
    state::{Action, Applying, Files, Inputs, Phase, State},
    storage,
};

/// The pause in typing before the resources are observed, in milliseconds: each observation asks the adapters.
const PAUSE: u32 = 350;

/// The time between two refreshes of a visible page, in milliseconds.
const AGAIN: u32 = 5_000;

/// The worker, which is sent every change once it is there. It is loaded for a user who opens the State view or has
/// applied before.
#[hook]
pub(super) fn use_live(store: &UseReducerHandle<Store>) -> Link {
    let link = use_memo((), |()| Link::of_page());
    let state = &store.0;
    {
        let (link, dispatcher) = (link.clone(), store.dispatcher());
        use_effect_with((), move |()| {
            if storage::was_watching() {
                let text = "Keep in sync ended with the page that was open before. Start it again in the State view.";
                dispatcher.dispatch(Action::Say { text: text.into(), undo: false });
                storage::remember_watching(false);
            }
            link.listen(Callback::from(move |news: News| {
                if let News::Said(said) = &news {
                    remember(said);
                }
                dispatcher.dispatch(Action::Hear(Box::new(news)));
            }));
        });
    }
    let early = storage::has_applied() || home::token().is_some();
    let shown = matches!(state.screen.tab, Tab::State | Tab::Controllers);
    let wanted = shown || (early && state.answers.check.is_some());
    {
        let link = link.clone();
        use_effect_with(wanted, move |wanted| {
            if *wanted {
                link.open();
            }
        });
    }
    let open = matches!(state.applying.phase, Phase::Loading | Phase::On);
    let first = use_mut_ref(|| true);
    let described = use_mut_ref(Files::default);
    let (worker, files, options) = (link.clone(), state.document.files.unmuted(), options(state));
    use_effect_with((open, state.revision), move |(open, revision)| {
        let revision = *revision;
        let home = worker.clone();
        let describe = move |is_first: bool| {
            let before = described.replace(files.clone());
            let change = if is_first {
                FilesChange::All(files.texts())
            } else {
                FilesChange::between(&before, &files)
            };
            worker.send(Request::Describe { revision, change, options });
        };
        let timer = match (*open, first.replace(!*open)) {
            (false, _) => None,
            (true, true) => {
                let simulates = home::simulates();
                home::token().into_iter().for_each(|token| home.send(Request::Home { token, simulates }));
                describe(true);
                None
            }
            (true, false) => Some(Timeout::new(PAUSE, move || describe(false))),
        };
        move || drop(timer)
    });
    let back = link.clone();
    use_effect_with(open, move |open| {
        // Much may have happened while nobody saw this page: in other tabs, at a terminal, by itself.
        let listener = open.then(|| {
            EventListener::new(&document(), "visibilitychange", move |_| {
                if document().visibility_state() == VisibilityState::Visible {
                    back.send(Request::Look);
                }
            })
        });
        move || drop(listener)
    });
    use_mode_after_destroying(store);
    (*link).clone()
}

/// Remembers what the next page of this tab has to know of a response.
fn remember(said: &Response) {
    if has_applied(said) {
        storage::remember_applied();
    }
    if let Response::Live(live) = said {
        storage::remember_watching(live.doing == Doing::Watching);
    }
}

/// True if something was applied here, or is being applied: a page that is closed in the middle of it observes again.
fn has_applied(said: &Response) -> bool {
    match said {
        Response::Recorded(text) => text.is_some(),
        Response::Live(live) => live.doing.is_busy(),
        _ => false,
    }
}

/// Keeps the observation on screen at most a few seconds old, as long as the page is visible. A plan that somebody
/// `reviews` is not replaced.
#[hook]
pub(super) fn use_refresh(store: &UseReducerHandle<Store>, link: &Link, reviews: bool) {
    let (link, open) = (link.clone(), store.0.applying.phase == Phase::On && !reviews);
    use_effect_with(open, move |open| {
        let timer = open.then(|| {
            Interval::new(AGAIN, move || {
                if document().visibility_state() == VisibilityState::Visible {
                    link.send(Request::Refresh);
                }
            })
        });
        move || drop(timer)
    });
}

/// States of files do not count there: the worker has its own.
fn options(state: &State) -> workspace::PlanOptions {
    Inputs { state: None, observed: None, ..state.document.inputs.clone() }.options()
}

/// Ends the mode that destroys after everything was destroyed: the plan then shows what applying would create, not that
/// nothing is left to destroy.
#[hook]
fn use_mode_after_destroying(store: &UseReducerHandle<Store>) {
    let (live, destroy) = (&store.0.applying.live, store.0.document.inputs.destroy);
    let done = destroy && live.outcome.as_ref().is_some_and(|it| it.ok && it.destroyed);
    let dispatcher = store.dispatcher();
    use_effect_with(done && live.doing == Doing::Idle, move |over| {
        if *over {
            dispatcher.dispatch(Action::SetDestroy(false));
        }
    });
}

impl Context {
    /// Does what a person wants of applying.
    pub(super) fn live(&self, event: LiveEvent) {
        match event {
            LiveEvent::Look => self.link.send(Request::Look),
            LiveEvent::Apply { keep_going, allow_rebuild } => {
                self.overlay.set(Overlay::None);
                self.carry_out(keep_going, allow_rebuild);
            }
            LiveEvent::Stop { at_once } => self.link.send(Request::Stop { at_once }),
            LiveEvent::Watch(on) => self.link.send(Request::Watch(on)),
            LiveEvent::Simulate => {
                self.ask(Question::Simulate, "Imported the recorded resources into the simulator");
            }
            LiveEvent::Destroy => {
                self.act(Action::SetDestroy(true));
                self.act(Action::Read);
                self.act(Action::Show(Tab::Plan));
                self.overlay.set(Overlay::Review);
            }
            LiveEvent::Unlock(id) => self.link.send(Request::Unlock(id)),
            LiveEvent::Again => {
                self.act(Action::Read);
                self.overlay.set(Overlay::Review);
            }
            LiveEvent::Read => self.act(Action::Read),
            LiveEvent::Retry => self.link.open(),
            LiveEvent::Connect => self.overlay.set(Overlay::Connect),
            LiveEvent::Use(address) => {
                home::set_simulates(false);
                self.ask(Question::Connect { address, token: String::new() }, "Connected");
            }
            LiveEvent::Disconnect => {
                home::set_simulates(true);
                let question = Question::Connect { address: String::new(), token: String::new() };
                self.ask(question, "Disconnected: the simulator is used now");
            }
            LiveEvent::Latency(latency) => self.link.send(Request::Latency(latency)),
            LiveEvent::Inject { fault, address } => {
                if fault == Fault::Fail {
                    self.say(format!("The next change of {address} will fail"));
                }
                self.link.send(Request::Inject { fault, address });
            }
            LiveEvent::Compare { .. } => {}
            LiveEvent::Restore(serial) => {
                self.ask(Question::Restore(serial), "Recorded the content of that revision again");
            }
            LiveEvent::Adopt { place, value } => {
                let edits = vec![EditView { location: place, new_text: yaml(&value) }];
                self.act(Action::Edit { title: "write the observed value".into(), edits });
            }
            LiveEvent::Accept { address, path, value } => {
                self.ask(Question::Accept { address, path, value }, "Recorded the observed value");
            }
            LiveEvent::Revert { address, path } => {
                let said = format!("Reverted {path} of {address} to its recorded value");
                self.ask(Question::Revert { address, path }, said);
            }
        }
    }

    /// Closes the review without anything done; a destroy that was to be reviewed is cancelled.
    pub(super) fn cancel_review(&self) {
        self.overlay.set(Overlay::None);
        self.act(Action::SetDestroy(false));
    }

    fn carry_out(&self, keep_going: bool, allow_rebuild: bool) {
        if let Some(digest) = self.state().applying.live.digest.clone() {
            self.act(Action::Show(Tab::Plan));
            self.link.send(Request::Apply { digest, keep_going, allow_rebuild });
        }
    }

    /// Makes the state of the chosen file the current one; with `simulate`, the simulator has what it records.
    pub(super) fn use_state(&self, simulate: bool) {
        let Some(input) = self.state().document.inputs.state.clone() else { return };
        let (context, text) = (self.clone(), input.text.clone());
        let then = Callback::from(move |answer: Answer| match answer {
            Answer::Refused { what, .. } => context.say(what),
            _ => {
                context.act(Action::UseState);
                context.say(format!("{} is used as the current state of this browser", input.name));
            }
        });
        self.link.ask(Question::Import { text, simulate }, then);
    }

    /// Saves what is kept as a file.
    pub(super) fn save_state(&self) {
        if let Some(recorded) = &self.state().applying.recorded {
            let name = format!("{}.state.json", self.state().answers.name());
            host::download(&name, "application/json", recorded.text.as_bytes());
        }
    }

    fn ask(&self, question: Question, said: impl Into<String>) {
        let (context, said) = (self.clone(), said.into());
        let then = Callback::from(move |answer: Answer| match answer {
            Answer::Refused { what, help } => context.say(format!("{what} {help}")),
            _ => context.say(&*said),
        });
        self.link.ask(question, then);
    }

    /// Runs the action of the main button while the plan is on screen.
    pub(super) fn press_main(&self) {
        match self.state().doing() {
            Doing::Applying | Doing::Destroying => self.live(LiveEvent::Stop { at_once: false }),
            Doing::Stopping => self.live(LiveEvent::Stop { at_once: true }),
            Doing::Watching => self.live(LiveEvent::Watch(false)),
            Doing::Idle | Doing::Looking => {
                self.link.open();
                if self.state().screen.tab == Tab::Plan {
                    self.overlay.set(Overlay::Review);
                } else {
                    self.act(Action::Show(Tab::Plan));
                }
            }
        }
    }
}

/// A value as it can stand in a file.
fn yaml(value: &serde_json::Value) -> String {
    let is_plain = |text: &str| {
        let mut letters = text.chars();
        letters.next().is_some_and(|it| it.is_ascii_alphabetic())
            && letters.all(|it| it.is_ascii_alphanumeric() || "-_./".contains(it))
            && !matches!(
                &*text.to_ascii_lowercase(),
                "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
            )
    };
    match value.as_str().filter(|text| is_plain(text)) {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    }
}

/// The label of the main button, and true if its action is dangerous.
pub(super) fn main_words(state: &State) -> (&'static str, bool) {
    match state.doing() {
        Doing::Applying | Doing::Destroying => ("Stop", false),
        Doing::Stopping => ("Stop at once", true),
        Doing::Watching => ("Stop keeping in sync", false),
        Doing::Idle | Doing::Looking if state.screen.tab != Tab::Plan => ("Review plan", false),
        Doing::Idle | Doing::Looking if state.document.inputs.destroy => ("Destroy…", true),
        Doing::Idle | Doing::Looking => ("Apply…", false),
    }
}

/// The reason why the plan on screen cannot be applied.
pub(super) fn why_not(state: &State) -> Option<String> {
    if !matches!(state.doing(), Doing::Idle | Doing::Looking) {
        return None;
    }
    if state.document.inputs.observed.is_some() {
        return Some(
            "This plan compares with a file of observed resources. Remove it in the State view.".into(),
        );
    }
    if let Phase::Failed(why) = &state.applying.phase {
        return Some(why.clone());
    }
    if target(state) == Target::Connecting {
        return Some("The page is connecting to planloom serve.".into());
    }
    if state.applying.live.adrift.is_some() {
        return Some("This page is not connected. Open the link that `planloom serve` printed last, or use the simulator.".into());
    }
    // The dialog says what becomes of the chosen state.
    if state.document.inputs.state.is_some() {
        return None;
    }
    let idle =
        state.is_live() && state.doing() == Doing::Idle && state.applying.live.revision == state.revision;
    let nothing = state.applying.live.digest.is_none();
    match (idle && nothing, &state.applying.live.error) {
        (false, _) => None,
        (true, Some(error)) => Some(format!("The plan cannot be applied: {}.", error.message)),
        (true, None) => Some("Everything matches the files: there is nothing to apply.".into()),
    }
}

/// The status of applying, for the chip; `None` if files stand for the state, or nobody has asked yet.
pub(super) fn sign(state: &State) -> Option<StateSign> {
    let applying = &state.applying;
    if state.has_files_for_states() || matches!(applying.phase, Phase::Off | Phase::Failed(_)) {
        return None;
    }
    let (done, of) = applying.progress();
    let serial = applying.recorded.as_deref().map(inputs::serial);
    // Only a plan of these very files says how they compare.
    let is_current = applying.live.revision == state.revision && state.answers.blocking == 0;
    let is_seen = applying.live.seen.is_none();
    Some(match (state.doing(), &applying.plan) {
        (Doing::Applying | Doing::Stopping, _) => StateSign::Running { destroys: false, done, of },
        (Doing::Destroying, _) => StateSign::Running { destroys: true, done, of },
        (Doing::Watching, _) if is_seen && !applying.live.unseen => StateSign::Watching,
        _ if applying.live.adrift.is_some() => StateSign::NotConnected,
        _ if applying.live.holder.is_some() => StateSign::Held,
        _ if applying.has_failed() => failed(applying),
        (Doing::Idle | Doing::Watching, _) if applying.live.unseen => StateSign::Unknown,
        (Doing::Idle, None) if applying.live.error.is_some() => {
            serial.map_or(StateSign::Nothing, StateSign::Recorded)
        }
        (_, None) => StateSign::Looking,
        (_, Some(plan)) => {
            let drifted = live::drifted(plan).count();
            let rests = plan.actions.iter().all(|it| it.action == workspace::view::Action::NoOp);
            match (drifted, serial) {
                (0, None) => StateSign::Nothing,
                (0, Some(serial)) if rests && is_current && is_seen => StateSign::InSync(serial),
                (0, Some(serial)) => StateSign::Recorded(serial),
                (count, _) => StateSign::Drifted(count),
            }
        }
    })
}

/// The last run as it ended: where it did not begin, nothing was done.
fn failed(applying: &Applying) -> StateSign {
    let outcome = applying.live.outcome.clone().unwrap_or_default();
    let of = outcome.done + outcome.failed + outcome.skipped + outcome.not_started;
    StateSign::Failed { stopped: outcome.stopped, done: outcome.done, of }
}

/// The target of an apply. Before the worker has answered, a page that `planloom serve` opened has no target yet.
pub(super) fn target(state: &State) -> Target {
    match state.applying.phase {
        Phase::On => state.applying.live.target(),
        Phase::Off | Phase::Loading if home::token().is_some() && !home::simulates() => Target::Connecting,
        _ => Target::Simulator,
    }
}

/// Passes what a person wants of applying on.
pub(super) fn events(context: &Context) -> Callback<LiveEvent> {
    let context = context.clone();
    Callback::from(move |event| context.live(event))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::json;
    use ui::views::live::ApplyStatus;
    use workspace::view::SummaryView;

    use super::*;
    use crate::state::Input;

    /// A page on which everything is as the files describe it, but for `live`.
    fn state(live: ApplyStatus) -> State {
        let mut state = State::default();
        let plan = json!({
            "format": "planloom.plan/1", "mode": "apply", "deployment": "a", "serial": 7, "digest": "", "knock_on": "values",
            "actions": [], "summary": SummaryView::default(), "diagnostics": [],
        });
        let text = json!({"serial": 7, "resources": {}}).to_string();
        state.applying.phase = Phase::On;
        state.applying.plan = serde_json::from_value(plan).ok().map(Rc::new);
        state.applying.recorded = Some(Rc::new(Input { name: "this browser".into(), text }));
        state.applying.live = Rc::new(live);
        state
    }

    #[test]
    fn only_what_was_just_observed_is_in_sync() {
        let live = |doing, seen, unseen| ApplyStatus { doing, seen, unseen, ..ApplyStatus::default() };
        for (live, expected) in [
            (live(Doing::Idle, None, false), StateSign::InSync(7)),
            (live(Doing::Looking, None, false), StateSign::InSync(7)),
            (live(Doing::Idle, Some(1), false), StateSign::Recorded(7)),
            (live(Doing::Looking, Some(1), false), StateSign::Recorded(7)),
            (live(Doing::Watching, None, false), StateSign::Watching),
            (live(Doing::Watching, Some(1), false), StateSign::Recorded(7)),
            (live(Doing::Idle, Some(1), true), StateSign::Unknown),
            (live(Doing::Watching, Some(1), true), StateSign::Unknown),
        ] {
            let (doing, seen, unseen) = (live.doing, live.seen, live.unseen);
            assert_eq!(sign(&state(live)), Some(expected), "{doing:?} {seen:?} {unseen}");
        }
    }
}
