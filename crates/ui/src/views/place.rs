//! A place in a file, as a link to it.

use std::rc::Rc;

use workspace::view::LocationView;
use yew::prelude::*;

use crate::{IconName, LayerBadge, layer_mark};

/// Properties of [`PlaceLink`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct PlaceLinkProps {
    /// The place.
    pub place: LocationView,
    /// The files, for the badge.
    pub layers: Rc<Vec<LayerBadge>>,
    /// Called with the place.
    pub on_goto: Callback<LocationView>,
    /// True if the value is not written there, but follows from the text there.
    #[prop_or_default]
    pub inferred: bool,
    /// In the tab order. Rows that have their own keys take their links out of it.
    #[prop_or(true)]
    pub tabbable: bool,
}

/// A chip that shows file and line, and opens them.
#[component]
pub fn PlaceLink(props: &PlaceLinkProps) -> Html {
    let LocationView { file, line, column, .. } = &props.place;
    let badge = LayerBadge::of(&props.layers, file).cloned();
    let onclick = {
        let (place, on_goto) = (props.place.clone(), props.on_goto.clone());
        Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            on_goto.emit(place.clone());
        })
    };
    let title = if props.inferred {
        format!("follows from {file}, line {line}, column {column}")
    } else {
        format!("go to {file}, line {line}, column {column}")
    };
    html! {
        <button type="button" class={classes!("place", props.inferred.then_some("place-inferred"))} {title}
            {onclick}
            tabindex={if props.tabbable { "0" } else { "-1" }}>
            if let Some(layer) = badge { { layer_mark(&layer, false) } }
            <span class="place-name">{ file_name(file) }{ format!(":{line}") }</span>
        </button>
    }
}

/// A file's whole name; where there is no room for all of it, its folders give way first.
pub(crate) fn file_name(file: &str) -> Html {
    let (folder, name) = split(file);
    html! {
        <>
            if !folder.is_empty() { <span class="place-folder">{ folder }</span> }
            <span class="place-file">{ name }</span>
        </>
    }
}

/// `layers/` and `prod.yaml`.
fn split(file: &str) -> (&str, &str) {
    file.split_at(file.rfind('/').map_or(0, |at| at + 1))
}

/// The strip above a pane whose model is older than the text.
pub(crate) fn stale_strip(stale: bool) -> Html {
    if !stale {
        return Html::default();
    }
    strip(IconName::Clock, "Showing the last valid version; updates when the errors are fixed.")
}

/// The strip above a view, for a fact that has to be known before the view is read.
pub fn strip(icon: IconName, words: impl Into<AttrValue>) -> Html {
    html! {
        <p class="pane-stale" role="status">
            { icon.html() }
            <span>{ words.into() }</span>
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_name_is_its_folders_and_the_rest() {
        assert_eq!(split("layers/a/prod.yaml"), ("layers/a/", "prod.yaml"));
        assert_eq!(split("prod.yaml"), ("", "prod.yaml"));
        assert_eq!(split(""), ("", ""));
    }
}
