use std::{ops::Range, sync::Arc};

/// A path that an operation follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// Its steps, none for the whole document.
    pub(super) steps: Vec<Step>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The target.
    pub(super) to: StepTarget,
    /// The offset: how many items after (`:next`) or before (`:prev`).
    pub(super) shift: i64,
    /// The position beside the item, if it refers to that instead of the item.
    pub(super) beside: Option<InsertPosition>,
    /// Its bytes in the path.
    pub(super) bytes: Range<usize>,
}

/// The target of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StepTarget {
    /// The value of a key.
    Key { key: Arc<str>, optional: bool },
    /// An item; counted from the end if negative.
    Index(i64),
    /// The position after the last item.
    End,
    /// The item in which a key has a value.
    Item { key: Arc<str>, value: Arc<str>, optional: bool },
}

/// The position at which something is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InsertPosition {
    Before,
    After,
}

/// The reason why a path cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathSyntaxError {
    pub(super) message: String,
    /// The bytes at fault.
    pub(super) bytes: Range<usize>,
}

impl Path {
    /// The highest number of steps of a path, which is the nesting limit of files.
    const DEEPEST: usize = 128;

    /// Reads a path, such as `/instance_groups/name=web/jobs/0:before`. Once a step is optional, all after it are.
    pub(super) fn parse(text: &str) -> Result<Self, PathSyntaxError> {
        if text.is_empty() {
            return Ok(Self { steps: Vec::new() });
        }
        let unreadable = |message: &str| PathSyntaxError { message: message.into(), bytes: 0..text.len() };
        let Some(rest) = text.strip_prefix('/') else { return Err(unreadable("it does not begin with `/`")) };
        let count = rest.split('/').count();
        if count > Self::DEEPEST {
            return Err(unreadable(&format!("it has more than {} steps", Self::DEEPEST)));
        }
        let (mut steps, mut start, mut optional) = (Vec::with_capacity(count), 1, false);
        for (n, written) in rest.split('/').enumerate() {
            let bytes = start..start + written.len();
            start = bytes.end + 1;
            steps.push(Step::parse(written, bytes, n + 1 == count, &mut optional)?);
        }
        Ok(Self { steps })
    }
}

impl Step {
    fn parse(
        written: &str,
        bytes: Range<usize>,
        is_last: bool,
        optional: &mut bool,
    ) -> Result<Self, PathSyntaxError> {
        let (text, modifiers) =
            written.split_once(':').map_or((written, None), |(it, rest)| (it, Some(rest)));
        let to = StepTarget::parse(text, is_last, optional);
        let mut step = Self { to, shift: 0, beside: None, bytes };
        let refused = match (&step.to, modifiers) {
            (_, None) => return Ok(step),
            (StepTarget::Key { .. }, _) => {
                Some("a key has no modifiers such as `:before`; write `~7` for `:`".to_owned())
            }
            (StepTarget::End, _) => Some("`-` has no modifiers".to_owned()),
            (StepTarget::Index(_) | StepTarget::Item { .. }, Some(modifiers)) => step.modify(modifiers),
        };
        match refused {
            Some(message) => Err(PathSyntaxError { message, bytes: step.bytes }),
            None => Ok(step),
        }
    }

    /// Reads modifiers such as `prev:before`; returns a description of an error.
    fn modify(&mut self, modifiers: &str) -> Option<String> {
        for modifier in modifiers.split(':') {
            if self.beside.is_some() {
                return Some(format!("nothing can follow `:before` or `:after`, and `:{modifier}` does"));
            }
            match modifier {
                "prev" => self.shift -= 1,
                "next" => self.shift += 1,
                "before" => self.beside = Some(InsertPosition::Before),
                "after" => self.beside = Some(InsertPosition::After),
                _ => {
                    return Some(format!(
                        "`:{modifier}` is not one of `:prev`, `:next`, `:before` and `:after`; write `~7` \
                         for `:`"
                    ));
                }
            }
        }
        None
    }
}

