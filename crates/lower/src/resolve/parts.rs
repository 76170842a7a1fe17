use model::{Data, Expression, Part, Reference, Value};

/// A text with references that is being built; adjacent texts are joined.
#[derive(Default)]
pub(crate) struct Parts {
    done: Vec<Part>,
    text: String,
}

impl Parts {
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn reference(&mut self, reference: Reference) {
        self.end_text();
        self.done.push(Part::Reference(reference));
    }

    /// Adds a value; one for which [`Self::has_no_form`] holds adds nothing.
    pub(crate) fn value(&mut self, value: &Value) {
        match &value.data {
            Data::Unknown(expression) => expression.parts.iter().for_each(|part| match part {
                Part::Text(text) => self.text(text),
                Part::Reference(reference) => self.reference(reference.clone()),
            }),
            Data::String(text) => self.text(text),
            _ => self.text(&value.to_text().unwrap_or_default()),
        }
    }

    /// True if a value cannot be part of a text.
    pub(super) const fn has_no_form(value: &Value) -> bool {
        matches!(value.data, Data::Null | Data::List(_) | Data::Map(_))
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.done.push(Part::Text(std::mem::take(&mut self.text).into()));
        }
    }

    /// The result: unknown if it contains a reference.
    pub(crate) fn data(mut self) -> Data {
        if self.done.is_empty() {
            return Data::String(self.text.into());
        }
        self.end_text();
        Data::Unknown(Expression { parts: self.done })
    }
}
