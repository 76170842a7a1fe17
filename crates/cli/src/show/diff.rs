//! Edits as a unified diff, which `patch` and `git apply` read.

use std::ops::Range;

use anstyle::AnsiColor;
use diag::TextEdit;

use super::width::clean;
use crate::console::Paint;

/// The number of unchanged lines that are shown around a change.
const AROUND: usize = 3;

/// Lines that are replaced by others.
#[derive(Debug)]
struct Change {
    old: Range<usize>,
    new: String,
}

/// The lines of a text and where they start.
#[derive(Debug)]
struct Lines<'t> {
    text: &'t str,
    lines: Vec<&'t str>,
    starts: Vec<usize>,
}

/// The changes that the edits, which are in order, make in the file of that name, as a unified diff; empty if there are
/// none.
pub(crate) fn unified(name: &str, text: &str, edits: &[TextEdit], paint: Paint) -> String {
    let lines = Lines::new(text);
    let changes = changes(&lines, edits);
    if changes.is_empty() {
        return String::new();
    }
    let name = clean(name);
    let mut out = paint.bold(&format!("--- {name}\n+++ {name}")) + "\n";
    let mut shift = 0;
    for hunk in changes.chunk_by(|a, b| b.old.start - a.old.end <= 2 * AROUND) {
        shift += write_hunk(hunk, &lines, shift, paint, &mut out);
    }
    out
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let starts = lines.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len()))).collect();
        Self { text, lines, starts }
    }

    /// The lines that an edit changes: not the one behind whole lines that it replaces or removes.
    fn of(&self, edit: &TextEdit) -> Range<usize> {
        let (start, end) = (self.line(edit.span.start), self.line(edit.span.end));
        let starts_line = |at: u32, line: usize| self.start(line) == at as usize;
        let is_whole = if edit.new_text.is_empty() {
            starts_line(edit.span.start, start)
        } else {
            edit.new_text.ends_with('\n')
        };
        if start < end && is_whole && starts_line(edit.span.end, end) { start..end } else { start..end + 1 }
    }

    /// The line of a byte; behind the last line, that line.
    fn line(&self, at: u32) -> usize {
        self.starts.partition_point(|start| *start <= at as usize).saturating_sub(1)
    }

    fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }
}

/// The changed lines. Edits of one line and of the next one are one change.
fn changes(lines: &Lines<'_>, edits: &[TextEdit]) -> Vec<Change> {
    let groups = edits.chunk_by(|a, b| lines.of(a).end >= lines.of(b).start);
    let changes =
        groups.filter_map(|group| Some((lines.of(group.first()?).start..lines.of(group.last()?).end, group)));
    changes.map(|(old, group)| change(lines, old, group)).collect()
}

fn change(lines: &Lines<'_>, old: Range<usize>, edits: &[TextEdit]) -> Change {
    let (mut at, end) = (lines.start(old.start), lines.start(old.end));
    let mut new = String::new();
    for edit in edits {
        new.push_str(lines.text.get(at..edit.span.start as usize).unwrap_or_default());
        new.push_str(&edit.new_text);
        at = edit.span.end as usize;
    }
    new.push_str(lines.text.get(at..end).unwrap_or_default());
    trimmed(lines, old, &new)
}

/// A change without the lines at both ends that are the same.
fn trimmed(lines: &Lines<'_>, old: Range<usize>, new: &str) -> Change {
    let written: Vec<&str> = new.split_inclusive('\n').collect();
    let before = lines.lines.get(old.clone()).unwrap_or_default();
    let same = |(a, b): &(&&str, &&str)| a == b;
    let first = before.iter().zip(&written).take_while(same).count();
    let (rest, new_rest) = (&before[first.min(before.len())..], &written[first.min(written.len())..]);
    let last = rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let new = new_rest[..new_rest.len() - last].concat();
    Change {
        old: old.start + first..old.end.min(lines.lines.len()).max(old.start + first + last) - last,
        new,
    }
}

