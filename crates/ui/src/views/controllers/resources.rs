//! A table of a kind's resources; those of the user's own kind can be edited in it.

use yew::prelude::*;

use super::{
    ControllersEvent,
    adding::Adding,
    field::NumberField,
    list::heading_id,
    snapshot::{KindItem, ResourceItem},
    words,
};
use crate::{IconButton, IconName};

/// The columns, with their headings for narrow screens.
const COLUMNS: [&str; 6] = ["Id", "Says", "Phase", "Version", "Owner", "Held by"];

/// A kind and its resources.
pub(super) fn table(
    kind: &KindItem,
    refused: Option<&AttrValue>,
    on_event: &Callback<ControllersEvent>,
) -> Html {
    let note = if kind.editable { "yours to edit" } else { "written by controllers" };
    html! {
        <section key={kind.node.clone()} class={classes!("controllers-section", kind.editable.then_some("own"))}
            aria-labelledby={heading_id(&kind.name)} data-kind={kind.name.clone()}>
            <h3 id={heading_id(&kind.name)} tabindex="-1">
                { &kind.name }<span class="count">{ words::content(kind) }</span><span class="muted">{ note }</span>
            </h3>
            if kind.resources.is_empty() {
                <p class="controllers-none muted">{ none(kind) }</p>
            } else {
                <table class="controllers-table">
                    <thead><tr>
                        { for COLUMNS.into_iter().map(|column| html! { <th scope="col">{ column }</th> }) }
                        if kind.editable { <th scope="col"><span class="visually-hidden">{ "Remove" }</span></th> }
                    </tr></thead>
                    <tbody>{ for kind.resources.iter().map(|resource| row(kind, resource, on_event)) }</tbody>
                </table>
            }
            if kind.editable {
                <Adding taken={kind.resources.iter().map(|it| it.id.clone()).collect::<Vec<_>>()}
                    refused={refused.cloned()} on_event={on_event.clone()} />
            }
        </section>
    }
}

fn none(kind: &KindItem) -> &'static str {
    if kind.editable {
        "No numbers. Add one, and the controllers start to work."
    } else {
        "None at the moment."
    }
}

fn row(kind: &KindItem, resource: &ResourceItem, on_event: &Callback<ControllersEvent>) -> Html {
    let [_, says, phase, version, owner, held] = COLUMNS;
    let class = classes!(resource.leaving.then_some("leaving"));
    let held_by =
        if resource.held_by.is_empty() { "nobody".into() } else { words::listed(&resource.held_by) };
    html! {
        <tr key={resource.id.clone()} {class} data-resource={resource.id.clone()}>
            <th scope="row">{ &resource.id }</th>
            <td data-label={says} class="controllers-says">{ spec(kind, resource, on_event) }</td>
            <td data-label={phase}>{ if resource.leaving { "tearing down" } else { "running" } }</td>
            <td data-label={version} class="controllers-number">{ resource.version }</td>
            <td data-label={owner}>{ resource.owner.clone().unwrap_or_else(|| "you".into()) }</td>
            <td data-label={held}>{ held_by }</td>
            if kind.editable { <td class="controllers-remove">{ remove(resource, on_event) }</td> }
        </tr>
    }
}

fn spec(kind: &KindItem, resource: &ResourceItem, on_event: &Callback<ControllersEvent>) -> Html {
    if !kind.editable || resource.leaving {
        return html! { <span>{ &resource.spec }</span> };
    }
    let id = resource.id.clone();
    let on_put = on_event.reform(move |number| ControllersEvent::Put { id: id.clone(), number });
    html! {
        <NumberField label={format!("Number {}", resource.id)} value={resource.spec.clone()} {on_put} />
    }
}

fn remove(resource: &ResourceItem, on_event: &Callback<ControllersEvent>) -> Html {
    let id = resource.id.clone();
    let onclick = on_event.reform(move |_: MouseEvent| ControllersEvent::Remove { id: id.clone() });
    let label = if resource.leaving {
        format!("{} is tearing down", resource.id)
    } else {
        format!("Remove {}", resource.id)
    };
    IconButton::new(IconName::Trash, label, onclick).disabled(resource.leaving).html()
}
