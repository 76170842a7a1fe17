//! The values of one action, from the old to the new ones: recorded, real, desired.

use diag::order;
use serde_json::Value as Json;
use workspace::view::{Action, ActionView, ChangeView, LocationView, PlanView};
use yew::prelude::*;

use super::sentence::producer;
use crate::{
    LayerBadge,
    views::{
        Same,
        cell::{absent, marked, path, secret},
        diff::Side,
        long::LongValue,
        place::PlaceLink,
        value,
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ChangesProps {
    pub(super) plan: Same<PlanView>,
    pub(super) at: usize,
    pub(super) layers: Same<Vec<LayerBadge>>,
    pub(super) on_follow: Callback<String>,
    pub(super) on_goto: Callback<LocationView>,
}

/// More values than this wait for a click.
const MOST_VALUES: usize = 12;

#[component]
pub(super) fn Changes(props: &ChangesProps) -> Html {
    let whole = use_state(|| false);
    let Some(action) = props.plan.actions.get(props.at) else { return Html::default() };
    if action.changes.is_empty() {
        return html! { <p class="plan-note">{ no_values(action) }</p> };
    }
    let columns = Columns::of(&action.changes);
    let sorted = what_matters_first(&action.changes);
    let most = if *whole { usize::MAX } else { MOST_VALUES };
    let left = sorted.len().saturating_sub(most);
    let show = Callback::from(move |_: MouseEvent| whole.set(true));
    let head = |words: &'static str| html! { <th scope="col" role="columnheader">{ words }</th> };
    html! {
        <div class="plan-values">
            <table class={columns.class()} role="table">
                <thead role="rowgroup"><tr role="row">
                    { head("Path") }
                    if columns.recorded { { head(if columns.agree { "Recorded and real" } else { "Recorded" })
                        } }
                    if columns.real { { head("Real") } }
                    if columns.desired { { head("Desired") } }
                    { head("From") }
                </tr></thead>
                <tbody role="rowgroup">
                    { for sorted.into_iter().take(most).map(|change| row(props, columns, change)) }
                </tbody>
            </table>
            if left > 0 {
                <button type="button" class="plan-more"
                    onclick={show}>{ format!("Show {left} more values") }</button>
            }
        </div>
    }
}

fn no_values(action: &ActionView) -> &'static str {
    match action.action {
        Action::Destroy => "Everything recorded of it will be removed.",
        Action::NoOp => "Every value matches the files.",
        Action::Move => {
            "Only its name differs: the state records it under the new one, and nothing happens to it."
        }
        Action::Create | Action::Update | Action::Rebuild | Action::Forget => "No value of its own differs.",
    }
}

/// The changes that force a rebuild first; within that, the order of the plan.
fn what_matters_first(changes: &[ChangeView]) -> Vec<&ChangeView> {
    let mut sorted: Vec<&ChangeView> = changes.iter().collect();
    order::by_key(&mut sorted, |change| !change.forces_rebuild);
    sorted
}

/// The columns that have content.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Columns {
    desired: bool,
    recorded: bool,
    real: bool,
    /// Every real value is the recorded one: one column shows both.
    agree: bool,
}

impl Columns {
    fn of(changes: &[ChangeView]) -> Self {
        let any = |of: fn(&ChangeView) -> bool| changes.iter().any(of);
        let recorded = any(|change| !change.persisted.is_null());
        let real = any(|change| !change.observed.is_null());
        let agree = recorded && real && changes.iter().all(|change| change.observed == change.persisted);
        let desired = any(|change| change.sensitive || !change.desired.is_null()) || !recorded && !real;
        Self { desired, recorded, real: real && !agree, agree }
    }

    fn class(self) -> Classes {
        let count = usize::from(self.desired) + usize::from(self.recorded) + usize::from(self.real);
        classes!("values", format!("values-{count}"))
    }
}

fn row(props: &ChangesProps, columns: Columns, change: &ChangeView) -> Html {
    let recorded = if columns.agree { "Recorded and real" } else { "Recorded" };
    html! {
        <tr role="row">
            <th scope="row" role="rowheader" class="value-where">
                <code class="value-path">{ path(&change.path) }</code>
                if change.forces_rebuild { <span class="tag tag-rebuild">{ "forces rebuild" }</span> }
            </th>
            if columns.recorded { <td role="cell" data-label={recorded}>{ prior(change, &change.persisted)
                }</td> }
            if columns.real { <td role="cell" data-label="Real">{ real(change, columns) }</td> }
            if columns.desired { <td role="cell" data-label="Desired">{ desired(props, change) }</td> }
            <td role="cell" class="value-from">{ from(props, change) }</td>
        </tr>
    }
}

