use diag::{Diagnostic, FileId};
use scanner::{Event, Scanner};

use crate::builder::{Builder, Items};
use crate::{Document, Limits, Parse, codes, control, problem, recover};

/// Drives the parser over a text, again from further down after each mistake.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) builder: Builder<'a>,
    scanner: Scanner<'a>,
}

/// The reason why reading stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Everything was read.
    End,
    /// The collection in which reading was resumed is closed; the rest belongs to one around it.
    Closed,
    /// The text here does not fit the collection in which reading was resumed.
    Unfit,
    /// It is too deep, and the user knows.
    TooDeep,
    /// The text is not YAML there.
    Failed { at: usize, info: String },
}

impl<'a> Reader<'a> {
    /// `as_written` leaves aliases as text like `*a`, and `<<` as a key.
    pub(crate) fn new(file: FileId, text: &'a str, limits: &Limits, as_written: bool) -> Self {
        let mut builder = Builder::new(file, text, limits);
        builder.as_written = as_written;
        control::check(file, text, &mut builder.report);
        Self { builder, scanner: Scanner::new(text) }
    }

    /// The parse result, after the parser has continued behind the error.
    pub(crate) fn finish(mut self, stop: Stop) -> Parse {
        let partial = !matches!(stop, Stop::End);
        if partial {
            recover::recover(&mut self, stop);
        } else {
            self.builder.trivia.skip_blank();
        }
        let (root, comments, report) = self.builder.finish();
        Parse { document: Document { root, comments, partial }, diagnostics: report.finish() }
    }

    /// Reads from a line's start.
    pub(crate) fn run(&mut self, from: usize) -> Stop {
        let mut events = self.scanner.events_from(from);
        let resuming = self.builder.resuming;
        let (mut depth, mut documents, mut tolerated) = (0_usize, 0, None);
        loop {
            let (event, start, end) = match events.next_event() {
                None => return Stop::End,
                Some(Ok(event)) => event,
                Some(Err(error)) => {
                    if tolerated != Some(error.at) && self.tolerate(&error.info, error.at) {
                        tolerated = Some(error.at);
                        continue;
                    }
                    return Stop::Failed { at: error.at, info: error.info };
                }
            };
            let is_node = !matches!(
                event,
                Event::StreamStart
                    | Event::StreamEnd
                    | Event::DocumentStart(_)
                    | Event::DocumentEnd
                    | Event::Nothing
            );
            if is_node && self.builder.resuming && !self.fits(&event) {
                self.builder.resuming = false;
                return Stop::Unfit;
            }
            match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        self.second_document(start);
                        return Stop::End;
                    }
                }
                Event::Scalar(value, style, anchor, tag) => {
                    let properties = usize::from(anchor > 0) + usize::from(tag.is_some());
                    self.builder.scalar(&value, style, (start, end), properties, tag.as_deref());
                }
                Event::SequenceStart(anchor, tag) => {
                    let properties = usize::from(anchor > 0) + usize::from(tag.is_some());
                    if self.builder.open_sequence(start, properties, tag.as_deref()).is_err() {
                        return Stop::TooDeep;
                    }
                    depth += 1;
                }
                Event::MappingStart(anchor, tag) => {
                    let properties = usize::from(anchor > 0) + usize::from(tag.is_some());
                    if self.builder.open_mapping((start, end), properties, tag.as_deref()).is_err() {
                        return Stop::TooDeep;
                    }
                    depth += 1;
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    self.builder.close(start);
                    depth = depth.saturating_sub(1);
                    if depth == 0 && resuming {
                        return Stop::Closed;
                    }
                }
                Event::Alias(_) => self.builder.alias(start, end),
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            }
        }
    }

    /// True if this event can go on with the last frame.
    fn fits(&self, event: &Event<'_>) -> bool {
        match self.builder.frames.last().map(|frame| &frame.items) {
            Some(Items::Sequence(_)) => matches!(event, Event::SequenceStart(..)),
            Some(Items::Mapping(_)) => matches!(event, Event::MappingStart(..)),
            None => true,
        }
    }

    /// Deals with the one mistake that leaves the parser ready for the next event.
    fn tolerate(&mut self, info: &str, at: usize) -> bool {
        if info != problem::UNKNOWN_ANCHOR {
            return false;
        }
        let rest = &self.builder.text[at..];
        let ends = [' ', '\t', '\n', '\r', ',', '[', ']', '{', '}'];
        self.builder.alias(at, at + rest.find(ends).unwrap_or(rest.len()));
        true
    }

    fn second_document(&mut self, at: usize) {
        let rest = &self.builder.text[at..];
        let len = if rest.starts_with("---") { 3 } else { rest.chars().next().map_or(0, char::len_utf8) };
        let span = self.builder.span(at, at + len);
        self.builder.report.push(
            Diagnostic::error(codes::SEVERAL_DOCUMENTS, span, "a second document starts here")
                .help("put each document into its own file; only the first one is read"),
        );
    }
}
