mod copy;
mod diff;
mod project;
mod subtract;
mod text;

use std::collections::BTreeSet;

use crate::{FieldPath, MessageType, ParseError, codes, error::quoted};

/// A set of fields: paths of which none is below another, or `*`, which is all fields.
///
/// A mask of no paths selects nothing. If an API has an absent mask, which selects everything, use an `Option`.
/// Paths have no `*` below the top: `fields/mask-wildcard`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldMask {
    is_full: bool,
    // Invariant: empty if `is_full`; no path is below another, none is empty, none has `*`.
    paths: BTreeSet<FieldPath>,
}

impl FieldMask {
    /// All fields: `*`.
    pub fn full() -> Self {
        Self { is_full: true, paths: BTreeSet::new() }
    }

    /// The fields at the paths and below them; the empty path is all fields.
    ///
    /// # Errors
    /// `fields/mask-wildcard` for a path with `*`; the byte is 0.
    pub fn new(paths: impl IntoIterator<Item = FieldPath>) -> Result<Self, ParseError> {
        let mut all = BTreeSet::new();
        for path in paths {
            if path.has_wildcard() {
                return Err(text::wildcard(0));
            }
            all.insert(path);
        }
        Ok(Self::of(all))
    }

    /// Drops paths below another path: they come after that one in the order of paths.
    fn of(paths: BTreeSet<FieldPath>) -> Self {
        let mut kept: Vec<FieldPath> = Vec::with_capacity(paths.len());
        for path in paths {
            if path.is_empty() {
                return Self::full();
            }
            if kept.last().is_none_or(|it| !path.starts_with(it)) {
                kept.push(path);
            }
        }
        Self { is_full: false, paths: kept.into_iter().collect() }
    }

    /// All fields of a message, by name: the mask that is full without being `*`.
    pub fn of_message(of: MessageType<'_>) -> Self {
        Self::of(of.message().fields.iter().map(|it| FieldPath::of_names([&*it.name])).collect())
    }

    /// True if it is `*`.
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    /// True if it selects nothing.
    pub fn is_empty(&self) -> bool {
        !self.is_full && self.paths.is_empty()
    }

    /// The paths, ordered; none for `*`.
    pub fn paths(&self) -> impl Iterator<Item = &FieldPath> {
        self.paths.iter()
    }

    /// True if all of a field is selected.
    pub fn covers(&self, path: &FieldPath) -> bool {
        self.is_full || self.above(path).is_some()
    }

    /// True if something of a field is selected: the field, one above it or one below it.
    pub fn touches(&self, path: &FieldPath) -> bool {
        self.covers(path) || self.paths.range(path..).next().is_some_and(|it| it.starts_with(path))
    }

    /// The path that is this path or above it.
    fn above(&self, path: &FieldPath) -> Option<&FieldPath> {
        // No other path of the mask is between the two, because paths below the one would be below it too.
        self.paths.range(..=path).next_back().filter(|it| path.starts_with(it))
    }

    /// The fields of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.is_full || other.is_full {
            return Self::full();
        }
        Self::of(self.paths.union(&other.paths).cloned().collect())
    }

    /// The fields of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        if self.is_full {
            return other.clone();
        }
        let mine = self.paths.iter().filter(|it| other.covers(it));
        let others = other.paths.iter().filter(|it| self.covers(it));
        Self::of(mine.chain(others).cloned().collect())
    }

    /// Refuses paths through lists: elements have no names, so [`copy`](Self::copy) would replace whole lists by elements with
    /// less.
    ///
    /// # Errors
    /// `fields/mask-of-elements`, or as [`typed`](Self::typed).
    pub fn check_copy(&self, of: MessageType<'_>) -> Result<(), ParseError> {
        for path in &self.paths {
            if let Some(at) = path.resolve(of)?.many_at {
                let list = FieldPath::new(path.segments().iter().take(at + 1).cloned());
                let list = list.to_string();
                let list = list.trim_end_matches(".*");
                let message = format!(
                    "{} is about elements of {}, which have no names",
                    quoted(&path.to_string()),
                    quoted(list)
                );
                let help = format!("name {}, and send the whole list", quoted(list));
                return Err(ParseError { code: codes::MASK_OF_ELEMENTS, byte: 0, message, help });
            }
        }
        Ok(())
    }

    /// The mask with the names that the message's fields have, and with its keys known as keys.
    ///
    /// # Errors
    /// `fields/unknown-field` if a path is not one of the message.
    pub fn typed(&self, of: MessageType<'_>) -> Result<Self, ParseError> {
        let paths = self.paths.iter().map(|it| it.typed(of)).collect::<Result<_, _>>()?;
        Ok(if self.is_full { Self::full() } else { Self::of(paths) })
    }
}

#[cfg(test)]
mod tests;