fn from(props: &ChangesProps, change: &ChangeView) -> Html {
    let Some(origin) = &change.origin else { return Html::default() };
    html! {
        <PlaceLink place={origin.location.clone()} inferred={origin.inferred} layers={props.layers.0.clone()}
            on_goto={props.on_goto.clone()} />
    }
}

fn desired(props: &ChangesProps, change: &ChangeView) -> Html {
    match &change.desired {
        _ if change.sensitive => secret(),
        Json::Null => absent("is removed"),
        value if change.unknown => unknown(props, value),
        value => {
            let before = if change.persisted.is_null() { &change.observed } else { &change.persisted };
            marked(value, before, Side::New)
        }
    }
}

fn prior(change: &ChangeView, value: &Json) -> Html {
    match value {
        _ if change.sensitive => secret(),
        Json::Null => absent("not recorded"),
        value if change.unknown => marked(value, &Json::Null, Side::Both),
        value => marked(value, &change.desired, Side::Old),
    }
}

/// The real value, marked against the desired one; replaced by a short note if it equals the recorded or the desired
/// value.
fn real(change: &ChangeView, columns: Columns) -> Html {
    match &change.observed {
        _ if change.sensitive => secret(),
        Json::Null => absent("does not exist"),
        value if columns.recorded && *value == change.persisted => absent("as recorded"),
        value if columns.desired && *value == change.desired && !change.unknown => absent("as desired"),
        value => prior(change, value),
    }
}

/// The expression, and the resource after which its value is known.
fn unknown(props: &ChangesProps, value: &Json) -> Html {
    let text = value::plain(value);
    let addresses = || props.plan.actions.iter().map(|action| action.address.as_str());
    let producer = producer(&text, addresses()).map(str::to_owned);
    let link = producer.map(|address| {
        let words = format!("known after {}", address.rsplit('.').next().unwrap_or(&address));
        let onclick = props.on_follow.reform(move |_: MouseEvent| address.clone());
        html! { <button type="button" class="link value-producer" {onclick}>{ words }</button> }
    });
    html! {
        <span class="value-unknown">
            if value::is_long(value) {
                <LongValue value={value.clone()} other={Json::Null} side={Side::Both} class="t-reference" />
            } else {
                <code class="t-reference">{ text }</code>
            }
            { link.unwrap_or_else(|| absent("known later")) }
        </span>
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workspace::view::ChangeView;

    use super::{Columns, what_matters_first};

    fn change(path: &str, desired: &str, persisted: Option<&str>, forces_rebuild: bool) -> ChangeView {
        serde_json::from_value(
            json!({"path": path, "desired": desired, "persisted": persisted, "observed": null,
            "unknown": false, "sensitive": false, "forces_rebuild": forces_rebuild, "origin": null}),
        )
        .expect("a change")
    }

    #[test]
    fn columns_without_values_are_not_shown() {
        let columns = Columns::of(&[change("/a", "1", None, false)]);
        assert!(columns.desired && !columns.recorded && !columns.real);
        let columns = Columns::of(&[change("/a", "1", None, false), change("/b", "1", Some("2"), false)]);
        assert!(columns.desired && columns.recorded && !columns.real);
    }

    #[test]
    fn a_value_that_exists_as_recorded_is_shown_once() {
        let with =
            |observed: &str| ChangeView { observed: observed.into(), ..change("/a", "1", Some("2"), false) };
        let columns = Columns::of(&[with("2")]);
        assert!(columns.agree && columns.recorded && !columns.real);
        let columns = Columns::of(&[with("2"), with("3")]);
        assert!(!columns.agree && columns.recorded && columns.real);
    }

    #[test]
    fn changes_that_force_a_rebuild_come_first() {
        let changes =
            [change("/a", "1", None, false), change("/b", "1", None, true), change("/c", "1", None, true)];
        let paths: String = what_matters_first(&changes).iter().map(|change| change.path.as_str()).collect();
        assert_eq!(paths, "/b/c/a");
    }
}
