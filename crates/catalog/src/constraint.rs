//! Conditions on one bundle: `olm.constraint` with all, any, not and CEL.

use std::{fmt, sync::Arc};

use crate::{Bundle, Gvk, PackageRange, PropertyData, quote::quote};

pub mod cel;
mod read;

pub(crate) use read::{empty_range, read};

/// A condition that one bundle has to meet.
///
/// Each is met by a single bundle: `all` of two packages is met by none.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// It is of a package and in a range.
    Package(PackageRange),
    /// It provides an API.
    Gvk(Gvk),
    /// It has a label.
    Label(Arc<str>),
    /// Its properties meet an expression.
    Cel(Arc<cel::Rule>),
    /// It meets all of these.
    All(Vec<Predicate>),
    /// It meets one of these at least.
    Any(Vec<Predicate>),
    /// It meets none of these.
    Not(Vec<Predicate>),
    /// It meets another predicate; if no bundle does, this is the message.
    Explained(Arc<str>, Box<Predicate>),
    /// It cannot be read, which is reported elsewhere; nothing meets it. Contains the error.
    Unreadable(Arc<str>),
}

impl Predicate {
    /// True if a bundle meets it. An expression that fails to evaluate is not met.
    pub fn matches(&self, bundle: &Bundle) -> bool {
        let has = |is: &dyn Fn(&PropertyData) -> bool| bundle.properties.iter().any(|it| is(&it.data));
        match self {
            Self::Package(required) => {
                required.package == bundle.package && required.range.contains(&bundle.version)
            }
            Self::Gvk(gvk) => has(&|it| matches!(it, PropertyData::Gvk(it) if it == gvk)),
            Self::Label(label) => has(&|it| matches!(it, PropertyData::Label(it) if it == label)),
            Self::Cel(rule) => rule.matches(bundle),
            Self::All(parts) => parts.iter().all(|it| it.matches(bundle)),
            Self::Any(parts) => parts.iter().any(|it| it.matches(bundle)),
            Self::Not(parts) => !parts.iter().any(|it| it.matches(bundle)),
            Self::Explained(_, predicate) => predicate.matches(bundle),
            Self::Unreadable(_) => false,
        }
    }

    /// True if its text consists of parts that are joined by another word than `between`.
    fn is_joined(&self, between: &str) -> bool {
        match self {
            Self::All(parts) => parts.len() > 1 && between != " and ",
            Self::Any(parts) => parts.len() > 1 && between != " or ",
            Self::Package(_) => between == " and not ",
            Self::Not(parts) => parts.len() > 1 || between == " and not ",
            Self::Explained(_, inner) => inner.is_joined(between),
            Self::Gvk(_) | Self::Label(_) | Self::Cel(_) | Self::Unreadable(_) => false,
        }
    }

    /// The message to show if nothing meets it.
    pub fn failure_message(&self) -> Option<&Arc<str>> {
        match self {
            Self::Explained(message, _) => Some(message),
            _ => None,
        }
    }
}

impl PropertyData {
    /// The condition that another bundle has to meet for this property's bundle to be used; `None` if there
    /// is none.
    pub fn predicate(&self) -> Option<Predicate> {
        match self {
            Self::PackageRequired(required) => Some(Predicate::Package(required.clone())),
            Self::GvkRequired(gvk) => Some(Predicate::Gvk(gvk.clone())),
            Self::LabelRequired(label) => Some(Predicate::Label(label.clone())),
            Self::Constraint(predicate) => Some(Predicate::clone(predicate)),
            _ => None,
        }
    }
}

/// In upstream's wording, as in "requires an operator …".
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package(required) => {
                write!(f, "with package: {} and with version in range: {}", required.package, required.range)
            }
            Self::Gvk(gvk) => {
                let Gvk { group, version, kind } = gvk;
                write!(f, "providing an API with group: {group}, version: {version}, kind: {kind}")
            }
            Self::Label(label) => write!(f, "with label: {label}"),
            Self::Cel(rule) => expression(f, rule, ""),
            Self::All(parts) => join(f, parts, " and "),
            Self::Any(parts) => join(f, parts, " or "),
            Self::Not(parts) => {
                f.write_str("not ")?;
                join(f, parts, " and not ")
            }
            Self::Explained(message, predicate) => match &**predicate {
                Self::Cel(rule) => expression(f, rule, message),
                predicate => write!(f, "{predicate}"),
            },
            Self::Unreadable(error) => write!(f, "with a constraint that cannot be read: {error}"),
        }
    }
}

fn expression(f: &mut fmt::Formatter<'_>, rule: &cel::Rule, message: &str) -> fmt::Result {
    write!(f, "with constraint: {} and message: {}", quote(rule.text()), quote(message))
}

/// The parts with a word between them, in brackets where that is ambiguous.
fn join(f: &mut fmt::Formatter<'_>, parts: &[Predicate], between: &str) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        if part.is_joined(between) { write!(f, "({part})")? } else { write!(f, "{part}")? }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
