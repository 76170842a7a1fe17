//! The Compare view: two points side by side, their differences, and the place of each value in both of them.

mod copy;
mod drawing;
mod graph;
mod parts;
mod points;
mod resource;
mod timeline;
mod values;

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use workspace::view::{ComparedGraphView, ComparisonView, LocationView};
use yew::prelude::*;

pub use self::{
    copy::markdown,
    points::{NOW, PointItem, PointTime, PointsEvent, STATE},
};

use self::{
    graph::ComparisonGraph,
    parts::{edges, errors, texts},
    points::points_bar,
    resource::{resource, resource_id},
    timeline::timeline,
    values::{Sides, table},
};
use crate::{
    IconName, LayerBadge,
    views::{PlacesQuestion, Same, prose::prose},
};

/// A file whose text differs between the two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDifference {
    /// Its name.
    pub file: AttrValue,
    /// Its text on the one side; empty where there is none.
    pub before: AttrValue,
    /// Its text on the other side; empty where there is none.
    pub after: AttrValue,
    /// The number of lines that only the one side has.
    pub removed: usize,
    /// The number of lines that only the other side has.
    pub added: usize,
}

/// Properties of [`ComparisonPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ComparisonPaneProps {
    /// The points that can be compared.
    pub points: Rc<Vec<PointItem>>,
    /// The id of the one point.
    pub before: AttrValue,
    /// The id of the other one.
    pub after: AttrValue,
    /// The differences between the two points; `None` until they are known.
    pub comparison: Option<Rc<ComparisonView>>,
    /// The graph of both sides, beside the comparison.
    pub graph: Rc<ComparedGraphView>,
    /// The files whose texts differ.
    pub texts: Rc<Vec<TextDifference>>,
    /// The files, for origin chips.
    pub layers: Rc<Vec<LayerBadge>>,
    /// Called with the user's choice.
    pub on_event: Callback<PointsEvent>,
    /// Called when the graph needs places.
    pub on_places: Callback<PlacesQuestion>,
    /// Called with the place a value comes from.
    pub on_goto: Callback<LocationView>,
}

/// Two points and their difference.
#[component]
pub fn ComparisonPane(props: &ComparisonPaneProps) -> Html {
    let sides = Sides::of(props);
    let body = match props.comparison.as_deref() {
        _ if props.before == props.after => {
            alike("The same point on both sides: choose another one to see a difference.")
        }
        None => html! { <p class="comparison-note" role="status">{ "Comparing" }</p> },
        Some(found) if found.before.errors + found.after.errors > 0 => errors(found, &sides, &props.on_event),
        Some(found) => differences(props, found, &sides),
    };
    html! {
        <section class="comparison pane" aria-label="Compare">
            { points_bar(props) }
            { timeline(props) }
            <div class="pane-scroll comparison-scroll" tabindex="0" role="region" aria-label="Differences">{ body }</div>
        </section>
    }
}

fn alike(words: &'static str) -> Html {
    html! { <div class="pane-empty">{ IconName::Versions.html() }<p>{ words }</p></div> }
}

fn differences(props: &ComparisonPaneProps, found: &ComparisonView, sides: &Sides) -> Html {
    html! {
        <>
            <p class="comparison-sentence" role="status">{ prose(&found.sentence(&sides.before.label, &sides.after.label)) }</p>
            if found.differs() && !props.graph.nodes.is_empty() {
                <ComparisonGraph graph={Same(props.graph.clone())} on_places={props.on_places.clone()}
                    on_select={Callback::from(|address: String| show(&address))} />
            }
            if !found.resources.is_empty() {
                <h3 class="comparison-heading">{ "Resources" }</h3>
                <ul class="comparison-list">{ for found.resources.iter().map(|it| resource(it, sides)) }</ul>
            }
            { edges(found, sides) }
            if !found.document.is_empty() {
                <h3 class="comparison-heading">{ "Other values of the merged document" }</h3>
                { table(&found.document, sides) }
            }
            { texts(&props.texts, sides) }
        </>
    }
}

/// Brings a resource of the list into view, and the keyboard to it.
fn show(address: &str) {
    let item = gloo::utils::document().get_element_by_id(&resource_id(address));
    if let Some(item) = item.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        let _ = item.focus();
    }
}
