//! The differences between the texts of files, in numbers.

use std::collections::{BTreeMap, BTreeSet};

use ui::views::TextDifference;

use super::points::Source;

/// The files whose texts differ, by name. States have no files.
pub(super) fn differences(before: &Source, after: &Source) -> Vec<TextDifference> {
    let (Some(before), Some(after)) = (texts(before), texts(after)) else { return Vec::new() };
    let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let differing = names.into_iter().filter(|name| before.get(name) != after.get(name));
    let count = |name: &str| {
        let (was, is) =
            (before.get(name).copied().unwrap_or_default(), after.get(name).copied().unwrap_or_default());
        TextDifference {
            file: name.to_owned().into(),
            before: was.to_owned().into(),
            after: is.to_owned().into(),
            removed: only_in(was, is),
            added: only_in(is, was),
        }
    };
    differing.map(count).collect()
}

fn texts(source: &Source) -> Option<BTreeMap<&str, &str>> {
    match source {
        Source::Files(files) => Some(files.iter().map(|it| (&*it.name, &*it.text)).collect()),
        Source::Opened(opened) => Some(opened.files.iter().map(|it| (&*it.name, &*it.text)).collect()),
        Source::State(_) | Source::Version(_) => None,
    }
}

/// The number of lines of a text that another one does not have, at any position.
fn only_in(text: &str, other: &str) -> usize {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    other.lines().for_each(|line| *left.entry(line).or_default() += 1);
    let mut only = 0;
    for line in text.lines() {
        match left.get_mut(line) {
            Some(count) if *count > 0 => *count -= 1,
            _ => only += 1,
        }
    }
    only
}
