use model::is_secret_name;

use crate::{Edge, Field, OnChange, SchemaNode, Shape, TypeDefinition, Types};

/// A way from the root to a place, with what holds for everything below the fields on it: how a change is carried
/// out, what is hidden, what only exists at run time.
///
/// Hidden is what a definition calls sensitive, and what stands under a free key whose [name](is_secret_name) says so,
/// such as a variable `DB_PASSWORD` of `env`.
///
/// It also leads through references whose attributes become part of the object (`services/web/payload/params`), as
/// resources are sent and planned. Free maps and lists count as the field that holds them.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'a> {
    types: &'a Types,
    place: SchemaNode<'a>,
    field: Option<&'a Field>,
    sensitive: bool,
    output: bool,
}

impl<'a> Trail<'a> {
    /// From the root of a descriptor.
    pub const fn root(types: &'a Types) -> Self {
        Self { types, place: SchemaNode::Root(types), field: None, sensitive: false, output: false }
    }

    /// From an object of a kind.
    pub const fn object(types: &'a Types, kind: &'a TypeDefinition) -> Self {
        Self { types, place: SchemaNode::Object(kind), field: None, sensitive: false, output: false }
    }

    /// One step on: a key, or an index of a list.
    #[must_use]
    pub fn step(self, segment: &str) -> Self {
        if let Some(kind) = self.embedded() {
            return Self { place: SchemaNode::Object(kind), ..self }.step(segment);
        }
        let is_index = segment.parse::<usize>().is_ok() && self.place.shape().is_some_and(Shape::may_be_list);
        let next = self.to(if is_index { self.place.item() } else { self.place.key(segment) });
        let sensitive = next.sensitive || (!is_index && next.is_free() && is_secret_name(segment));
        Self { sensitive, ..next }
    }

    /// True if the key that leads here is one that no definition knows, and its value is no resource with fields of its own,
    /// which the key would only be the name of.
    fn is_free(self) -> bool {
        let SchemaNode::Inside(shape) = self.place else { return false };
        !matches!(shape, Shape::Object { .. } | Shape::MapOf(_))
    }

    fn to(self, place: SchemaNode<'a>) -> Self {
        let SchemaNode::Field(field) = place else { return Self { place, ..self } };
        Self {
            place,
            field: Some(field),
            sensitive: self.sensitive || field.sensitive,
            output: self.output || field.output,
            ..self
        }
    }

    /// The kind whose attributes stand here in place of a name.
    fn embedded(self) -> Option<&'a TypeDefinition> {
        match self.place.shape()? {
            Shape::Reference { to, edge: Edge::Embed } => self.types.kind(to),
            _ => None,
        }
    }

    /// The place.
    pub const fn place(self) -> SchemaNode<'a> {
        self.place
    }

    /// The effect of a change at this place.
    pub fn on_change(self) -> OnChange {
        self.field.map_or(OnChange::Rebuild, |field| field.on_change)
    }

    /// True if a set stands here.
    pub const fn is_set(self) -> bool {
        matches!(self.place, SchemaNode::Field(field) if field.set)
    }

    /// True if what stands here must never be shown.
    pub const fn is_sensitive(self) -> bool {
        self.sensitive
    }

    /// True if what stands here only exists once the resource does.
    pub const fn is_output(self) -> bool {
        self.output
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergeRule;

    fn trail<'a>(types: &'a Types, path: &str) -> Trail<'a> {
        path.split('/').fold(Trail::root(types), Trail::step)
    }

    #[test]
    fn places_are_named_by_their_path() {
        let types = Types::builtin();
        let check =
            |path: &str, phrase: &str| assert_eq!(trail(&types, path).place().phrase(), phrase, "{path}");
        check("services", "map of services");
        check("nodes", "map of services");
        check("nodes/web", "service");
        check("meta", "meta");
        check("meta/homepage", "anything");
        check("version", "text");
        check("services/web/ip/0", "IP address");
        check("services/web/depends_on", "list of names of services");
        check("services/web/http_proxy/ports/0/local_port", "whole number from 1 to 65535");
        check("services/web/payload", "name of a payload");
        check("services/web/payload/params/min_mem_gib", "number");
        check("services/web/payload/constraints/0", "text");
        check("services/web/payload/constraints/golem.inf.mem.gib", "anything");
        check("services/web/init/0/run/args/1", "text");
        check("services/web/replicas", "");
        check("x", "");
    }

    #[test]
    fn field_settings_apply_to_nested_values() {
        let types = Types::builtin();
        assert_eq!(trail(&types, "services/web/labels/tier").on_change(), OnChange::Update);
        assert_eq!(trail(&types, "services/web/payload/params/image_hash").on_change(), OnChange::Rebuild);
        assert_eq!(trail(&types, "services/web/depends_on/0").on_change(), OnChange::Nothing);
        assert_eq!(trail(&types, "meta/version").on_change(), OnChange::Nothing);
        assert!(trail(&types, "services/web/network_node/ip").is_output());
        assert!(!trail(&types, "services/web/ip").is_output());
    }

    #[test]
    fn free_keys_are_hidden_by_their_names() {
        let types = Types::builtin();
        let check =
            |path: &str, hidden: bool| assert_eq!(trail(&types, path).is_sensitive(), hidden, "{path}");
        check("services/web/payload/params/env/DB_PASSWORD", true);
        check("services/web/payload/params/env/PORT", false);
        check("services/web/payload/params/secrets/A", true);
        check("services/web/init/0/run/env/API_TOKEN", true);
        check("services/web/init/0/run/args/0", false);
        check("services/web/provides/db/properties/password", true);
        check("services/web/provides/token/type", false);
        check("services/token/payload/runtime", false);
        check("payloads/secret/runtime", false);
    }

    #[test]
    fn merge_rules_are_found() {
        let types = Types::builtin();
        assert_eq!(trail(&types, "services/web/depends_on").place().merge_options().rule, MergeRule::Unique);
        assert_eq!(trail(&types, "services/web/init").place().merge_options().rule, MergeRule::Standard);
        assert_eq!(trail(&types, "services").place().merge_options().rule, MergeRule::Standard);
    }
}
