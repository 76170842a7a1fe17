//! The dialog that explains a resource, a version or a problem by a chain of reasons.

use ui::{
    Why, WhyStep,
    why::{of_problem, of_resource, of_version, problem_key, version_name},
};
use yew::prelude::*;

use super::decoded::use_decoded;
use crate::{
    app::{context::Overlay, lazy::Page},
    state::{Action, State, Subject},
};

/// The dialog with the chain.
pub fn why(page: &Page) -> Html {
    html! { <Explanation page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ExplanationProps {
    page: Page,
}

#[component]
fn Explanation(ExplanationProps { page }: &ExplanationProps) -> Html {
    let (context, state) = (&page.context, page.context.state());
    let resolution = use_decoded(state.answers.resolution.as_ref(), std::rc::Rc::new);
    let on_close = {
        let overlay = context.overlay.clone();
        Callback::from(move |()| overlay.set(Overlay::None))
    };
    let (subject, mut steps) = match &state.subject {
        Some(Subject::Version(id)) => {
            (version_name(id), resolution.map(|it| of_version(&it, id)).unwrap_or_default())
        }
        Some(Subject::Problem(key)) => of_problem_named(state, key),
        Some(Subject::Resource(address)) => of_address(state, address),
        None => Default::default(),
    };
    if steps.is_empty() {
        let sentence = "Nothing happens to it: it is as the files describe it.".into();
        steps.push(WhyStep { resource: None, sentence, place: None });
    }
    let on_copied = {
        let context = context.clone();
        Callback::from(move |done| {
            context.say(if done {
                "Copied the reasons as Markdown"
            } else {
                "The browser does not allow copying"
            });
        })
    };
    html! {
        <Why subject={AttrValue::from(subject)} {steps} layers={page.layers.clone()} on_goto={context.does(Action::Goto)}
            {on_copied} {on_close} />
    }
}

fn of_address(state: &State, address: &str) -> (String, Vec<WhyStep>) {
    (address.to_owned(), state.plan().map(|plan| of_resource(plan, address)).unwrap_or_default())
}

fn of_problem_named(state: &State, key: &str) -> (String, Vec<WhyStep>) {
    let plan = state.plan().map(|it| &it.diagnostics);
    let mut all = state.answers.check.iter().map(|it| &it.diagnostics).chain(plan).flatten();
    match all.find(|it| problem_key(it) == key) {
        Some(problem) => ("there is this problem".into(), of_problem(problem)),
        None => ("there was this problem".into(), Vec::new()),
    }
}
