//! The needs of front ends from outside, and the answers of the host.

use std::sync::Arc;

use diag::Span;
use serde_json::Value as Json;

pub use crate::view::NeedKind;

/// Something that a front end needs from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The kind of it.
    pub kind: NeedKind,
    /// Its name: a path, the name of a variable, a kind of resources.
    pub name: String,
    /// Further selectors, as names and values: of resources their `version`, `parent` and `filter`.
    pub arguments: Vec<(&'static str, String)>,
    /// True if its absence is an error.
    pub required: bool,
    /// The place that needs it.
    pub asked_by: Span,
}

/// An answer of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It does not exist, or the host has none of it.
    No,
    /// The text of a file, or the value of a variable.
    Text(Arc<str>),
    /// The resources, as JSON.
    Resources(Arc<[Json]>),
}

/// All that was answered.
#[derive(Clone, Debug, Default)]
pub struct Answers(Vec<(Need, Answer)>);

impl Need {
    /// True if both need the same, wherever that is needed.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.kind, &self.name, &self.arguments) == (other.kind, &other.name, &other.arguments)
    }
}

impl Answer {
    /// The answer that JSON stands for: null for no, a text, or a list of resources.
    pub(crate) fn of_json(json: Json) -> Option<Self> {
        match json {
            Json::Null => Some(Self::No),
            Json::String(text) => Some(Self::Text(text.into())),
            Json::Array(resources) => Some(Self::Resources(resources.into())),
            Json::Bool(_) | Json::Number(_) | Json::Object(_) => None,
        }
    }
}

impl Answers {
    /// The answer to a need; `None` if there is none yet.
    pub fn get(&self, need: &Need) -> Option<&Answer> {
        self.0.iter().find(|it| it.0.is_same(need)).map(|it| &it.1)
    }

    /// Keeps an answer, in place of an earlier one.
    pub fn set(&mut self, need: Need, answer: Answer) {
        self.0.retain(|it| !it.0.is_same(&need));
        self.0.push((need, answer));
    }
}
