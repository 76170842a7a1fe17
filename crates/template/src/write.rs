//! Values as text: as Ruby inserts them into text, as it inspects them, and as JSON.

use std::fmt::Write as _;

use model::{Data, Expression, Origin, Part, Value};

use super::{
    ByteRange, Problem,
    placeholder::{is_surely_text, open_text},
    runtime_value::RuntimeValue,
};

/// The highest length of a text.
pub(super) const MAX_TEXT: usize = 1 << 20;

/// The form in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `to_s`
    Text,
    /// `inspect`
    Shown,
    /// `to_json`
    Json,
}

/// A text that is being built; parts of it may be known only later.
#[derive(Debug)]
pub(super) struct Writer {
    at: ByteRange,
    parts: Vec<Part>,
    text: String,
    size: usize,
    /// True if it contains placeholders.
    open: bool,
    pub(super) sensitive: bool,
}

type Result<T> = std::result::Result<T, Problem>;

impl Writer {
    /// `at` is the place of problems.
    pub(super) const fn new(at: ByteRange) -> Self {
        Self { at, parts: Vec::new(), text: String::new(), size: 0, open: false, sensitive: false }
    }

    /// The current length.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.grow(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    fn grow(&mut self, by: usize) -> Result<()> {
        self.size = self.size.saturating_add(by);
        if self.size > MAX_TEXT {
            return Err(Problem::limit(self.at, "this text grows longer than 1 MiB"));
        }
        Ok(())
    }

    pub(super) fn runtime_value(&mut self, value: &RuntimeValue<'_>, form: Form) -> Result<()> {
        self.sensitive |= value.sensitive;
        self.value(value.value(), form)
    }

    fn value(&mut self, value: &Value, form: Form) -> Result<()> {
        self.sensitive |= value.sensitive;
        match (&value.data, form) {
            (Data::Null, Form::Text) => Ok(()),
            (Data::Null, Form::Shown) => self.text("nil"),
            (Data::Null, Form::Json) => self.text("null"),
            (Data::Bool(it), _) => self.text(if *it { "true" } else { "false" }),
            (Data::Int(it), _) => self.text(&it.to_string()),
            (Data::Float(it), _) => self.text(&float(*it)),
            (Data::String(it), Form::Text) => self.text(it),
            (Data::String(it), _) => self.quoted(it, form),
            (Data::List(items), _) => self.list(items, form),
            (Data::Map(map), _) => self.map(map, form),
            (Data::Unknown(expression), Form::Text) => self.unknown(expression),
            (Data::Unknown(expression), _) => {
                if let Some(open) = open_text(expression).filter(|it| is_surely_text(it)) {
                    self.open = true;
                    return self.quoted(open, form);
                }
                let what = format_args!("whether `{expression}` is text or a number");
                Err(Problem::unknown(self.at, what))
            }
        }
    }

    fn list(&mut self, items: &[Value], form: Form) -> Result<()> {
        self.text("[")?;
        for (nth, item) in items.iter().enumerate() {
            self.between(nth, form)?;
            self.value(item, inner(form))?;
        }
        self.text("]")
    }

    fn map(&mut self, map: &model::Map, form: Form) -> Result<()> {
        self.text("{")?;
        for (nth, (key, value)) in map.iter().enumerate() {
            self.between(nth, form)?;
            self.quoted(key, inner(form))?;
            self.text(if form == Form::Json { ":" } else { "=>" })?;
            self.value(value, inner(form))?;
        }
        self.text("}")
    }

    fn between(&mut self, nth: usize, form: Form) -> Result<()> {
        match (nth, form) {
            (0, _) => Ok(()),
            (_, Form::Json) => self.text(","),
            _ => self.text(", "),
        }
    }

    fn quoted(&mut self, text: &str, form: Form) -> Result<()> {
        let mut quoted = String::with_capacity(text.len() + 2);
        quoted.push('"');
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let opens = c == '#' && matches!(chars.peek(), Some('{' | '$' | '@'));
            escape(&mut quoted, c, opens, form);
        }
        quoted.push('"');
        self.text(&quoted)
    }

    fn unknown(&mut self, expression: &Expression) -> Result<()> {
        self.open |= open_text(expression).is_some();
        for part in &expression.parts {
            match part {
                Part::Text(text) => self.text(text)?,
                Part::Reference(reference) => {
                    self.grow(reference.text.len() + 3)?;
                    self.flush();
                    self.sensitive |= reference.sensitive;
                    self.parts.push(Part::Reference(reference.clone()));
                }
            }
        }
        Ok(())
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.text).into()));
        }
    }

    /// The text; if parts of it are not known, an expression of its parts.
    pub(super) fn finish(mut self, origin: Origin) -> Value {
        let data = if self.parts.is_empty() && !self.open {
            Data::String(self.text.into())
        } else {
            self.flush();
            Data::Unknown(Expression { parts: self.parts })
        };
        Value { data, origin, sensitive: self.sensitive }
    }

    /// The text for people, with references as they are written.
    pub(super) fn show(mut self) -> String {
        self.flush();
        self.parts.iter().fold(String::with_capacity(self.size), |mut shown, part| {
            match part {
                Part::Text(text) => shown.push_str(text),
                Part::Reference(reference) => shown.extend(["${", &*reference.text, "}"]),
            }
            shown
        })
    }
}

const fn inner(form: Form) -> Form {
    match form {
        Form::Text | Form::Shown => Form::Shown,
        Form::Json => Form::Json,
    }
}

fn escape(quoted: &mut String, c: char, opens: bool, form: Form) {
    match (c, form) {
        ('"' | '\\', _) => quoted.extend(['\\', c]),
        ('\n', _) => quoted.push_str("\\n"),
        ('\t', _) => quoted.push_str("\\t"),
        ('\r', _) => quoted.push_str("\\r"),
        ('\u{8}', _) => quoted.push_str("\\b"),
        ('\u{c}', _) => quoted.push_str("\\f"),
        ('\u{7}', Form::Shown) => quoted.push_str("\\a"),
        ('\u{b}', Form::Shown) => quoted.push_str("\\v"),
        ('\u{1b}', Form::Shown) => quoted.push_str("\\e"),
        ('\u{7f}', Form::Shown) => quoted.push_str("\\x7F"),
        ('#', Form::Shown) if opens => quoted.push_str("\\#"),
        // Writing to a `String` cannot fail.
        ('\0'..' ', Form::Json) => drop(write!(quoted, "\\u{:04x}", u32::from(c))),
        ('\0'..' ', _) => drop(write!(quoted, "\\u{:04X}", u32::from(c))),
        _ => quoted.push(c),
    }
}

/// A number as Ruby writes it: `1.0`, `1.0e+20`.
fn float(number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() {
        return match number {
            f64::INFINITY => "Infinity",
            f64::NEG_INFINITY => "-Infinity",
            _ => "NaN",
        }
        .to_owned();
    }
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        return format!("{number:?}");
    }
    let text = format!("{number:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
    format!("{digits}{point}e{sign}{power:0>2}")
}
