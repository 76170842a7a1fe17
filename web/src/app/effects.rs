//! The effects of state changes outside the page: engine, storage, title, colours.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gloo::{
    events::EventListener,
    timers::{callback::Timeout, future::TimeoutFuture},
    utils::{document, document_element, window},
};
use wasm_bindgen_futures::spawn_local;
use workspace::view::CheckView;
use yew::prelude::*;

use super::{
    Store,
    context::{Context, Overlay},
    lazy,
};
use crate::{
    engine::{Engine, EngineProblem},
    examples::{self, Example},
    home, share,
    state::{Action, Bar, State, Theme},
};

/// The engine, which is sent every change.
#[hook]
pub(super) fn use_engine(store: &UseReducerHandle<Store>) -> Engine {
    let engine = {
        let dispatcher = store.dispatcher();
        use_memo((), move |()| {
            let answers = dispatcher.clone();
            let on_response =
                Callback::from(move |response| answers.dispatch(Action::Answer(Box::new(response))));
            let on_problem = Callback::from(move |problem| show_problem(&dispatcher, problem));
            Engine::start(on_response, on_problem)
        })
    };
    let state = &store.0;
    let (engine_handle, news) = (engine.clone(), (state.revision, state.answers.since, state.want()));
    let (files, inputs) = (state.document.files.unmuted(), state.document.inputs.clone());
    use_effect_with(news, move |(revision, since, want)| {
        engine_handle.update(*revision, *since, &files, &inputs, *want);
    });
    (*engine).clone()
}

/// The time after which the page says that it shows something older, in milliseconds.
const LATE: u32 = 600;
/// The interval of the checks after that whether the engine is done, in milliseconds.
const AGAIN: u32 = 200;

/// Says on the page that the engine is late, as long as it is.
#[hook]
pub(super) fn use_late(engine: &Engine, store: &UseReducerHandle<Store>) {
    let said = use_mut_ref(|| false);
    let (engine, dispatcher) = (engine.clone(), store.dispatcher());
    use_effect_with(store.0.revision, move |revision| {
        let (revision, newest) = (*revision, Rc::new(Cell::new(true)));
        let is_newest = newest.clone();
        spawn_local(async move {
            let say = |is_late: bool| {
                if said.replace(is_late) != is_late {
                    dispatcher.dispatch(Action::Late(is_late));
                }
            };
            TimeoutFuture::new(LATE).await;
            while is_newest.get() && !engine.has_settled(revision) {
                say(true);
                TimeoutFuture::new(AGAIN).await;
            }
            if is_newest.get() {
                say(false);
            }
        });
        move || newest.set(false)
    });
}

fn show_problem(dispatcher: &UseReducerDispatcher<Store>, problem: EngineProblem) {
    dispatcher.dispatch(match problem {
        EngineProblem::Restarted => Action::Raise(Bar::EngineRestarted),
        EngineProblem::Stopped(message) => Action::Raise(Bar::EngineStopped(message)),
        EngineProblem::Silent => Action::Raise(Bar::EngineSilent),
        EngineProblem::NotLoaded => Action::Raise(Bar::PartMissing),
        EngineProblem::Over => Action::Lower(Bar::EngineSilent),
    });
}

/// The page's title: the number of errors, the name of the deployment, and the app.
#[hook]
pub(super) fn use_title(state: &State, check: Option<&CheckView>) {
    let (errors, _) = check.map(|check| state.answers.count(check)).unwrap_or_default();
    let name = state.answers.name().to_owned();
    use_effect_with((errors, name), |(errors, name)| {
        let count = if *errors > 0 { format!("({errors}) ") } else { String::new() };
        let name = if name.is_empty() { String::new() } else { format!("{name} – ") };
        document().set_title(&format!("{count}{name}Planloom"));
    });
}

/// Sets the colours. Returns true if they are dark.
#[hook]
pub(super) fn use_theme(theme: Theme) -> bool {
    let system = ui::dom::use_media("(prefers-color-scheme: dark)");
    use_effect_with(theme, |theme| {
        let _ = document_element().set_attribute("data-theme", theme.id());
    });
    match theme {
        Theme::System => system,
        Theme::Light => false,
        Theme::Dark => true,
    }
}

/// Takes in a workspace from the address: at once when there is nothing to lose, else after asking.
#[hook]
pub(super) fn use_shared(context: &Context) {
    let context = context.clone();
    let latest = use_mut_ref(|| context.clone());
    *latest.borrow_mut() = context;
    use_effect_with((), move |()| {
        take_shared(latest.clone());
        let shared = latest.clone();
        let listener = EventListener::new(&window(), "hashchange", move |_| take_shared(shared.clone()));
        // `js/offline.js` tells it.
        let version = EventListener::new(&window(), "planloom-version-ready", move |_| {
            latest.borrow().act(Action::Raise(Bar::NewVersion));
        });
        move || drop((listener, version))
    });
}

fn take_shared(latest: Rc<RefCell<Context>>) {
    if home::enter() {
        // The applying part knows the token from the beginning after a reload.
        let _ = window().location().reload();
    }
    let fragment = window().location().hash().unwrap_or_default();
    if let Some(example) = examples::in_fragment(&fragment) {
        return take_example(&latest.borrow().clone(), example);
    }
    if let Some(name) = examples::unknown_in_fragment(&fragment) {
        home::forget_fragment();
        let context = latest.borrow().clone();
        let name: String = name.chars().take(60).collect();
        context.say(format!("There is no example named “{name}”. Here are all that there are."));
        return context.overlay.set(Overlay::Gallery);
    }
    if !share::is_shared(&fragment) {
        return;
    }
    spawn_local(async move {
        let sharing = lazy::sharing().await;
        let context = latest.borrow().clone();
        home::forget_fragment();
        match sharing {
            Some(sharing) => (sharing.open)(context, fragment),
            None => context.act(Action::Raise(Bar::SharedBroken)),
        }
    });
}

/// Opens the example that a link names, after asking where there is work that it would replace.
fn take_example(context: &Context, example: Example) {
    home::forget_fragment();
    let has_nothing = context.state().pristine || context.state().document.files.is_empty();
    if has_nothing && !home::is_real() {
        context.open_example(example);
    } else {
        context.act(Action::Raise(Bar::Example(example)));
    }
}

/// Reads out how many problems there are, once they have settled.
#[hook]
pub(super) fn use_spoken(state: &State) -> String {
    const SETTLED: u32 = 1_000;
    let spoken = use_state_eq(String::new);
    let (errors, warnings) = state.answers.problems();
    let checked = state.answers.check.is_some();
    {
        let spoken = spoken.setter();
        use_effect_with((checked, errors, warnings), move |(checked, errors, warnings)| {
            let said = ui::chips::problems_sentence(checked.then_some(*errors), *warnings);
            let timer = checked.then(|| Timeout::new(SETTLED, move || spoken.set(said)));
            move || drop(timer)
        });
    }
    (*spoken).clone()
}
