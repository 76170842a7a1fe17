use std::{fmt, sync::Arc};

use diag::Span;

use crate::{Address, Data, Origin, Value};

/// Text with references in it, e.g. `http://${services.db.network_node.ip}:80`.
///
/// Kept only while some part is not known; references to what is written in the descriptors have become text.
/// A whole-string reference (one `Part::Reference`, no text) keeps the type of what it refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// The parts, in order; no two `Text`s in a row.
    pub parts: Vec<Part>,
}

/// A piece of an [`Expression`].
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Literal text, escapes already taken away.
    Text(Arc<str>),
    /// A value that another resource will have.
    Reference(Reference),
}

/// `${services.db.network_node.ip}`: a value of another resource that only exists once that resource does.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The resource that has the value.
    pub to: Address,
    /// The path of the value in that resource.
    pub path: Vec<Step>,
    /// The reference as it was written, without `${` and `}`.
    pub text: Arc<str>,
    /// The place where it was written.
    pub span: Span,
    /// The type definition says the value must be hidden.
    pub sensitive: bool,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// `.key`
    Key(Arc<str>),
    /// `[3]`
    Index(usize),
}

/// The bytes of every `${` of a text that is not escaped.
pub fn reference_openings(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(dollar) = text[at..].find('$').map(|found| at + found) {
            let rest = &text[dollar..];
            at = dollar + if rest.starts_with("$${") { 3 } else { 1 };
            if rest.starts_with("${") {
                return Some(dollar);
            }
        }
        None
    })
}

impl Expression {
    /// The references in it, in order.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.parts.iter().filter_map(|part| match part {
            Part::Reference(reference) => Some(reference),
            Part::Text(_) => None,
        })
    }

    /// The value once `known` can tell each reference's value; `None` while it cannot tell one of them.
    ///
    /// Values are data: they are put in byte for byte and not read for references again. A null, list or map has
    /// no form inside text and makes the result `None`.
    pub fn evaluate(&self, origin: Origin, known: impl Fn(&Reference) -> Option<Value>) -> Option<Value> {
        if let [Part::Reference(whole)] = &self.parts[..] {
            let value = known(whole)?;
            return (!value.has_unknown()).then_some(Value {
                data: value.data,
                origin,
                sensitive: value.sensitive || whole.sensitive,
            });
        }
        let mut text = String::new();
        let mut sensitive = false;
        for part in &self.parts {
            match part {
                Part::Text(literal) => text.push_str(literal),
                Part::Reference(reference) => {
                    let value = known(reference)?;
                    sensitive |= value.sensitive || reference.sensitive;
                    text.push_str(&value.to_text()?);
                }
            }
        }
        Some(Value { data: Data::String(text.into()), origin, sensitive })
    }
}

impl fmt::Display for Expression {
    /// As it would be written in a descriptor, escapes put back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(&text.replace("${", "$${"))?,
                Part::Reference(reference) => write!(f, "${{{}}}", reference.text)?,
            }
        }
        Ok(())
    }
}
