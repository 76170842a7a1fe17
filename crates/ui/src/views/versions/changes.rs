//! The changes of packages between two selections.

use std::cmp::Ordering;

use workspace::view::{SelectedView, VersionChangeKind, VersionChangeView};
use yew::prelude::*;

use super::name;
use crate::tone_class;

/// The differences between two selections, in the order of the later one; removed packages come last.
pub(super) fn between(before: &[SelectedView], after: &[SelectedView]) -> Vec<VersionChangeView> {
    let find = |all: &[SelectedView], wanted: &SelectedView| {
        all.iter().find(|it| name::of(it) == name::of(wanted)).cloned()
    };
    let changed = after.iter().filter_map(|now| change(find(before, now).as_ref(), Some(now)));
    let gone = before.iter().filter(|it| find(after, it).is_none());
    changed.chain(gone.filter_map(|it| change(Some(it), None))).collect()
}

fn change(before: Option<&SelectedView>, after: Option<&SelectedView>) -> Option<VersionChangeView> {
    let what = match (before, after) {
        (Some(old), Some(new)) if old.id == new.id => return None,
        (Some(old), Some(new)) => match compare(&old.version, &new.version) {
            Ordering::Less => VersionChangeKind::Up,
            Ordering::Greater => VersionChangeKind::Down,
            Ordering::Equal => VersionChangeKind::Changed,
        },
        (None, _) => VersionChangeKind::Added,
        (_, None) => VersionChangeKind::Removed,
    };
    let version = |it: Option<&SelectedView>| it.map(|it| it.version.clone());
    Some(VersionChangeView {
        package: name::of(after.or(before)?).to_owned(),
        change: what,
        before: version(before),
        after: version(after),
    })
}

/// The order of two versions: numbers compare by value, and pre-releases come before their release.
fn compare(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| -> (Vec<Part>, Option<Vec<Part>>) {
        let text = text.split('+').next().unwrap_or_default();
        match text.split_once('-') {
            Some((core, named)) => (split(core), Some(split(named))),
            None => (split(text), None),
        }
    };
    let ((a, named_a), (b, named_b)) = (parts(a), parts(b));
    a.cmp(&b).then_with(|| match (named_a, named_b) {
        (None, None) => Ordering::Equal,
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (Some(a), Some(b)) => a.cmp(&b),
    })
}

/// A part of a version. Numbers come before words.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u64),
    Word(String),
}

fn split(text: &str) -> Vec<Part> {
    let part = |it: &str| it.parse().map_or_else(|_| Part::Word(it.to_owned()), Part::Number);
    text.split('.').map(part).collect()
}

/// The changes, one below another.
pub(super) fn list(changes: &[VersionChangeView]) -> Html {
    html! { <ul class="versions-changes">{ for changes.iter().map(|it| html! { <li>{ one(it) }</li> }) }</ul> }
}

/// `↑ queue 1.0.0 → 2.0.0`
pub(super) fn one(change: &VersionChangeView) -> Html {
    let (sign, word) = (change.change.symbol(), change.change.word());
    let class = tone_class(change.change.tone());
    let version = |it: &Option<String>| it.clone().unwrap_or_default();
    let versions = match (&change.before, &change.after) {
        (Some(before), Some(after)) if before != after => {
            html! { <><s>{ before }</s><span aria-label="to">{ " → " }</span><strong>{ after }</strong></> }
        }
        (before, None) => html! { <s>{ version(before) }</s> },
        (_, after) => html! { <strong>{ version(after) }</strong> },
    };
    html! {
        <span class={classes!("versions-change", class)}>
            <span class="action-symbol" title={word} aria-hidden="true">{ sign }</span>
            <span class="visually-hidden">{ word }</span>
            <span class="versions-name">{ &change.package }</span>
            <span class="versions-step">{ versions }</span>
        </span>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(package: &str, version: &str) -> SelectedView {
        SelectedView {
            id: format!("main:{package}:{version}:stable"),
            package: package.into(),
            version: version.into(),
            ..SelectedView::default()
        }
    }

    #[test]
    fn selections_are_compared_package_by_package() {
        let before =
            [chosen("a", "1.9.0"), chosen("b", "1.0.0"), chosen("c", "2.0.0"), chosen("same", "1.0.0")];
        let after =
            [chosen("same", "1.0.0"), chosen("c", "2.0.0-rc.1"), chosen("a", "1.10.0"), chosen("d", "1.0.0")];
        let reported: Vec<String> =
            between(&before, &after).iter().map(|it| format!("{} {}", it.change, it.package)).collect();
        assert_eq!(reported, ["down c", "up a", "added d", "removed b"]);
    }

    #[test]
    fn variables_without_a_package_are_compared_by_name() {
        let it = |id: &str| SelectedView { id: id.into(), ..SelectedView::default() };
        let reported = between(&[it("a"), it("b")], &[it("b"), it("c")]);
        assert_eq!(reported.iter().map(|it| it.package.as_str()).collect::<Vec<_>>(), ["c", "a"]);
    }

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        let sorted =
            ["0.9.0", "1.0.0-alpha.2", "1.0.0-alpha.10", "1.0.0-alpha.x", "1.0.0", "1.2.0", "1.10.0"];
        for pair in sorted.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
        assert_eq!(compare("1.0.0+1", "1.0.0+2"), Ordering::Equal);
    }
}
