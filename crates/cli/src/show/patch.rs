use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Group, Level, Patch, Snippet};
use workspace::view::{DiagnosticView, EditView, FixView};

use super::diagnostics::Texts;
use super::width::{clean, shorten_end, shorten_start, width};

/// The width of the margin before a line of a patch.
const BESIDE: usize = 12;
/// The minimum width that is kept of a long line on each side of an edit.
const LEAST: usize = 8;
/// The maximum number of lines of an edit that is shown: a longer one says less than its title.
const LINES: usize = 12;
/// The number of mistakes of one code in one line whose patch is shown: the patches of others would be alike.
const SAME: usize = 3;

/// The number of occurrences of each mistake, by code, file and line.
#[derive(Debug, Default)]
pub(crate) struct Occurrences<'d>(BTreeMap<(&'d str, &'d str, u32), usize>);

impl<'d> Occurrences<'d> {
    /// True if a mistake is one of the first of its sort in its line.
    pub(crate) fn is_new(&mut self, diagnostic: &'d DiagnosticView) -> bool {
        let (Some(file), Some(line)) = (&diagnostic.file, diagnostic.line) else { return true };
        let count = self.0.entry((&diagnostic.code, file, line)).or_default();
        *count += 1;
        *count <= SAME
    }
}

/// A fix as the lines it makes, or its title alone where they would be too much; `None` where its file cannot be shown.
pub(crate) fn suggestion<'d>(
    fix: &'d FixView,
    texts: &'d Texts<'d>,
    width: usize,
    with_lines: bool,
) -> Option<Group<'d>> {
    if fix.edits.is_empty() || fix.edits.iter().any(|it| !texts.contains_key(it.location.file.as_str())) {
        return None;
    }
    let group = Group::with_title(Level::HELP.secondary_title(clean(&fix.title)));
    if !with_lines {
        return Some(group);
    }
    let room = width.saturating_sub(BESIDE);
    let patches: Option<Vec<Snippet<'d, Patch<'d>>>> =
        fix.edits.iter().map(|it| patch(it, texts, room)).collect();
    Some(patches.unwrap_or_default().into_iter().fold(group, Group::element))
}

fn patch<'d>(edit: &'d EditView, texts: &'d Texts<'d>, room: usize) -> Option<Snippet<'d, Patch<'d>>> {
    let text = texts.get(edit.location.file.as_str())?;
    let bytes = text.bytes(&edit.location);
    let piece = text.around(&bytes);
    let at = bytes.start - piece.start..bytes.end - piece.start;
    let (source, at) = cropped(piece.text, at, &edit.new_text, room)?;
    let patch = Patch::new(at, edit.new_text.as_str());
    Some(Snippet::source(source).path(clean(text.name)).line_start(piece.line).patch(patch))
}

/// The lines around an edit, without the parts that are far from it; `None` if the edit itself is too large.
fn cropped<'t>(
    text: &'t str,
    at: Range<usize>,
    new: &str,
    room: usize,
) -> Option<(Cow<'t, str>, Range<usize>)> {
    let (before, old, after) = (text.get(..at.start)?, text.get(at.clone())?, text.get(at.end..)?);
    let widest = |text: &str| text.lines().map(width).max().unwrap_or(0);
    let edited = widest(old).max(widest(new));
    if edited > room || old.lines().count().max(new.lines().count()) > LINES {
        return None;
    }
    let (line, rest) = after.split_at(after.find('\n').unwrap_or(after.len()));
    if width(before) + edited + width(line) <= room {
        return Some((Cow::Borrowed(text), at));
    }
    let beside = (room.saturating_sub(edited) / 2).max(LEAST);
    let before = shorten_start(before, beside);
    let at = before.len()..before.len() + old.len();
    Some((Cow::Owned(format!("{before}{old}{}{rest}", shorten_end(line, beside))), at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_far_from_an_edit_are_omitted() {
        let check = |text: &str, old: &str, new: &str, expected: Option<&str>| {
            let start = text.find(old).expect(old);
            let found = cropped(text, start..start + old.len(), new, 30);
            if let Some((source, at)) = &found {
                assert_eq!(&source[at.clone()], old);
            }
            assert_eq!(found.map(|(source, _)| source.into_owned()).as_deref(), expected);
        };
        check("a: no\n", "no", "\"no\"", Some("a: no\n"));
        let long = format!("{}X{}\n", "日".repeat(50), "b".repeat(100));
        check(&long, "X", "Y", Some(&format!("…{}X{}…\n", "日".repeat(6), "b".repeat(13))));
        check(&long, "X", &"y".repeat(31), None);
        check(&"x\n".repeat(20), &"x\n".repeat(20), "", None);
    }
}
