//! The controllers in words, in order: the content of the drawing, and the last errors.

use workspace::view::ControllerEdge;
use yew::prelude::*;

use super::{
    snapshot::{ControllerItem, LintItem, Snapshot},
    words,
};
use crate::IconName;

/// The controllers.
pub(super) fn list(snapshot: &Snapshot) -> Html {
    html! {
        <div class="controllers-section">
            <h3>{ "Controllers" }</h3>
            <ol class="controllers-list">{ for snapshot.controllers.iter().map(|item| entry(snapshot, item)) }</ol>
        </div>
    }
}

fn entry(snapshot: &Snapshot, item: &ControllerItem) -> Html {
    let reads = ends(snapshot, item, &[ControllerEdge::Strong, ControllerEdge::Weak]);
    let writes = ends(snapshot, item, &[ControllerEdge::Exclusive, ControllerEdge::Shared]);
    let removes = ends(snapshot, item, &[ControllerEdge::Removes]);
    html! {
        <li key={item.node.clone()} data-controller={item.id.clone()}>
            <p class="controllers-line">
                <span class={classes!("controllers-lamp", format!("doing-{}", item.state))} aria-hidden="true" />
                <code class="controllers-name">{ &item.id }</code>
                <span class="controllers-state">{ item.state.word() }</span>
                <span class="muted controllers-runs">{ tally(item) }</span>
            </p>
            <p class="muted">{ &item.does }</p>
            <p class="controllers-ends">
                { some("reads", &reads) }{ some("writes", &writes) }{ some("removes", &removes) }
                <span class="muted">{ item.style.phrase() }</span>
            </p>
            { last_error(item) }
        </li>
    }
}

fn tally(item: &ControllerItem) -> String {
    let queue = match item.queue {
        0 => String::new(),
        waiting => format!(" · {waiting} queued"),
    };
    let skipped = match item.skipped {
        0 => String::new(),
        skipped => format!(" · {skipped} skipped"),
    };
    format!("{}{skipped}{queue}", words::runs(item))
}

/// The last error with its time, and the time of the next attempt: emphasized only while it lasts.
fn last_error(item: &ControllerItem) -> Html {
    let Some((message, at)) = &item.error else { return Html::default() };
    let next = item.retry_at.map(|at| format!("It is retried at {}.", words::clock(at)));
    let given_up = (item.given_up > 0).then(|| "It is retried when its input changes.".to_owned());
    let now = next.is_some() || given_up.is_some();
    let after = next.or(given_up).unwrap_or_default();
    html! {
        <p class={classes!("controllers-error", now.then_some("now"))}>
            { if now { IconName::Warning } else { IconName::Clock }.html() }
            <span>{ format!("{} at {}: {message}. {after}", if now { "Failed" } else { "Last error" }, words::clock(*at)) }</span>
        </p>
    }
}

/// The kinds at the other ends of a controller's edges, each once.
fn ends(snapshot: &Snapshot, item: &ControllerItem, edges: &[ControllerEdge]) -> Vec<String> {
    let mut names = Vec::new();
    for edge in snapshot.edges.iter().filter(|edge| edges.contains(&edge.edge)) {
        let other = match () {
            () if edge.from == item.node => &edge.to,
            () if edge.to == item.node => &edge.from,
            () => continue,
        };
        let kind = snapshot.kinds.iter().find(|kind| kind.node == *other);
        names.extend(kind.map(|kind| kind.name.clone()).filter(|name| !names.contains(name)));
    }
    names
}

fn some(verb: &'static str, kinds: &[String]) -> Html {
    if kinds.is_empty() {
        return Html::default();
    }
    html! {
        <span class="controllers-end"><span class="muted">{ verb }</span>{ format!(" {}", words::listed(kinds)) }</span>
    }
}

/// The lints of the graph, each with its remedy.
pub(super) fn lints(lints: &[LintItem]) -> Html {
    if lints.is_empty() {
        return Html::default();
    }
    html! {
        <section class="controllers-section controllers-lints" aria-label="Problems">
            <ul>{ for lints.iter().map(|lint| html! {
                <li>
                    { IconName::Warning.html() }
                    <p><span class="controllers-lint">{ &lint.message }</span>{ " " }
                        <span class="muted">{ words::remedy(&lint.code) }</span>{ " " }
                        <code class="muted">{ &lint.code }</code></p>
                </li>
            }) }</ul>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::{super::snapshot::*, ControllerEdge, ends, tally};

    #[test]
    fn the_ends_of_a_controller_are_said_once() {
        let kind =
            |name: &str| KindItem { node: format!("kind:{name}"), name: name.into(), ..Default::default() };
        let edge = |from: &str, to: &str, edge| EdgeItem {
            from: from.into(),
            to: to.into(),
            edge,
            ..EdgeItem::default()
        };
        let item = ControllerItem { node: "c".into(), ok: 1, skipped: 2, queue: 3, ..Default::default() };
        let snapshot = Snapshot {
            kinds: vec![kind("A"), kind("B")],
            edges: vec![
                edge("c", "kind:B", ControllerEdge::Shared),
                edge("kind:A", "c", ControllerEdge::Strong),
                edge("kind:B", "c", ControllerEdge::DestroyReady),
                edge("kind:A", "other", ControllerEdge::Weak),
                edge("kind:A", "c", ControllerEdge::Weak),
            ],
            ..Snapshot::default()
        };
        assert_eq!(ends(&snapshot, &item, &[ControllerEdge::Strong, ControllerEdge::Weak]), ["A"]);
        assert_eq!(ends(&snapshot, &item, &[ControllerEdge::Exclusive, ControllerEdge::Shared]), ["B"]);
        assert_eq!(tally(&item), "1 ok · 2 skipped · 3 queued");
    }
}
