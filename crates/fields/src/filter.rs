mod bind;
mod evaluate;
mod implies;
mod normal;
mod parser;
mod print;
mod scanner;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use bind::Selector;

use crate::{FieldPath, Number};

/// A condition on the fields of a resource, in Goten's language of filters.
///
/// ```text
/// Expression   = AndCondition { ("OR"|"|") AndCondition }
/// AndCondition = Condition { ["AND"|"+"] Condition }
/// Condition    = "NOT" Condition | "(" Expression ")" | "()" | FieldPath Test
/// Test         = ("="|"=="|"!="|"<"|"<="|">"|">=") Value
///              | "IS" ["NOT"] ("NULL"|"NAN") | ["NOT"] "IN" List | "LIKE" String
///              | ("CONTAINS"|"HAS") ( "ANY" List | "ALL" List | ["VALUE"] Value )
/// List         = "(" Value {"," Value} ")" | "[" Value {"," Value} "]"
/// Value        = "NULL" | "TRUE" | "FALSE" | Number | String | Word | "{" { (Word|String) [":"] Value [","] } "}"
/// ```
///
/// Keywords are in either case, `--` starts a comment, strings have the escapes of JSON, and `()` or an empty text selects
/// everything. A `Word`, as in `user = users/u1`, is a string without quotes; Goten's documents write filters so. Keys with
/// dots are in backquotes, or have `\.` for each dot.
///
/// # Selection
///
/// A condition is true, false or unknown, and only true selects. It is unknown if it compares a value that is null, or puts
/// values of different kinds in an order; `NOT` of unknown is unknown, `AND` and `OR` are Kleene's. `IS NULL` is never
/// unknown. So `NOT a < 5` is not `a >= 5`, and neither selects values without `a`.
///
/// A path through a list has several values: a comparison is true if it is for one of them, `!=` and `NOT IN` if it is for
/// none. With a message type, an absent scalar has its default, an absent list is empty, and an absent `optional`
/// field, field of a oneof, message or entry of a map is null; without one everything absent is null.
/// With a type, `int64`, bytes, instants, durations and enumerations (by number) compare by their type.
///
/// In `LIKE`, `%` is any text and `_` any character; `\` escapes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    root: Condition,
}

/// A part of a filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Condition {
    /// Always true.
    #[default]
    All,
    /// Every one of them.
    And(Vec<Self>),
    /// At least one of them.
    Or(Vec<Self>),
    /// Not that one.
    Not(Box<Self>),
    /// A comparison with a value.
    Compare {
        /// The field.
        path: FieldPath,
        /// The field is on its left.
        operator: CompareOperator,
        /// The value on its right.
        value: Literal,
    },
    /// The field equals one of the values.
    In {
        /// The field.
        path: FieldPath,
        /// The values, one or more.
        values: Vec<Literal>,
        /// It equals none of them.
        negated: bool,
    },
    /// The field is a list with these elements, or a map with these keys.
    Contains {
        /// The field.
        path: FieldPath,
        /// The number of the values that it has to have.
        quantifier: Quantifier,
        /// The values: one, unless the quantifier is any or all.
        values: Vec<Literal>,
    },
    /// The field is null or not a number.
    Is {
        /// The field.
        path: FieldPath,
        /// The special value.
        special: Special,
        /// It is not.
        negated: bool,
    },
    /// The field is a text of this form.
    Like {
        /// The field.
        path: FieldPath,
        /// The form, with `%`, `_` and `\`.
        pattern: Arc<str>,
    },
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareOperator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// The number of the values that a list has to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// `CONTAINS x`
    Value,
    /// `CONTAINS ANY (x, y)`
    Any,
    /// `CONTAINS ALL (x, y)`
    All,
}

/// A value that is not compared by operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Special {
    /// Absent, or null in JSON.
    Null,
    /// A `double` that is not a number.
    Nan,
}

/// A value in a filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `NULL`
    Null,
    /// `TRUE`, `FALSE`
    Bool(bool),
    /// A number, which is finite.
    Number(Number),
    /// A string.
    Text(Arc<str>),
    /// An object; equal to one with the same fields.
    Object(Map<String, Value>),
}

impl Filter {
    /// The whole condition: lists of two or more in `And` and `Or`, none directly in one of its kind.
    pub const fn condition(&self) -> &Condition {
        &self.root
    }

    /// True if it selects everything by its form.
    pub fn is_all(&self) -> bool {
        self.root == Condition::All
    }

    /// The filter that selects the values that both filters select.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Condition::And(vec![self.root, other.root]).into()
    }

    /// The filter that selects the values that either filter selects.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Condition::Or(vec![self.root, other.root]).into()
    }

    /// The filter that selects the values for which this filter is false.
    #[must_use]
    pub fn negate(self) -> Self {
        Condition::Not(Box::new(self.root)).into()
    }

    /// The fields that it reads, in the order in which they are written.
    pub fn paths(&self) -> Vec<&FieldPath> {
        let mut paths = Vec::new();
        self.root.add_paths(&mut paths);
        paths
    }

    /// True if whatever it selects has a field at the path with a value that the filter names: by `=` or `IN`, in every
    /// branch of `OR`.
    pub fn specifies(&self, path: &FieldPath) -> bool {
        self.root.specifies(path)
    }
}

impl Condition {
    fn add_paths<'a>(&'a self, paths: &mut Vec<&'a FieldPath>) {
        match self {
            Self::All => {}
            Self::And(all) | Self::Or(all) => all.iter().for_each(|it| it.add_paths(paths)),
            Self::Not(inner) => inner.add_paths(paths),
            Self::Compare { path, .. }
            | Self::In { path, .. }
            | Self::Contains { path, .. }
            | Self::Is { path, .. }
            | Self::Like { path, .. } => paths.push(path),
        }
    }

    fn specifies(&self, wanted: &FieldPath) -> bool {
        match self {
            Self::And(all) => all.iter().any(|it| it.specifies(wanted)),
            Self::Or(all) => !all.is_empty() && all.iter().all(|it| it.specifies(wanted)),
            Self::Compare { path, operator: CompareOperator::Equal, .. }
            | Self::In { path, negated: false, .. } => path == wanted,
            Self::All
            | Self::Not(_)
            | Self::Compare { .. }
            | Self::In { .. }
            | Self::Contains { .. }
            | Self::Is { .. }
            | Self::Like { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests;
