use diag::{Fix, apply_edits};
use scanner::Scanner;

use crate::builder::{Frame, Items, Shape};
use crate::reader::{Reader, Stop};
use crate::{lines, problem};

/// The maximum number of times that reading goes on after a mistake.
const MOST_RESUMES: usize = 50;

/// Reports what stopped the reader and goes on at the next line that can belong to an open collection, as often as
/// it makes sense.
pub(crate) fn recover(reader: &mut Reader<'_>, mut stop: Stop) {
    let mut reported = None;
    // Reading the same text again and again is what a hostile file would want.
    let mut budget = reader.builder.text.len() * 4 + 100_000;
    let mut from = 0;
    for _ in 0..MOST_RESUMES {
        if let Stop::Failed { at, info } = &stop
            && reported < Some(*at)
        {
            reported = Some(*at);
            let builder = &mut reader.builder;
            let read = builder.take_back(*at);
            let mut found = problem::describe(builder, read, *at, info);
            let text = builder.text;
            if !found.fixes.is_empty() {
                budget = budget.saturating_sub(text.len());
                found.fixes.retain(|it| budget > 0 && helps(text, from, *at, it));
            }
            builder.report.push(found);
        }
        let Some(line) = next_line(reader, &stop) else { return };
        let left = reader.builder.text.len() - line;
        if left > budget {
            return;
        }
        budget -= left;
        let resumed = reader.builder.frames.len();
        stop = reader.run(line);
        from = line;
        // A list whose dashes stand under its key's first letter ends where the next key starts; read on its own it
        // does not know that.
        if let Stop::Failed { info, .. } = &stop
            && info == problem::NO_DASH
            && reader.builder.frames.len() == resumed
            && reader.builder.frames.last().is_some_and(|frame| frame.shape == Shape::Indentless)
        {
            stop = Stop::Closed;
        }
        if matches!(stop, Stop::End) {
            return;
        }
    }
}

/// True if what stopped the reader at byte `at` is gone after a fix, when it reads on from the line that it had begun with: an
/// edit may as well bring the next mistake on the same line. The line behind that is checked where the text around it was read,
/// too.
fn helps(text: &str, from: usize, at: usize, fix: &Fix) -> bool {
    let fixed = apply_edits(text, &fix.edits);
    let from = moved(from, fix);
    let line = text[..at].matches('\n').count() + 1;
    let mut limit: usize = fixed.split_inclusive('\n').take(line).map(str::len).sum();
    if from == 0 {
        limit += fixed[limit..].len() - fixed[limit..].trim_start().len();
        limit = lines::end(&fixed, limit);
    }
    let mut events = Scanner::new(&fixed).events_from(from);
    loop {
        match events.next_event() {
            Some(Ok((_, start, _))) if start < limit => {}
            // What is open at the end of the text is open because of this line, too.
            Some(Err(error)) => return error.at >= limit && limit < fixed.len(),
            _ => return true,
        }
    }
}

/// The place in a text after a fix.
fn moved(place: usize, fix: &Fix) -> usize {
    fix.edits.iter().filter(|it| it.span.end as usize <= place).fold(place, |moved, it| {
        (moved + it.new_text.len()).saturating_sub((it.span.end - it.span.start) as usize)
    })
}

/// Finds the line to go on with and closes what it does not belong to.
fn next_line(reader: &mut Reader<'_>, stop: &Stop) -> Option<usize> {
    let builder = &mut reader.builder;
    let text = builder.text;
    let mut line = match stop {
        Stop::Closed => lines::start(text, builder.trivia.at()),
        _ => builder.trivia.at(),
    };
    line = text[line..].find('\n').map(|len| line + len + 1)?;
    loop {
        let rest = &text[line..];
        let len = rest.find('\n').unwrap_or(rest.len());
        let content = rest[..len].trim_start_matches(' ');
        let indent = rest[..len].len() - content.len();
        if let Some(idx) = place(&builder.frames, text, indent, content) {
            while builder.frames.len() > idx + 1 {
                builder.close_frame();
            }
            builder.complete_key();
            builder.resuming = true;
            builder.trivia.jump(line);
            return Some(line);
        }
        if builder.is_empty() && indent == 0 && is_key(content) {
            builder.trivia.jump(line);
            return Some(line);
        }
        if rest.len() == len {
            return None;
        }
        line += len + 1;
    }
}

/// The open collection that a line can go on with.
fn place(frames: &[Frame<'_>], text: &str, indent: usize, content: &str) -> Option<usize> {
    frames.iter().enumerate().rev().find_map(|(idx, frame)| {
        let fits = match frame.items {
            Items::Sequence(_) => content.starts_with("- ") || content.trim_end() == "-",
            Items::Mapping(_) => is_key(content),
        };
        let is_block = matches!(frame.shape, Shape::Block | Shape::Indentless);
        let column = frame.start - lines::start(text, frame.start);
        let is_column = column == indent || (idx == 0 && indent < column);
        (is_block && fits && is_column).then_some(idx)
    })
}

/// True if a line starts with a key.
fn is_key(content: &str) -> bool {
    if content.starts_with(['\t', '#', '[', ']', '{', '}', '|', '>', '%', '@', '`', ','])
        || content.starts_with("- ")
    {
        return false;
    }
    let after = match content.chars().next() {
        Some(quote @ ('"' | '\'')) => match content[1..].find(quote) {
            Some(len) => content[len + 2..].trim_start().strip_prefix(':'),
            None => None,
        },
        _ => content
            .find(": ")
            .map(|at| &content[at + 1..])
            .or_else(|| content.trim_end().strip_suffix(':').map(|_| "")),
    };
    after.is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t', '\r']))
}
