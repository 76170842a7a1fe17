use fields::FieldPath;

use crate::{
    Conversion, Direction,
    field_conversion::{FieldConversion, FieldPair, ValueCount},
};

/// The conversion of paths in one direction.
#[derive(Clone, Copy)]
pub(crate) struct Paths<'a> {
    pub(crate) conversion: &'a Conversion,
    pub(crate) direction: Direction,
}

/// A field that a path is, and the conversion of its values.
pub(crate) struct PathEnd<'a> {
    pub(crate) path: FieldPath,
    pub(crate) values: &'a FieldConversion,
}

impl<'a> Paths<'a> {
    /// The fields that a field of a message is.
    pub(crate) fn of(self, message: usize, path: &FieldPath) -> Vec<FieldPath> {
        self.ends(message, path).into_iter().map(|it| it.path).collect()
    }

    /// The same with the conversions of their values.
    pub(crate) fn ends(self, message: usize, path: &FieldPath) -> Vec<PathEnd<'a>> {
        let Some(of) = self.conversion.messages.get(message) else { return Vec::new() };
        let whole = of.pairs.iter().filter(|it| it.paths(self.direction).0.starts_with(path));
        let mut found: Vec<PathEnd<'a>> = whole.map(|it| self.end(it, FieldPath::default())).collect();
        let above = of.pairs.iter().filter_map(|it| Some((it, path.below(it.paths(self.direction).0)?)));
        let nearest = above.filter(|(_, rest)| !rest.is_empty()).min_by_key(|(_, rest)| rest.len());
        if let Some((pair, rest)) = nearest
            && !self.is_fixed(message, path)
        {
            found.extend(self.below(pair, &rest));
        }
        found
    }

    /// True for a field that only its version has.
    fn is_fixed(self, message: usize, path: &FieldPath) -> bool {
        let Some(of) = self.conversion.messages.get(message) else { return false };
        match self.direction {
            Direction::ToNew => of.constants.iter().any(|it| path.starts_with(&it.path)),
            Direction::ToOld => of.added.iter().any(|it| path.starts_with(&it.path)),
        }
    }

    fn end(self, pair: &'a FieldPair, rest: FieldPath) -> PathEnd<'a> {
        let (_, to) = pair.paths(self.direction);
        PathEnd { path: to.concat(&rest), values: &pair.values }
    }

    /// The fields that something below a field is: of its message, of each element, or of one entry.
    fn below(self, pair: &'a FieldPair, rest: &FieldPath) -> Vec<PathEnd<'a>> {
        let first = rest.names().next().unwrap_or_default();
        let has_step = match pair.count {
            ValueCount::Map => true,
            ValueCount::List => rest.has_wildcard() && first == "*",
            ValueCount::One | ValueCount::AtMostOne => false,
        };
        let inside = if has_step { rest.tail() } else { rest.clone() };
        let FieldConversion::Message(message) = &pair.values else {
            return vec![self.end(pair, rest.clone())];
        };
        if inside.is_empty() {
            return vec![self.end(pair, rest.clone())];
        }
        let (_, to) = pair.paths(self.direction);
        let before = if has_step { to.concat(&rest.head()) } else { to.clone() };
        let ends = self.ends(*message, &inside).into_iter();
        ends.map(|it| PathEnd { path: before.concat(&it.path), values: it.values }).collect()
    }
}
