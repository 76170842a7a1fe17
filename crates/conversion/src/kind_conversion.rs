use fields::{FieldMask, FieldPath, Filter, MessageType, OrderBy};
use serde_json::Value;
use spec::Kind;

use crate::{
    Conversion, Direction, LostValue, Unconvertible, conversion::ConvertedKind, filter,
    name_conversion::ParentUse, order, path::Paths, value::Values,
};

/// The conversion of a resource type: its resources, and everything that is about them in requests (Goten's guide, 2.4.2,
/// "Versioning module and transformers").
#[derive(Clone, Copy, Debug)]
pub struct KindConversion<'a> {
    pub(crate) conversion: &'a Conversion,
    pub(crate) kind: &'a ConvertedKind,
}

impl<'a> KindConversion<'a> {
    /// The resource type of the old version.
    pub fn old_kind(self) -> Option<&'a Kind> {
        self.conversion.services.kind(self.kind.old)
    }

    /// The resource type of the new version.
    pub fn new_kind(self) -> Option<&'a Kind> {
        self.conversion.services.kind(self.kind.new)
    }

    /// The message of a version.
    pub(crate) fn message(self, direction: Direction) -> Option<MessageType<'a>> {
        let (_, at) = direction.of(self.conversion.old, self.conversion.new);
        let (_, kind) = direction.of(self.old_kind(), self.new_kind());
        MessageType::new(self.conversion.schemas.get(at)?, &kind?.name)
    }

    /// A resource of the other version. Fields that are in one version only are left out, or get their constant or default.
    ///
    /// # Errors
    /// To the new version: a field that is always the same has another value.
    pub fn value(self, direction: Direction, resource: &Value) -> Result<Value, LostValue> {
        match self.kind.message {
            Some(message) => Values::of(self.conversion, direction).message(message, resource),
            None => Ok(resource.clone()),
        }
    }

    /// Gives a changed resource of the new version what only that version has, as it is stored: who writes through the old version
    /// does not know it. Elements of a list keep it if nothing that the old version has of them has changed.
    pub fn keep_unknown(self, stored: &Value, changed: &mut Value) {
        if let Some(message) = self.kind.message {
            Values::of(self.conversion, Direction::ToOld).keep(message, stored, changed);
        }
    }

    /// A name of a resource; `-` is any id. `None` if the text is no name of the type, or the other version does not see the resource.
    pub fn name(self, direction: Direction, name: &str) -> Option<String> {
        self.kind.names.name(direction, name)
    }

    /// A name of a parent; the root is `""`. An id that only the new version has is its constant; its default is for one resource, and
    /// where resources are listed it is any.
    pub fn parent(self, direction: Direction, parent: &str, used: ParentUse) -> Option<String> {
        self.kind.names.parent(direction, parent, used)
    }

    /// The fields that a field is: several if parts of it are elsewhere, none if only one version has it.
    pub fn paths(self, direction: Direction, path: &FieldPath) -> Vec<FieldPath> {
        let Some(message) = self.kind.message else { return vec![path.clone()] };
        let paths = Paths { conversion: self.conversion, direction }.of(message, path);
        let typed = |it: FieldPath| self.message(direction).and_then(|of| it.typed(of).ok()).unwrap_or(it);
        paths.into_iter().map(typed).collect()
    }

    /// A mask of the other version.
    pub fn mask(self, direction: Direction, mask: &FieldMask) -> FieldMask {
        if mask.is_full() {
            return mask.clone();
        }
        let paths = mask.paths().flat_map(|it| self.paths(direction, it));
        FieldMask::new(paths).unwrap_or_default()
    }

    /// A filter of the new version that selects the same resources.
    ///
    /// # Errors
    /// A condition that has no counterpart.
    pub fn filter(self, filter: &Filter) -> Result<Filter, Unconvertible> {
        filter::converted(self, filter)
    }

    /// An order of the new version.
    ///
    /// # Errors
    /// A field that has no counterpart, or whose values have another order.
    pub fn order(self, order: &OrderBy) -> Result<OrderBy, Unconvertible> {
        order::converted(self, order)
    }
}
