//! The effect of a fix, as lines before and after.

use std::{collections::BTreeMap, rc::Rc};

use diag::order;
use workspace::view::{EditView, FixView, LocationView};
use yew::prelude::*;

use crate::text::FileText;
use crate::views::diff::{self, Side};

/// One line of a preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PreviewLine {
    /// The line's number: in the old text for removed and unchanged lines, in the new text for added ones.
    pub(super) number: usize,
    /// The side: removed, added or unchanged.
    pub(super) side: Side,
    /// Its text without the line end.
    pub(super) text: String,
}

/// The lines that a set of edits of one text changes, with one line around them.
pub(super) fn preview(text: &str, edits: &[&EditView]) -> Vec<PreviewLine> {
    let after = applied(text, edits);
    let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), after.lines().collect());
    let front = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let lines = |texts: &[&str], from: usize, to: usize, side| -> Vec<PreviewLine> {
        let cut = texts.get(from..to).unwrap_or_default();
        let numbered = cut.iter().enumerate();
        numbered
            .map(|(at, text)| PreviewLine { number: from + at + 1, side, text: (*text).to_owned() })
            .collect()
    };
    let mut shown = lines(&old, front.saturating_sub(1), front, Side::Both);
    shown.extend(lines(&old, front, old.len() - back, Side::Old));
    shown.extend(lines(&new, front, new.len() - back, Side::New));
    shown.extend(lines(&old, old.len() - back, (old.len() - back + 1).min(old.len()), Side::Both));
    shown
}

/// The text after the edits. Edits whose place is not in the text are left out.
fn applied(text: &str, edits: &[&EditView]) -> String {
    let mut places: Vec<(usize, usize, &str)> = edits
        .iter()
        .filter_map(|edit| {
            let LocationView { line, column, end_line, end_column, .. } = edit.location;
            Some((offset(text, line, column)?, offset(text, end_line, end_column)?, edit.new_text.as_str()))
        })
        .collect();
    order::by_key(&mut places, |place| place.0);
    let mut result = text.to_owned();
    for (start, end, new) in places.into_iter().rev().filter(|(start, end, _)| start <= end) {
        result.replace_range(start..end, new);
    }
    result
}

/// The byte at a line and column that count from 1, columns in characters.
fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let start = match line {
        0 => return None,
        1 => 0,
        _ => text.match_indices('\n').nth(line as usize - 2)?.0 + 1,
    };
    let rest = text.get(start..)?;
    let end = rest.find('\n').unwrap_or(rest.len());
    let within = rest.get(..end)?.char_indices().map(|(at, _)| at).chain([end]);
    within.take(column.max(1) as usize).last().map(|at| start + at)
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct FixPreviewProps {
    pub(super) fix: FixView,
    pub(super) files: Rc<Vec<FileText>>,
}

/// The edits of a fix, file by file.
#[component]
pub(super) fn FixPreview(props: &FixPreviewProps) -> Html {
    let mut by_file = BTreeMap::<&str, Vec<&EditView>>::new();
    for edit in &props.fix.edits {
        by_file.entry(&edit.location.file).or_default().push(edit);
    }
    html! {
        <div class="fix-preview">
            { for by_file.into_iter().map(|(file, edits)| html! {
                <figure>
                    <figcaption>{ file }</figcaption>
                    <div class="fix-lines" role="group"
                        aria-label="The edit">{ lines(&shown(&props.files, file, &edits)) }</div>
                </figure>
            }) }
        </div>
    }
}

fn shown(files: &[FileText], name: &str, edits: &[&EditView]) -> Vec<PreviewLine> {
    match files.iter().find(|file| *file.name == *name) {
        Some(file) => preview(&file.text, edits),
        None => edits.iter().flat_map(|edit| new_lines(edit)).collect(),
    }
}

/// The new lines of an edit whose file is not known.
fn new_lines(edit: &EditView) -> Vec<PreviewLine> {
    let texts = if edit.new_text.is_empty() { "(removed)" } else { edit.new_text.trim_end_matches('\n') };
    let from = edit.location.line as usize;
    let numbered = texts.lines().enumerate();
    numbered
        .map(|(at, text)| PreviewLine { number: from + at, side: Side::New, text: text.to_owned() })
        .collect()
}

/// A line that is replaced by one line shows which letters differ.
fn lines(lines: &[PreviewLine]) -> Html {
    let only = |side| {
        let mut of_side = lines.iter().filter(move |line| line.side == side);
        of_side.next().filter(|_| of_side.next().is_none())
    };
    let pieces = only(Side::Old).zip(only(Side::New)).map(|(old, new)| diff::diff(&old.text, &new.text));
    html! { for line in lines {
        <div class={classes!("fix-line", class(line.side))}>
            <span class="fix-number" aria-hidden="true">{ line.number }</span>
            <span class="fix-sign">{ sign(line.side) }</span>
            <code>{ match &pieces {
                Some(pieces) if line.side != Side::Both => marked(pieces, line.side),
                _ => html! { &line.text },
            } }</code>
        </div>
    } }
}

fn marked(pieces: &[diff::Piece], side: Side) -> Html {
    html! { for piece in diff::side(pieces, side) {
        if piece.side == Side::Both { { &piece.text } } else { <mark>{ &piece.text }</mark> }
    } }
}

const fn sign(side: Side) -> &'static str {
    match side {
        Side::Both => " ",
        Side::Old => "−",
        Side::New => "+",
    }
}

const fn class(side: Side) -> &'static str {
    match side {
        Side::Both => "fix-same",
        Side::Old => "fix-old",
        Side::New => "fix-new",
    }
}

#[cfg(test)]
mod tests {
    use workspace::view::{EditView, LocationView};

    use super::{Side, preview};

    #[track_caller]
    fn check(
        text: &str,
        (line, column, end_line, end_column): (u32, u32, u32, u32),
        new: &str,
        expected: &str,
    ) {
        let location = LocationView { file: "a".into(), line, column, end_line, end_column };
        let edit = EditView { location, new_text: new.into() };
        let shown: Vec<String> = preview(text, &[&edit])
            .iter()
            .map(|line| {
                let sign = match line.side {
                    Side::Both => ' ',
                    Side::Old => '-',
                    Side::New => '+',
                };
                format!("{}{sign}{}", line.number, line.text)
            })
            .collect();
        assert_eq!(shown.join("|"), expected);
    }

    #[test]
    fn a_word_is_replaced() {
        check("a: 1\nb: ü2\nc: 3\n", (2, 4, 2, 6), "4", "1 a: 1|2-b: ü2|2+b: 4|3 c: 3");
    }

    #[test]
    fn a_line_is_put_in_and_taken_out() {
        check("a: 1\nb: 2\n", (2, 1, 2, 1), "x: 0\n", "1 a: 1|2+x: 0|2 b: 2");
        check("a: 1\nb: 2\nc: 3\n", (2, 1, 3, 1), "", "1 a: 1|2-b: 2|3 c: 3");
        check("a: 1\n", (2, 1, 2, 1), "b: 2\n", "1 a: 1|2+b: 2");
    }

    #[test]
    fn a_place_that_is_not_there_changes_nothing() {
        check("a: 1\n", (9, 1, 9, 1), "x", "1 a: 1");
    }
}
