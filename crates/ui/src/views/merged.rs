//! The merged pane: the document that will be used, every line with its origin.

mod affected;
mod bar;
mod card;
mod document;
mod editor;
mod filter;
mod lines;
mod row;
mod weave;

use std::rc::Rc;

use workspace::view::{LocationView, MergeView};
use yew::prelude::*;

use self::{document::Document, lines::lines};
use super::{
    Same,
    place::stale_strip,
    same::{use_same, use_stable},
};
use crate::{IconName, LayerBadge};

/// Properties of [`MergedPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct MergedPaneProps {
    /// The merged document with its origins.
    pub merge: Rc<MergeView>,
    /// The files in merge order.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The files cannot be read at the moment; this is the last document.
    #[prop_or_default]
    pub stale: bool,
    /// Called with the place that wrote a line.
    pub on_goto: Callback<LocationView>,
    /// Called with a value to write; without it lines cannot be changed here.
    #[prop_or_default]
    pub on_set: Option<Callback<SetValue>>,
    /// The place in the document to bring into view, e.g. the one under the cursor of the editor.
    #[prop_or_default]
    pub reveal: Option<AttrValue>,
}

/// A value to be written into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetValue {
    /// The file that is to say so.
    pub file: String,
    /// The place in the merged document.
    pub pointer: String,
    /// The value as YAML.
    pub yaml: String,
}

/// The merged document.
#[component]
pub fn MergedPane(props: &MergedPaneProps) -> Html {
    let on_goto = use_stable(&props.on_goto);
    let (merge, layers) = (use_same(&props.merge), use_same(&props.layers));
    let lines = use_memo(merge.clone(), |merge| lines(merge));
    let body = if lines.is_empty() {
        html! {
            <div class="pane-empty">
                { IconName::Merge.html() }
                <p class="pane-empty-title">{ "Nothing to merge yet" }</p>
                <p>{ "Add a descriptor: the document merged from all files is shown here." }</p>
            </div>
        }
    } else {
        html! {
            <Document {merge} lines={Same(lines)} {layers}
                {on_goto} on_set={props.on_set.clone()} reveal={props.reveal.clone()} />
        }
    };
    html! {
        <section class="merged pane" aria-label="Merged document">
            { stale_strip(props.stale) }
            { body }
        </section>
    }
}
