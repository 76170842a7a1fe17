use super::{Change, ChangeClass, ChangeKind, Side, pairs::KindPairs};
use crate::Kind;

/// Adds the change in the parents of a kind, as one change. A kind at the root is one that can only be without parent.
pub(super) fn compare(
    (before, old): (&Kind, Side<'_>),
    (after, new): (&Kind, Side<'_>),
    pairs: &KindPairs<'_>,
    changes: &mut Vec<Change>,
) {
    let (olds, news) = (texts(before, old), texts(after, new));
    let renamed: Vec<&str> = effective(&olds).into_iter().map(|it| pairs.renamed(it)).collect();
    let Some(kind) = change(&renamed, &effective(&news)) else { return };
    let class = match kind {
        ChangeKind::ParentAdded => ChangeClass::Compatible,
        _ => ChangeClass::Breaking,
    };
    let change = Change::new(kind, class, &*before.name).values(list(&olds), list(&news));
    changes.push(change.at(before.span, after.span));
}

fn change(old: &[&str], new: &[&str]) -> Option<ChangeKind> {
    let lost: Vec<&str> = old.iter().copied().filter(|it| !new.contains(it)).collect();
    let is_gained = new.iter().any(|it| !old.contains(it));
    match (&*lost, is_gained) {
        ([], false) => None,
        ([], true) => Some(ChangeKind::ParentAdded),
        ([""], true) if old.len() == 1 => Some(ChangeKind::FirstParentAdded),
        ([""], false) => Some(ChangeKind::OptionalParentDropped),
        (_, true) => Some(ChangeKind::ParentReplaced),
        (_, false) => Some(ChangeKind::ParentRemoved),
    }
}

fn texts(kind: &Kind, side: Side<'_>) -> Vec<String> {
    kind.parents.iter().map(|it| it.map_or_else(String::new, |it| side.name_of(it))).collect()
}

fn effective(parents: &[String]) -> Vec<&str> {
    if parents.is_empty() { vec![""] } else { parents.iter().map(String::as_str).collect() }
}

/// That there need not be a parent is an empty text in quotes, as in specifications.
fn list(parents: &[String]) -> String {
    let text = |it: &String| if it.is_empty() { "\"\"".to_owned() } else { it.clone() };
    parents.iter().map(text).collect::<Vec<_>>().join(", ")
}
