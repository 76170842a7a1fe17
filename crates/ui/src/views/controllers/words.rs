//! States, edges and lints in words.

use js_sys::Date;
use runtime::codes::{DENIED, LIVELOCK, STUCK_TEARDOWN, TEARDOWN_CYCLE, TWO_WRITERS, WRITE_LOOP};
use wasm_bindgen::JsValue;
use workspace::view::ControllerEdge;

use super::snapshot::{ControllerItem, EdgeItem, KindItem, Snapshot};

/// `3 ok · 1 failed`; nothing about failures as long as there are none.
pub(super) fn runs(item: &ControllerItem) -> String {
    match item.failed {
        0 => format!("{} ok", item.ok),
        failed => format!("{} ok · {failed} failed", item.ok),
    }
}

/// The number of resources of a kind, and of those that are being torn down.
pub(super) fn content(kind: &KindItem) -> String {
    match (kind.count, kind.leaving) {
        (0, _) => "none".into(),
        (all, 0) => all.to_string(),
        (all, leaving) => format!("{all} · {leaving} being torn down"),
    }
}

/// The meaning of an edge, and the number of times that it was used.
pub(super) fn edge(snapshot: &Snapshot, edge: &EdgeItem) -> String {
    let name = |node: &str| {
        let controller = snapshot.controllers.iter().find(|it| it.node == node).map(|it| it.id.clone());
        let kind = || snapshot.kinds.iter().find(|it| it.node == node).map(|it| it.name.clone());
        controller.or_else(kind).unwrap_or_default()
    };
    let (from, to, times) = (name(&edge.from), name(&edge.to), times(edge.count));
    match edge.edge {
        ControllerEdge::Exclusive => format!("Only {from} writes {to}: {times}"),
        ControllerEdge::Shared => format!("{from} writes {to}, as one of several: {times}"),
        ControllerEdge::Removes => format!("{from} removes {to}: {times}"),
        ControllerEdge::Strong => format!("{to} reads {from} and can hold them: triggered {times}"),
        ControllerEdge::Weak => format!("{to} reads {from}: triggered {times}"),
        ControllerEdge::DestroyReady => {
            format!("{to} is notified when deletion of its {from} is safe: triggered {times}")
        }
    }
}

/// `once`, `3 times`.
pub(super) fn times(count: u64) -> String {
    match count {
        0 => "not yet".into(),
        1 => "once".into(),
        count => format!("{count} times"),
    }
}

/// The remedy for a lint.
pub(super) fn remedy(code: &str) -> &'static str {
    match code {
        it if it == TWO_WRITERS.as_str() => {
            "Declare the output as shared in both, or give each its own kind."
        }
        it if it == TEARDOWN_CYCLE.as_str() => "Make one of them read without holding (a weak input).",
        it if it == WRITE_LOOP.as_str() || it == LIVELOCK.as_str() => {
            "Make one of them write only values that differ from the current ones."
        }
        it if it == DENIED.as_str() => "Declare the input or output that it uses.",
        it if it == STUCK_TEARDOWN.as_str() => {
            "See why the holder does not release it: its last error is in the list. A stopped runtime \
             releases nothing."
        }
        _ => "Check the controllers that it names.",
    }
}

/// The time of day, to the second.
pub(super) fn clock(at: f64) -> String {
    let date = Date::new(&JsValue::from_f64(at));
    format!("{:02}:{:02}:{:02}", date.get_hours(), date.get_minutes(), date.get_seconds())
}

/// A list in words: `a`, `a and b`, `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::snapshot::*, ControllerEdge, content, edge, listed, runs, times};

    #[test]
    fn counts_in_words() {
        assert_eq!((times(0), times(1), times(7)), ("not yet".into(), "once".into(), "7 times".into()));
        let item = ControllerItem { ok: 3, ..ControllerItem::default() };
        assert_eq!(runs(&item), "3 ok");
        assert_eq!(runs(&ControllerItem { failed: 2, ..item }), "3 ok · 2 failed");
    }

    #[test]
    fn a_kind_says_what_leaves() {
        let kind = |count, leaving| KindItem { count, leaving, ..KindItem::default() };
        assert_eq!(content(&kind(0, 0)), "none");
        assert_eq!(content(&kind(1, 0)), "1");
        assert_eq!(content(&kind(2, 1)), "2 · 1 being torn down");
    }

    #[test]
    fn edges_say_who_and_how_often() {
        let controllers = vec![ControllerItem { node: "c".into(), id: "root".into(), ..Default::default() }];
        let kinds = vec![KindItem { node: "k".into(), name: "Roots".into(), ..Default::default() }];
        let snapshot = Snapshot { controllers, kinds, ..Snapshot::default() };
        let item = |from: &str, to: &str, edge| EdgeItem {
            from: from.into(),
            to: to.into(),
            edge,
            count: 2,
            ..EdgeItem::default()
        };
        assert_eq!(
            edge(&snapshot, &item("c", "k", ControllerEdge::Exclusive)),
            "Only root writes Roots: 2 times"
        );
        assert_eq!(
            edge(&snapshot, &item("k", "c", ControllerEdge::Strong)),
            "root reads Roots and can hold them: triggered 2 times"
        );
    }

    #[test]
    fn lists() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&items), "a, b and c");
        assert_eq!(listed(&items[..1]), "a");
    }
}
