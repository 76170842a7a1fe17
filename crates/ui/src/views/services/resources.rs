//! The kinds, a field to try names in, and the details of one kind or of all.

use web_sys::HtmlElement;
use yew::prelude::*;

use super::{dependence, findings, kind::Kind, show::Show, tree::Tree, tried::Try};
use crate::views::rove;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ResourcesProps {
    pub(super) show: Show,
    /// The kind that is shown.
    pub(super) pick: Option<AttrValue>,
}

#[component]
pub(super) fn Resources(ResourcesProps { show, pick }: &ResourcesProps) -> Html {
    let onkeydown = {
        let (on_pick, open) = (show.on_pick.clone(), pick.is_some());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && open {
                event.stop_propagation();
                on_pick.emit(None);
            }
        })
    };
    let body = use_node_ref();
    use_focus(&body, pick.as_ref());
    html! {
        <div ref={body} class={classes!("services-body", pick.is_some().then_some("with-pick"))} {onkeydown}>
            <div class="services-side">
                <Try show={show.clone()} />
                <Tree show={show.clone()} pick={pick.clone()} />
            </div>
            <div class="services-main">
                if let Some(kind) = pick {
                    <Kind key={kind.to_string()} show={show.clone()} kind={kind.clone()} />
                } else {
                    { all(show) }
                }
            </div>
        </div>
    }
}

/// Keeps the focus on the page where the list of kinds gives way to the details of one, and back.
#[hook]
fn use_focus(body: &NodeRef, pick: Option<&AttrValue>) {
    let (body, before) = (body.clone(), use_mut_ref(|| None::<AttrValue>));
    use_effect_with(pick.cloned(), move |pick| {
        let before = before.replace(pick.clone());
        let Some(body) = body.cast::<HtmlElement>() else { return };
        let first = |selector: &str| rove::matching(&body, selector).into_iter().next();
        let is_hidden = first(".services-side").is_some_and(|it| it.offset_parent().is_none());
        match (pick, before) {
            (Some(_), _) if is_hidden => {
                body.set_scroll_top(0);
                first(".services-back").map(|it| it.focus());
            }
            (None, Some(before)) => {
                let kinds = rove::matching(&body, ".services-kind").into_iter();
                let mut kinds = kinds.filter(|it| it.get_attribute("data-kind").as_deref() == Some(&*before));
                kinds.next().map(|it| it.focus());
            }
            _ => {}
        }
    });
}

/// The details of all kinds together.
fn all(show: &Show) -> Html {
    let references: Vec<_> = show.view.dependences.iter().filter(|it| it.field.is_some()).collect();
    html! {
        <>
            { findings::list(show, &findings::of(show, None)) }
            <section class="services-part" aria-label="References">
                <h4>{ "References " }<span class="count">{ references.len() }</span></h4>
                if references.is_empty() {
                    <p class="muted">{ "No kind refers to another one." }</p>
                } else {
                    <p class="muted">{ "When the resource on the right is deleted:" }</p>
                    <ul class="services-list">{ for references.iter().map(|it| dependence::row(show, it)) }</ul>
                }
            </section>
            <p class="services-hint muted">{ "Choose a kind to see its methods and what depends on it." }</p>
        </>
    }
}
