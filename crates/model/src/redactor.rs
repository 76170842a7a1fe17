use std::{borrow::Cow, collections::BTreeSet, fmt, ops::ControlFlow, sync::Arc};

use diag::{is_invisible, order};

use crate::{
    Data, Part, Value,
    redactor::{escapes::Escapes, forms::Forms, view::Span},
};

mod escapes;
mod forms;
mod layout;
mod needles;
mod view;

/// The replacement of a secret.
pub const HIDDEN: &str = "••••••";

/// The shortest text, in characters, that is hidden inside of other texts. Shorter secrets stand in many a text by
/// chance: hiding them there would make texts unreadable, and tell the secret.
pub const SHORTEST_CONTAINED: usize = 4;

/// The number of times that escapes in escapes are decoded.
const DEPTH: usize = 4;

/// Knows the secrets of a run, and takes them out of what is recorded, shown, logged or sent to another page.
///
/// - A text that *equals* a secret is hidden, however short that is; blanks around it and characters in it that cannot be
///   seen do not count.
/// - A text that *contains* a secret of at least [`SHORTEST_CONTAINED`] characters has it replaced by [`HIDDEN`]: as it
///   is, as URLs, JSON, programs and HTML escape any of its characters, up to four times over, and as base64 and
///   hexadecimal digits write it, be they escaped themselves; of a secret of several lines also each line of at least
///   eight characters.
///
/// Characters that stand between those of any of these do not count, if they cannot be seen, such as what a terminal
/// interprets as colours and links, or line breaks; nor do blanks between five and more digits of base64, blanks, `:`, `-`,
/// `,` and `0x` between hexadecimal digits, and what `xxd` and `hexdump -C` write beside these.
///
/// Not found is a secret that was encrypted, hashed, compressed, reversed, changed to other letters or encoded in another
/// way, base64 or hexadecimal digits of what is not its UTF-8 (such as base64 of base64), and any part of it. So a text
/// has to be redacted before it is cut. A text in which escapes of several kinds stand in each other is decoded all at
/// once, which a text made for it can mislead.
///
/// The time is linear in the length of the text, for any text.
#[derive(Clone, Default)]
pub struct Redactor {
    whole: BTreeSet<Arc<str>>,
    forms: Forms,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({})", self.whole.len())
    }
}

impl Redactor {
    /// Also hides this secret, and returns true if it was not known before. An empty text, `true` and `false` are no secrets: a
    /// reader who tries all of them knows which it is.
    pub fn add(&mut self, secret: &str) -> bool {
        let secret = secret.trim();
        if matches!(secret, "" | "true" | "false" | "null") || !self.whole.insert(secret.into()) {
            return false;
        }
        self.forms.add(secret);
        true
    }