impl StepTarget {
    fn parse(text: &str, is_last: bool, optional: &mut bool) -> Self {
        if is_last && text == "-" {
            return Self::End;
        }
        if let Ok(index) = text.parse() {
            return Self::Index(index);
        }
        let text = match text.strip_suffix('?') {
            Some(text) => {
                *optional = true;
                text
            }
            None => text,
        };
        let optional = *optional;
        match text.split_once('=') {
            Some((key, value)) => Self::Item { key: plain(key), value: plain(value), optional },
            None => Self::Key { key: plain(text), optional },
        }
    }
}

/// A part of a path with its escapes resolved.
fn plain(text: &str) -> Arc<str> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = match chars.peek() {
            Some('0') => Some('~'),
            Some('1') => Some('/'),
            Some('2') => Some('?'),
            Some('3') => Some('='),
            Some('7') => Some(':'),
            _ => None,
        };
        match escaped.filter(|_| c == '~') {
            Some(it) => {
                chars.next();
                plain.push(it);
            }
            None => plain.push(c),
        }
    }
    plain.into()
}

/// A name as a path writes it.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '~' => escaped.push_str("~0"),
            '/' => escaped.push_str("~1"),
            '?' => escaped.push_str("~2"),
            '=' => escaped.push_str("~3"),
            ':' => escaped.push_str("~7"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps as they were parsed: `?` after all that may be missing.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = match Path::parse(text) {
            Ok(path) => path.steps.iter().map(shown).collect::<Vec<_>>().join(" "),
            Err(unreadable) => format!("{}: {}", &text[unreadable.bytes], unreadable.message),
        };
        assert_eq!(shown, expected, "{text}");
    }

    fn shown(step: &Step) -> String {
        let to = match &step.to {
            StepTarget::Key { key, .. } => format!("{key:?}"),
            StepTarget::Index(index) => index.to_string(),
            StepTarget::End => "end".into(),
            StepTarget::Item { key, value, .. } => format!("[{key:?}={value:?}]"),
        };
        let optional = match step.to {
            StepTarget::Key { optional: true, .. } | StepTarget::Item { optional: true, .. } => "?",
            _ => "",
        };
        let shift = if step.shift == 0 { String::new() } else { format!("{:+}", step.shift) };
        let beside = step.beside.map_or(String::new(), |it| format!("{it:?}"));
        format!("{to}{optional}{shift}{beside}")
    }

    #[test]
    fn paths_are_read() {
        check("", "");
        check("/", "\"\"");
        check("//", "\"\" \"\"");
        check("/key/key2/", "\"key\" \"key2\" \"\"");
        check("/key?/key2/-", "\"key\"? \"key2\"? end");
        check("/-/key", "\"-\" \"key\"");
        check("/0/-2", "0 -2");
        check("/name=val/a", "[\"name\"=\"val\"] \"a\"");
        check("/name=val?/a=b", "[\"name\"=\"val\"]? [\"a\"=\"b\"]?");
        check("/=?", "[\"\"=\"\"]?");
        check("/-1:prev:before", "-1-1Before");
        check("/name=val?:next:after", "[\"name\"=\"val\"]?+1After");
        check("/m~0n~01~1~2~3~7~5", "\"m~n~1/?=:~5\"");
        check("/a=b=c", "[\"a\"=\"b=c\"]");
    }

    #[test]
    fn paths_that_cannot_be_read_say_why() {
        check("abc", "abc: it does not begin with `/`");
        check("/a:b", "a:b: a key has no modifiers such as `:before`; write `~7` for `:`");
        check("/-:prev", "-:prev: `-` has no modifiers");
        check(
            "/0:x",
            "0:x: `:x` is not one of `:prev`, `:next`, `:before` and `:after`; write `~7` for \
                       `:`",
        );
        check("/0:after:prev", "0:after:prev: nothing can follow `:before` or `:after`, and `:prev` does");
        assert!(Path::parse(&"/a?".repeat(128)).is_ok());
        assert!(Path::parse(&"/a?".repeat(129)).is_err());
    }

    #[test]
    fn escaping_is_undone_by_reading() {
        for text in ["a", "~1", "a/b", "x?=:~", ""] {
            assert_eq!(&*plain(&escaped(text)), text);
        }
    }
}
