//! The part of the Common Expression Language that constraints of bundles use (source: OLM's package `constraints`).
//!
//! Literals, comparisons, `&&`, `||`, `!`, `? :`, `in`, arithmetic, fields and indices, `has`, `size`, the macros `all`,
//! `exists`, `exists_one`, `filter` and `map`, functions of texts, and `semver_compare`. The one variable is
//! `properties`, the list of a bundle's properties as maps with `type` and `value`.

use std::sync::Arc;

use crate::Bundle;
use expression::Expression;

mod call;
mod compare;
mod evaluate;
mod expression;
mod operator;
mod parse;
mod pattern;
mod primary;
mod token;
mod value;

/// An expression that a bundle meets or does not meet.
#[derive(Clone, Debug)]
pub struct Rule {
    text: Arc<str>,
    expression: Expression,
}

impl Rule {
    /// Reads an expression.
    ///
    /// # Errors
    /// If it is not a valid expression, uses something that is not supported, or does not give a boolean; the
    /// error describes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expression = parse::parse(text)?;
        if !expression.is_boolean() {
            return Err("cel expressions must have type Bool".to_owned());
        }
        Ok(Self { text: text.into(), expression })
    }

    /// The expression as it is written.
    pub const fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// True if a bundle meets it. An expression that fails or takes too many steps is not met.
    pub fn matches(&self, bundle: &Bundle) -> bool {
        evaluate::evaluate(&self.expression, value::properties(bundle)) == Some(true)
    }
}

#[cfg(test)]
mod tests;
