//! The Services view: its content, its questions to the engine, and its commands.

use std::{cell::RefCell, rc::Rc};

use serde_json::json;
use ui::views::{ServicesEvent, ServicesPane, ServicesQuestion};
use workspace::{File, view::ServiceOverviewView};
use yew::prelude::*;

use super::{failed, waiting};
use crate::{
    app::{context::Context, lazy::Page},
    engine::Engine,
    message::query::{ServiceDiff, ServiceOverview, TryDeletion, TryText},
    state::{Action, Document, Files},
};

macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../static/examples/services/", $name)))
    };
}

/// The example, which is loaded with the view.
const EXAMPLE: [(&str, &str); 2] = [file!("library-v1.yaml"), file!("library-v2.yaml")];

thread_local! {
    /// The example resources that were written: they outlive the view, which is gone while another tab is open.
    static DRAFT: RefCell<Option<AttrValue>> = const { RefCell::new(None) };
}

/// The Services view.
pub fn view(page: &Page) -> Html {
    html! { <Services page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ServicesProps {
    page: Page,
}

/// The progress of the answer.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    Waiting,
    Known(Rc<ServiceOverviewView>),
    Failed,
}

#[component]
fn Services(ServicesProps { page }: &ServicesProps) -> Html {
    let (context, state) = (&page.context, page.context.state());
    let phase = use_state_eq(|| Phase::Waiting);
    let attempt = use_state_eq(|| 0_u32);
    let draft = use_state_eq(|| DRAFT.with_borrow(Clone::clone));
    {
        let (engine, setter) = (context.engine.clone(), phase.setter());
        // Before the first answer the engine does not have the files.
        let revision = state.answers.check.as_ref().map(|_| state.answers.revision);
        use_effect_with((revision, *attempt), move |(revision, _)| {
            if revision.is_some() {
                ask_overview(&engine, setter);
            }
        });
    }
    match &*phase {
        Phase::Waiting => waiting(),
        Phase::Failed => {
            let (attempt, phase) = (attempt.clone(), phase.clone());
            failed(&Callback::from(move |_: MouseEvent| {
                phase.set(Phase::Waiting);
                attempt.set(*attempt + 1);
            }))
        }
        Phase::Known(overview) => html! {
            <ServicesPane overview={overview.clone()} layers={page.layers.clone()} stale={state.answers.model_stale}
                draft={(*draft).clone()} on_goto={context.does(Action::Goto)} on_ask={asks(context)}
                on_event={does(context, draft.setter())} />
        },
    }
}

fn ask_overview(engine: &Engine, phase: UseStateSetter<Phase>) {
    let then = Callback::from(move |overview: Option<ServiceOverviewView>| {
        phase.set(overview.map_or(Phase::Failed, |it| Phase::Known(Rc::new(it))));
    });
    engine.ask(ServiceOverview {}, then);
}

/// Passes questions on.
fn asks(context: &Context) -> Callback<ServicesQuestion> {
    let engine = context.engine.clone();
    Callback::from(move |it| match it {
        ServicesQuestion::Try { text, then } => engine.ask_shared(TryText { text }, then),
        ServicesQuestion::Delete { resources, delete, then } => {
            let argument = json!({ "resources": resources, "delete": delete }).to_string();
            engine.ask_shared(TryDeletion { argument }, then);
        }
        ServicesQuestion::Compare { old, new, then } => {
            engine.ask_shared(ServiceDiff { argument: json!([old, new]).to_string() }, then);
        }
    })
}

/// Does what a person does with services.
fn does(context: &Context, draft: UseStateSetter<Option<AttrValue>>) -> Callback<ServicesEvent> {
    let context = context.clone();
    Callback::from(move |event| match event {
        ServicesEvent::Draft(text) => {
            let text = text.map(AttrValue::from);
            DRAFT.set(text.clone());
            draft.set(text);
        }
        ServicesEvent::Example => {
            context.act(Action::Open { document: example(), title: "Opened: a library as a service".into() });
        }
    })
}

/// The example as a workspace, its newest version open.
fn example() -> Document {
    let file =
        |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
    let files: Files = EXAMPLE.iter().map(file).collect();
    let selected = files.at(1).map(|file| file.key);
    Document { selected, files, ..Document::default() }
}
