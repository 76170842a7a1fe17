//! Values of options in the text format of protobuf.

/// A message in an option.
#[derive(Clone, Debug, Default)]
pub(super) struct Aggregate(Vec<(String, Part)>);

#[derive(Clone, Debug)]
enum Part {
    Word(String),
    Message(Aggregate),
}

impl Aggregate {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.word(key, &quoted(value));
    }

    pub(super) fn texts<'t>(&mut self, key: &str, values: impl IntoIterator<Item = &'t str>) {
        values.into_iter().for_each(|it| self.text(key, it));
    }

    /// A number, or the name of a value.
    pub(super) fn word(&mut self, key: &str, value: &str) {
        self.0.push((key.to_owned(), Part::Word(value.to_owned())));
    }

    /// A flag that is false by default.
    pub(super) fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.word(key, "true");
        }
    }

    pub(super) fn message(&mut self, key: &str, value: Self) {
        self.0.push((key.to_owned(), Part::Message(value)));
    }

    /// One entry.
    pub(super) fn of(key: &str, value: Self) -> Self {
        let mut message = Self::default();
        message.message(key, value);
        message
    }

    /// The text, in braces; `indent` is that of the line that it begins in.
    pub(super) fn print(&self, indent: &str) -> String {
        if self.is_empty() {
            return "{}".to_owned();
        }
        let inner = format!("{indent}  ");
        let line = |(key, part): &(String, Part)| match part {
            Part::Word(word) => format!("{inner}{key}: {word}\n"),
            Part::Message(message) => format!("{inner}{key} : {}\n", message.print(&inner)),
        };
        let lines: String = self.0.iter().map(line).collect();
        format!("{{\n{lines}{indent}}}")
    }
}

/// A string of protobuf.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            control if control.is_ascii_control() => quoted += &format!("\\{:03o}", u32::from(control)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
