use std::{borrow::Cow, collections::BTreeMap, collections::BTreeSet, fmt, sync::Arc};

use crate::{Data, Part, Value, redactor::forms::forms};

mod forms;

/// What stands in the place of a secret.
pub const HIDDEN: &str = "••••••";

/// The shortest text, in characters, that is hidden inside of other texts. Shorter secrets stand in many a text by
/// chance: hiding them there would make texts unreadable, and tell the secret.
pub const SHORTEST_CONTAINED: usize = 4;

/// Knows the secrets of a run, and takes them out of what is recorded, shown, logged or sent to another page.
///
/// - A text that *equals* a secret is hidden, however short that is; blanks around it do not count.
/// - A text that *contains* a secret of at least [`SHORTEST_CONTAINED`] characters has it replaced by [`HIDDEN`]: as it
///   is, as it stands in JSON, in a URL, in base64 and in hexadecimal digits; of a secret of several lines also each line
///   of at least eight characters.
///
/// A text has to be redacted before it is cut: the beginning of a secret is not recognised.
#[derive(Clone, Default)]
pub struct Redactor {
    whole: BTreeSet<Arc<str>>,
    /// The forms to look for, by their first bytes.
    contained: BTreeMap<[u8; PREFIX], Vec<Arc<str>>>,
    /// One bit for each byte that a form begins with: most bytes of most texts begin none.
    starts: [u64; 4],
}

const PREFIX: usize = 4;

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({})", self.whole.len())
    }
}

impl Redactor {
    /// Also hides that; whether it was not known before. An empty text, `true` and `false` are no secrets: whoever
    /// tries all of them knows which it is.
    pub fn add(&mut self, secret: &str) -> bool {
        let secret = secret.trim();
        if matches!(secret, "" | "true" | "false" | "null") || !self.whole.insert(secret.into()) {
            return false;
        }
        for form in forms(secret) {
            let Some(prefix) = form.as_bytes().first_chunk::<PREFIX>() else { continue };
            let [first, ..] = *prefix;
            self.starts[usize::from(first >> 6)] |= 1 << (first & 63);
            let known = self.contained.entry(*prefix).or_default();
            if !known.iter().any(|it| **it == *form) {
                known.push(form.into());
            }
        }
        true
    }