/// Writes changes that are near each other; returns the number of lines that they add.
fn write_hunk(hunk: &[Change], lines: &Lines<'_>, shift: isize, paint: Paint, out: &mut String) -> isize {
    let first = hunk.first().map_or(0, |it| it.old.start).saturating_sub(AROUND);
    let end = (hunk.last().map_or(0, |it| it.old.end) + AROUND).min(lines.lines.len());
    let more: isize =
        hunk.iter().map(|it| it.new.split_inclusive('\n').count() as isize - it.old.len() as isize).sum();
    let (old_len, new_len) = (end - first, (end - first).saturating_add_signed(more));
    let (old, new) = (place(first, old_len), place(first.saturating_add_signed(shift), new_len));
    out.push_str(&(paint.colour(AnsiColor::Cyan, &format!("@@ -{old} +{new} @@")) + "\n"));
    let mut at = first;
    for change in hunk {
        write_lines(" ", &lines.lines[at..change.old.start], None, paint, out);
        write_lines("-", &lines.lines[change.old.clone()], Some(AnsiColor::Red), paint, out);
        let new: Vec<&str> = change.new.split_inclusive('\n').collect();
        write_lines("+", &new, Some(AnsiColor::Green), paint, out);
        at = change.old.end;
    }
    write_lines(" ", &lines.lines[at..end], None, paint, out);
    more
}

/// A range of lines; an empty one is behind the line that it names.
fn place(first: usize, len: usize) -> String {
    let first = if len == 0 { first } else { first + 1 };
    if len == 1 { first.to_string() } else { format!("{first},{len}") }
}

fn write_lines(mark: &str, lines: &[&str], colour: Option<AnsiColor>, paint: Paint, out: &mut String) {
    for line in lines {
        let written = format!("{mark}{}", line.strip_suffix('\n').unwrap_or(line));
        out.push_str(&colour.map_or_else(|| written.clone(), |it| paint.colour(it, &written)));
        out.push('\n');
        if !line.ends_with('\n') {
            out.push_str("\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use diag::{FileId, Span};

    use super::*;

    #[track_caller]
    fn check(text: &str, edits: &[(u32, u32, &str)], expected: &str) {
        let edit = |(start, end, new): &(u32, u32, &str)| TextEdit {
            span: Span::new(FileId(0), *start, *end),
            new_text: (*new).to_owned(),
        };
        let edits: Vec<TextEdit> = edits.iter().map(edit).collect();
        let shown = unified("a", text, &edits, Paint { on: false });
        assert_eq!(shown.strip_prefix("--- a\n+++ a\n").unwrap_or(&shown), expected, "{text:?}");
    }

    #[test]
    fn edits_are_lines() {
        check("a\nb\nc\n", &[], "");
        check("a\nb\nc\n", &[(2, 3, "x")], "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
        check("a\n\n\nb\n", &[(2, 3, "")], "@@ -1,4 +1,3 @@\n a\n-\n \n b\n");
        check("a\nb", &[(3, 3, "\n")], "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
        check("a\n\n\n", &[(2, 4, "")], "@@ -1,3 +1 @@\n a\n-\n-\n");
        check("a\nb\nc\n", &[(0, 1, "x"), (2, 3, "y")], "@@ -1,3 +1,3 @@\n-a\n-b\n+x\n+y\n c\n");
        check("a\n\nb\n", &[(0, 1, "x"), (2, 3, "")], "@@ -1,3 +1,2 @@\n-a\n-\n+x\n b\n");
        check("\n\n", &[(0, 2, "")], "@@ -1,2 +0,0 @@\n-\n-\n");
    }

    #[test]
    fn changes_far_apart_are_hunks() {
        let text: String = (0..20).map(|it| format!("{it:02}\n")).collect();
        let expected =
            "@@ -1,4 +1,5 @@\n-00\n+x\n+y\n 01\n 02\n 03\n@@ -16,5 +17,5 @@\n 15\n 16\n 17\n-18\n+z\n 19\n";
        check(&text, &[(0, 2, "x\ny"), (54, 56, "z")], expected);
    }
}
