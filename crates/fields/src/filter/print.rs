use std::fmt;

use serde_json::Value;

use super::{CompareOperator, Condition, Filter, Literal, Quantifier, Special};
use crate::{FieldPath, Number, path::in_backquotes};

impl Literal {
    /// The value in JSON. An integer of more than 64 bits is rounded.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(it) => Value::Bool(*it),
            Self::Number(it) => number_json(*it),
            Self::Text(it) => Value::from(&**it),
            Self::Object(it) => Value::Object(it.clone()),
        }
    }
}

fn number_json(number: Number) -> Value {
    match number {
        Number::Int(it) => match (i64::try_from(it), u64::try_from(it)) {
            (Ok(it), _) => Value::from(it),
            (_, Ok(it)) => Value::from(it),
            _ => Value::from(it as f64),
        },
        Number::Float(it) => Value::from(it),
    }
}

/// The canonical text, which [`Filter::parse`] reads back.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.root)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("()"),
            Self::And(all) => joined(f, all, " AND ", |it| matches!(it, Self::Or(_) | Self::And(_))),
            Self::Or(all) => joined(f, all, " OR ", |it| matches!(it, Self::Or(_))),
            Self::Not(inner) if matches!(**inner, Self::And(_) | Self::Or(_)) => write!(f, "NOT ({inner})"),
            Self::Not(inner) => write!(f, "NOT {inner}"),
            Self::Compare { path, operator, value } => {
                write!(f, "{} {} {value}", Field(path), operator.as_str())
            }
            Self::In { path, values, negated } => {
                write!(f, "{} {}IN {}", Field(path), if *negated { "NOT " } else { "" }, List(values))
            }
            Self::Contains { path, quantifier, values } => contains(f, path, *quantifier, values),
            Self::Is { path, special, negated } => {
                write!(f, "{} IS {}{}", Field(path), if *negated { "NOT " } else { "" }, special.as_str())
            }
            Self::Like { path, pattern } => {
                write!(f, "{} LIKE {}", Field(path), Literal::Text(pattern.clone()))
            }
        }
    }
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    all: &[Condition],
    separator: &str,
    in_parentheses: impl Fn(&Condition) -> bool,
) -> fmt::Result {
    for (index, condition) in all.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { separator })?;
        if in_parentheses(condition) {
            write!(f, "({condition})")?;
        } else {
            write!(f, "{condition}")?;
        }
    }
    Ok(())
}

fn contains(
    f: &mut fmt::Formatter<'_>,
    path: &FieldPath,
    quantifier: Quantifier,
    values: &[Literal],
) -> fmt::Result {
    let field = Field(path);
    match (quantifier, values) {
        (Quantifier::Value, [value]) => write!(f, "{field} CONTAINS {value}"),
        (Quantifier::Value | Quantifier::Any, _) => write!(f, "{field} CONTAINS ANY {}", List(values)),
        (Quantifier::All, _) => write!(f, "{field} CONTAINS ALL {}", List(values)),
    }
}

/// A path whose start is not taken for a keyword or a comment.
struct Field<'a>(&'a FieldPath);

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = self.0.names();
        match names.next() {
            Some(first)
                if ["NOT", "AND", "OR"].iter().any(|it| first.eq_ignore_ascii_case(it))
                    || first.starts_with("--") =>
            {
                let rest = FieldPath::new(self.0.segments().iter().skip(1).cloned());
                let dot = if rest.is_empty() { "" } else { "." };
                write!(f, "{}{dot}{rest}", in_backquotes(first))
            }
            _ => write!(f, "{}", self.0),
        }
    }
}

struct List<'a>(&'a [Literal]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, value) in self.0.iter().enumerate() {
            write!(f, "{}{value}", if index == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Bool(it) => f.write_str(if *it { "TRUE" } else { "FALSE" }),
            Self::Number(it) => write!(f, "{it}"),
            Self::Text(_) | Self::Object(_) => write!(f, "{}", self.to_json()),
        }
    }
}

impl CompareOperator {
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

impl Special {
    /// `NULL`, `NAN`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Nan => "NAN",
        }
    }
}
