//! The card of a line: the files that set it, from last to first, and the ways to change it.

use diag::order;
use workspace::view::{LocationView, MergeView, OriginView, ShadowedView};
use yew::prelude::*;

use super::{
    SetValue,
    affected::{affected, dotted},
    editor::Editor,
    lines::Line,
    row::short,
};
use crate::{
    IconName, LayerBadge,
    views::{Same, place::PlaceLink, prose::prose, value},
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct CardProps {
    pub(super) merge: Same<MergeView>,
    pub(super) lines: Same<Vec<Line>>,
    pub(super) line: usize,
    pub(super) layers: Same<Vec<LayerBadge>>,
    /// Pixels from the top of all lines.
    pub(super) top: i32,
    /// Near the end: the card stands above its line.
    pub(super) last: bool,
    pub(super) pinned: bool,
    pub(super) editing: bool,
    pub(super) on_goto: Callback<LocationView>,
    pub(super) on_set: Option<Callback<SetValue>>,
    pub(super) on_edit: Callback<()>,
    pub(super) on_close: Callback<()>,
}

#[component]
pub(super) fn Card(props: &CardProps) -> Html {
    let Some(line) = props.lines.get(props.line) else { return Html::default() };
    let style = if props.last {
        format!("top:{}px;transform:translateY(-100%)", props.top - super::document::ROW)
    } else {
        format!("top:{}px", props.top)
    };
    let class = classes!("merged-card", props.pinned.then_some("pinned"));
    let onkeydown = {
        let on_close = props.on_close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                on_close.emit(());
            }
        })
    };
    html! {
        <div {class} ~style={style} role="group" aria-label={format!("Origin of {}", dotted(&line.pointer))}
            {onkeydown} onclick={Callback::from(|event: MouseEvent| event.stop_propagation())}>
            <p class="card-title">
                <code>{ dotted(&line.pointer) }</code>
                if props.pinned {
                    <button type="button" class="icon-button" title="Close (Escape)" aria-label="Close"
                        onclick={props.on_close.reform(|_: MouseEvent| ())}>{ IconName::Close.html() }</button>
                }
            </p>
            { match &line.origin {
                Some(origin) => chain(props, line, origin),
                None => html! { <p class="card-note">{ "No origin is recorded for this line." }</p> },
            } }
            if let Some(because) = &line.because { <p class="card-note">{ prose(because) }</p> }
            { change(props, line) }
        </div>
    }
}

/// The effective origin, then the values that it replaced.
fn chain(props: &CardProps, line: &Line, origin: &OriginView) -> Html {
    html! {
        <ol class="card-chain">
            <li class="effective">
                <PlaceLink place={origin.location.clone()} layers={props.layers.0.clone()}
                    on_goto={props.on_goto.clone()} inferred={line.is_inferred()} />
                <span class="card-rule">{ origin.rule.phrase() }</span>
                if line.scalar { <code class={classes!("card-value", line.token.class())}>{ short(&line.text)
                    }</code> }
            </li>
            { for origin.shadowed.iter().map(|old| shadowed(props, old)) }
        </ol>
    }
}

fn shadowed(props: &CardProps, ShadowedView { location, rule: by, value }: &ShadowedView) -> Html {
    html! {
        <li>
            <PlaceLink place={location.clone()} layers={props.layers.0.clone()}
                on_goto={props.on_goto.clone()} />
            <span class="card-rule">{ format!("{}, replaced", by.phrase()) }</span>
            <code class="card-value"><s>{ old_value(value) }</s></code>
        </li>
    }
}

fn old_value(value: &serde_json::Value) -> String {
    if value.is_null() { value::SECRET.into() } else { short(&value::flow(value)) }
}

/// The pencil, or the form it opens.
fn change(props: &CardProps, line: &Line) -> Html {
    let Some(on_set) = props.on_set.as_ref().filter(|_| line.scalar && !line.is_inferred()) else {
        return Html::default();
    };
    if !props.editing {
        let onclick = props.on_edit.reform(|_: MouseEvent| ());
        return html! {
            <button type="button" class="quiet-button" {onclick}>{ IconName::Pencil.html() }<span>{ "Change" }</span></button>
        };
    }
    html! {
        <Editor pointer={line.pointer.clone()} value={line.value().to_owned()}
            targets={targets(&props.layers, line)}
            affected={affected(&props.lines, line).sentence()} on_set={on_set.clone()}
                on_close={props.on_close.clone()} />
    }
}

/// A file that could set the value, and the effect.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    pub(super) layer: LayerBadge,
    /// The effect of setting it there.
    pub(super) effect: String,
    /// True if it would change the effective value.
    pub(super) effective: bool,
}

/// Every layer: the one that sets the value now first, then those that override it, then the lower ones.
fn targets(layers: &[LayerBadge], line: &Line) -> Vec<Target> {
    let now = line.file().and_then(|file| LayerBadge::of(layers, file));
    let number = now.and_then(|layer| layer.number);
    let wrote = |layer: &LayerBadge| {
        line.origin
            .as_ref()
            .is_some_and(|origin| origin.shadowed.iter().any(|old| old.location.file == *layer.file))
    };
    let mut targets: Vec<Target> = layers
        .iter()
        .filter(|layer| layer.number.is_some())
        .map(|layer| {
            let effect = match layer.number {
                same if same == number => "sets it now".to_owned(),
                later if later > number => "would override it".to_owned(),
                _ => {
                    let by = now.map_or("", |layer| &layer.file);
                    format!(
                        "{}, {by} overrides it",
                        if wrote(layer) { "set it before" } else { "does not set it" }
                    )
                }
            };
            Target { layer: layer.clone(), effect, effective: layer.number >= number }
        })
        .collect();
    order::by_key(&mut targets, |target| {
        let rank = if target.layer.number == number {
            0
        } else if target.effective {
            1
        } else {
            2
        };
        (rank, target.layer.number)
    });
    targets
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workspace::view::MergeView;

    use super::{super::lines::lines, targets};
    use crate::LayerBadge;

    #[test]
    fn the_file_that_sets_it_comes_first() {
        let layers: Vec<_> = ["base", "prod", "local"]
            .into_iter()
            .enumerate()
            .map(|(at, file)| LayerBadge {
                file: file.into(),
                number: u32::try_from(at + 1).ok(),
                letter: "A".into(),
                color_index: at,
                apart: None,
                muted: false,
            })
            .collect();
        let view: MergeView = serde_json::from_value(json!({
            "format": "", "diagnostics": [], "inferred": [], "document": {"a": 2},
            "origins": {"/a": {"file": "prod", "line": 1, "column": 1, "end_line": 1, "end_column": 2, "rule":
                "override", "shadowed": [
                {"file": "base", "line": 1, "column": 1, "end_line": 1, "end_column": 2, "rule": "set",
                    "value": 1}]}}
        }))
        .expect("a view");
        let all = lines(&view);
        let found = targets(&layers, all.first().expect("a line"));
        let said: Vec<_> =
            found.iter().map(|target| (target.layer.file.to_string(), target.effect.as_str())).collect();
        assert_eq!(
            said,
            [
                ("prod".into(), "sets it now"),
                ("local".into(), "would override it"),
                ("base".into(), "set it before, prod overrides it")
            ]
        );
    }
}