    /// True if there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty()
    }

    /// True if a text equals or contains a secret.
    pub fn holds(&self, text: &str) -> bool {
        !self.is_empty()
            && (self.is_whole(text) || self.find(text, &mut |_| ControlFlow::Break(())).is_break())
    }

    /// The text without secrets.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        if self.is_whole(text) {
            return Cow::Borrowed(HIDDEN);
        }
        let found = self.spans(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut hidden, mut done) = (String::with_capacity(text.len()), 0);
        for (start, end) in found {
            // Spans begin and end between characters, so this is always there.
            hidden.push_str(text.get(done..start).unwrap_or_default());
            hidden.push_str(HIDDEN);
            done = end;
        }
        hidden.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(hidden)
    }

    /// Takes the secrets out of a text in its place; whether there were any.
    pub fn redact(&self, text: &mut String) -> bool {
        match self.text(text) {
            Cow::Borrowed(same) if same.len() == text.len() && same != HIDDEN => false,
            other => {
                *text = other.into_owned();
                true
            }
        }
    }

    /// The end of a text without secrets, from a byte on; one that begins before that is hidden, too. For the end of a log:
    /// what stands before it is read along, so that no secret is cut.
    pub fn tail(&self, text: &str, from: usize) -> String {
        let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let (mut hidden, mut done) = (String::new(), from);
        for (start, end) in self.spans(text).into_iter().filter(|(_, end)| *end > from) {
            hidden.push_str(text.get(done..start).unwrap_or_default());
            hidden.push_str(HIDDEN);
            done = end;
        }
        hidden.push_str(text.get(done..).unwrap_or_default());
        if self.is_whole(&hidden) { HIDDEN.into() } else { hidden }
    }

    /// Marks as sensitive all that equals or contains a secret, and each map with such a key. An expression that is not
    /// known yet is checked as it was written.
    pub fn taint(&self, value: &mut Value) {
        if self.is_empty() || value.sensitive {
            return;
        }
        value.sensitive = match &mut value.data {
            Data::List(items) => {
                items.iter_mut().for_each(|it| self.taint(it));
                false
            }
            Data::Map(map) => {
                map.iter_mut().for_each(|(_, it)| self.taint(it));
                map.keys().any(|key| self.holds(key))
            }
            Data::Unknown(expression) => expression.parts.iter().any(|part| match part {
                Part::Text(text) => self.holds(text),
                Part::Reference(_) => false,
            }),
            Data::String(text) => self.holds(text),
            Data::Null | Data::Bool(_) => false,
            Data::Int(_) | Data::Float(_) => value.to_text().is_some_and(|text| self.holds(&text)),
        };
    }

    fn is_whole(&self, text: &str) -> bool {
        let is_unseen = |c: char| is_invisible(c) && c != '\t';
        self.whole.contains(text.trim())
            || text.contains(is_unseen) && self.whole.contains(text.replace(is_unseen, "").trim())
    }

    /// The spans of secrets: overlapping and touching ones as one.
    fn spans(&self, text: &str) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        let _ = self.find(text, &mut |(start, end)| {
            found.push((text.floor_char_boundary(start), text.ceil_char_boundary(end)));
            ControlFlow::Continue(())
        });
        order::by(&mut found, Ord::cmp);
        let mut spans: Vec<Span> = Vec::new();
        for (start, end) in found {
            match spans.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => spans.push((start, end)),
            }
        }
        spans
    }

    /// Passes the spans of secrets to `found`, in no order, some more than once, until it breaks.
    fn find(&self, text: &str, found: &mut Found<'_>) -> ControlFlow<()> {
        if self.forms.is_empty() {
            return ControlFlow::Continue(());
        }
        let text = text.as_bytes();
        self.look(text, found)?;
        // Only without what cannot be seen: a secret may hold what reads as an escape.
        self.decode(text, Escapes::default(), 1, found)?;
        let alone = Escapes::alone(text);
        if !alone.is_empty() {
            self.decode(text, Escapes::ALL, DEPTH, found)?;
        }
        alone.into_iter().try_for_each(|it| self.decode(text, it, DEPTH, found))
    }

    /// Looks at what a text says once its escapes are decoded, and so on.
    fn decode(&self, text: &[u8], escapes: Escapes, depth: usize, found: &mut Found<'_>) -> ControlFlow<()> {
        let Some(view) = (depth > 0).then(|| escapes.decoded(text)).flatten() else {
            return ControlFlow::Continue(());
        };
        let found = &mut |span| found(view.origin(span));
        self.look(&view.bytes, found)?;
        self.decode(&view.bytes, escapes, depth - 1, found)
    }

    /// Looks at a text as it is, and without what breaks it into lines and groups.
    fn look(&self, text: &[u8], found: &mut Found<'_>) -> ControlFlow<()> {
        self.forms.written.search(text, &mut *found)?;
        if let Some(view) = layout::without_blanks(text) {
            self.forms.base64.search(&view.bytes, |span| found(view.origin(span)))?;
        }
        let view = layout::digits(text);
        self.forms.digits.search(&view.bytes, |span| found(view.origin(span)))?;
        if !layout::has_line_break(text) {
            return ControlFlow::Continue(());
        }
        let view = layout::on_one_line(text);
        self.forms.written.search(&view.bytes, |span| found(view.origin(span)))?;
        let view = layout::dumped_digits(text);
        self.forms.digits.search(&view.bytes, |span| {
            let (start, end) = view.origin(span);
            found((start, layout::line_end(text, end)))
        })
    }
}

/// Takes a place; whether to go on.
type Found<'f> = dyn FnMut(Span) -> ControlFlow<()> + 'f;

#[cfg(test)]
mod tests;