    /// Whether there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty()
    }

    /// Whether a text equals or contains a secret.
    pub fn holds(&self, text: &str) -> bool {
        !self.is_empty() && (self.whole.contains(text.trim()) || self.next(text.as_bytes(), 0).is_some())
    }

    /// The text without secrets.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        if self.whole.contains(text.trim()) {
            return Cow::Borrowed(HIDDEN);
        }
        let found = self.spans(text.as_bytes());
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut hidden, mut done) = (String::with_capacity(text.len()), 0);
        for (start, end) in found {
            // Forms begin and end between characters, so this is always there.
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
        for (start, end) in self.spans(text.as_bytes()).into_iter().filter(|(_, end)| *end > from) {
            hidden.push_str(text.get(done..start).unwrap_or_default());
            hidden.push_str(HIDDEN);
            done = end;
        }
        hidden.push_str(text.get(done..).unwrap_or_default());
        if self.whole.contains(hidden.trim()) { HIDDEN.into() } else { hidden }
    }

    /// Marks as sensitive all that equals or contains a secret, and each map with such a key. An expression that is not
    /// known yet is looked at as it was written.
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
                map.values_mut().for_each(|it| self.taint(it));
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

    /// Where secrets stand: overlapping and touching ones as one.
    fn spans(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        let mut from = 0;
        while let Some((start, end)) = self.next(text, from) {
            match spans.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => spans.push((start, end)),
            }
            from = start + 1;
        }
        spans
    }

    /// The next form in a text: where it begins, and where the longest that begins there ends.
    fn next(&self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        let rest = text.get(from..)?;
        rest.windows(PREFIX).zip(from..).find_map(|(window, start)| {
            let first = *window.first()?;
            if self.starts[usize::from(first >> 6)] >> (first & 63) & 1 == 0 {
                return None;
            }
            let forms = self.contained.get(window)?;
            let here = text.get(start..)?;
            let fits = forms.iter().filter(|form| here.starts_with(form.as_bytes()));
            Some((start, start + fits.map(|it| it.len()).max()?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    fn redactor(of: &[&str]) -> Redactor {
        let mut redactor = Redactor::default();
        for secret in of {
            redactor.add(secret);
        }
        redactor
    }

    #[track_caller]
    fn check(of: &[&str], text: &str, expected: &str) {
        let redactor = redactor(of);
        assert_eq!(redactor.text(text), expected);
        assert_eq!(redactor.holds(text), text != expected);
        let mut place = text.to_owned();
        assert_eq!(redactor.redact(&mut place), text != expected);
        assert_eq!(place, expected);
    }

    #[test]
    fn what_contains_a_secret_loses_it() {
        check(&["hunter2"], "postgres://me:hunter2@db", "postgres://me:••••••@db");
        check(&["hunter2"], "hunter", "hunter");
        check(&["abcd", "abcdef"], "abcdef abcd abc", "•••••• •••••• abc");
        check(&["abca", "cabc"], "xabcabcab", "x••••••b");
        check(&["aaaa"], "aaaaaaaaaa b", "•••••• b");
        check(&["größe!"], "die größe! da", "die •••••• da");
        check(&[], "anything", "anything");
    }

    #[test]
    fn short_secrets_are_hidden_where_they_are_all() {
        check(&["abc"], "abc", HIDDEN);
        check(&["abc"], " abc\n", HIDDEN);
        check(&["abc"], "abcd", "abcd");
        check(&["1"], "1", HIDDEN);
        check(&["1", "true", ""], "true", "true");
    }

    #[test]
    fn encoded_secrets_are_secrets() {
        let secret = "p\"ss/wörd+1\n";
        check(&[secret], r#"{"a":"p\"ss/wörd+1\n"}"#, r#"{"a":"••••••\n"}"#);
        check(&[secret], r#"p\"ss\/wörd+1"#, HIDDEN);
        check(&[secret], r#"say p\"ss/w\u00f6rd+1"#, "say ••••••");
        check(&[secret], "?q=p%22ss%2Fw%C3%B6rd%2B1&r", "?q=••••••&r");
        check(&[secret], "?q=p%22ss%2fw%c3%b6rd%2b1&r", "?q=••••••&r");
        check(&["two words"], "q=two+words", "q=••••••");
        check(&["it's-3~%!"], "it's-3~%25!", HIDDEN);
        check(&["it's-3~%!"], "it%27s%2D3%7E%25%21", HIDDEN);
        check(&["hunter2"], "68756e74657232", HIDDEN);
        // "hunter2", ":hunter2" and "me:hunter2" in base64.
        check(&["hunter2"], "aHVudGVyMg==", "••••••g==");
        check(&["hunter2"], "Omh1bnRlcjI=", "Om••••••I=");
        check(&["hunter2"], "bWU6aHVudGVyMg==", "bWU6••••••g==");
    }

    #[test]
    fn the_end_of_a_text_has_no_end_of_a_secret() {
        let redactor = redactor(&["hunter2", "ab"]);
        let check =
            |from: usize, expected: &str| assert_eq!(redactor.tail("say hunter2 ü x", from), expected);
        check(0, "say •••••• ü x");
        check(4, "•••••• ü x");
        check(6, "•••••• ü x");
        check(11, " ü x");
        check(13, " x");
        check(99, "");
        assert_eq!(redactor.tail("x ab", 2), HIDDEN);
    }

    #[test]
    fn lines_of_a_key_are_secrets() {
        let key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nshort\n-----END KEY-----\n";
        check(&[key], "it says MIIEvQIBADANBg", "it says ••••••");
        check(&[key], "-----BEGIN KEY----- short", "-----BEGIN KEY----- short");
        check(&[key], &format!("x{key}y"), "x••••••\ny");
    }

    #[test]
    fn values_are_marked() {
        let text = |text: &str| Value::new(Data::String(text.into()), Origin::Observed);
        let map = |key: &str, value| Value::new(Data::Map([(key.into(), value)].into()), Origin::Observed);
        let tainted = |mut value: Value| {
            redactor(&["hunter2", "7"]).taint(&mut value);
            value
        };
        let value = tainted(map("a", map("b", text("is hunter2"))));
        assert!(
            !value.sensitive && value.get("a").is_some_and(|it| it.get("b").is_some_and(|it| it.sensitive))
        );
        assert!(tainted(map("a hunter2", text("x"))).sensitive);
        assert!(tainted(Value::new(Data::Int(7), Origin::Observed)).sensitive);
        assert!(!tainted(text("hunter")).sensitive);
        assert_eq!(format!("{:?}", redactor(&["hunter2"])), "Redactor(1)");
    }
}
