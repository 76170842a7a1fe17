//! Explanations: one chain from a resource, a version or a problem back to the text in the files that causes it.

mod problem;
mod resource;
mod version;

use std::rc::Rc;

use workspace::view::{Action, LocationView};
use yew::prelude::*;

pub use self::{
    problem::{chain as of_problem, key as problem_key},
    resource::chain as of_resource,
    version::{chain as of_version, name as version_name},
};

use crate::{
    Dialog, IconButton, IconName, LayerBadge, action_mark, dom,
    views::{place::PlaceLink, plan::code, prose::prose},
};

/// A link of the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyStep {
    /// The resource and its action; `None` for a step that is no action: the value at the end, a fact.
    pub resource: Option<(String, Action)>,
    /// The reason, as a sentence.
    pub sentence: String,
    /// The location where the reason is written, if there is one.
    pub place: Option<LocationView>,
}

/// The chain as Markdown, for a pull request.
pub fn markdown(steps: &[WhyStep]) -> String {
    let line = |(depth, step): (usize, &WhyStep)| {
        let what = step
            .resource
            .as_ref()
            .map(|(address, action)| format!("{} **{}**: ", code(address), action.words().past));
        let at = step.place.as_ref().map(|it| format!(" ({}:{})", it.file, it.line)).unwrap_or_default();
        format!("{}- {}{}{at}\n", "  ".repeat(depth), what.unwrap_or_default(), step.sentence)
    };
    let depth =
        |at: usize, step: &WhyStep| if step.resource.is_some() { at } else { at.min(resources(steps)) };
    steps.iter().enumerate().map(|(at, step)| line((depth(at, step), step))).collect()
}

fn resources(steps: &[WhyStep]) -> usize {
    steps.iter().filter(|it| it.resource.is_some()).count()
}

/// Properties of [`Why`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct WhyProps {
    /// The subject of the explanation: the address of a resource, a version, a problem.
    pub subject: AttrValue,
    /// The chain.
    pub steps: Vec<WhyStep>,
    /// The files, for origin chips.
    pub layers: Rc<Vec<LayerBadge>>,
    /// Called with a place that is gone to.
    pub on_goto: Callback<LocationView>,
    /// Called once the chain was copied, or the browser refused to.
    pub on_copied: Callback<bool>,
    /// Called when the dialog is to be closed.
    pub on_close: Callback<()>,
}

/// The dialog with the chain.
#[component]
pub fn Why(props: &WhyProps) -> Html {
    let close = props.on_close.reform(|_: MouseEvent| ());
    let copy = {
        let (text, on_copied) = (markdown(&props.steps), props.on_copied.clone());
        Callback::from(move |_: MouseEvent| {
            let on_copied = on_copied.clone();
            dom::copy(&text, move |copied| on_copied.emit(copied));
        })
    };
    let title = format!("Why {}", props.subject);
    html! {
        <Dialog label={title.clone()} class="connect why" on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ title }</h2>
                { IconButton::new(IconName::Close, "Close", close).html() }
            </div>
            <ol class="why-chain">{ for props.steps.iter().map(|step| entry(props, step)) }</ol>
            <div class="dialog-foot">
                <button type="button" class="button" onclick={copy}>{ IconName::Copy.html() }{ "Copy as Markdown" }</button>
            </div>
        </Dialog>
    }
}

fn entry(props: &WhyProps, step: &WhyStep) -> Html {
    let on_goto = {
        let (on_goto, on_close) = (props.on_goto.clone(), props.on_close.clone());
        Callback::from(move |place| {
            on_close.emit(());
            on_goto.emit(place);
        })
    };
    html! {
        <li class={classes!("why-step", step.resource.is_none().then_some("why-value"))}>
            if let Some((address, action)) = &step.resource {
                <p class="why-what">{ action_mark(*action, true) }<strong>{ address }</strong></p>
            }
            <p>{ prose(&step.sentence) }</p>
            if let Some(place) = &step.place {
                <PlaceLink place={place.clone()} layers={props.layers.clone()} {on_goto} />
            }
        </li>
    }
}
