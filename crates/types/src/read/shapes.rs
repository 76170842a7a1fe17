use model::EdgeKind;
use syntax::{Mapping, Node, NodeData};

use super::claims::Claim;
use super::fields::Inherited;
use super::reader::Reader;
use crate::{Edge, Field, Shape, codes, golem};

/// The names of types.
const NAMES: [&str; 15] = [
    "any",
    "text",
    "integer",
    "number",
    "boolean",
    "cidr",
    "ip_address",
    "port",
    "commands",
    // The others take an argument.
    "one_of",
    "either",
    "list",
    "map",
    "fields",
    "reference",
];

/// The number of them that need no argument.
const ALONE: usize = 9;

const EDGES: [(&str, Edge); 4] = [
    ("embed", Edge::Embed),
    ("depends_on", Edge::Needs(EdgeKind::DependsOn)),
    ("reference", Edge::Needs(EdgeKind::Reference)),
    ("attachment", Edge::Needs(EdgeKind::Attachment)),
];

impl Reader {
    /// Reads a type. Fields are read over those of `before`, so that a file can change one of them.
    pub(super) fn shape(
        &mut self,
        node: &Node,
        before: &Shape,
        inherited: &Inherited,
        owner: Option<&Field>,
    ) -> Option<Shape> {
        match &node.data {
            NodeData::String(name, _) => self.plain_shape(node, name),
            NodeData::Mapping(mapping) => self.shape_with(node, mapping, before, inherited, owner),
            _ => {
                self.mapping(node, "a type with arguments");
                None
            }
        }
    }

    fn plain_shape(&mut self, node: &Node, name: &str) -> Option<Shape> {
        Some(match name {
            "any" => Shape::Any,
            "text" => Shape::Text,
            "integer" => Shape::Integer { min: i64::MIN, max: i64::MAX },
            "number" => Shape::Number,
            "boolean" => Shape::Boolean,
            "cidr" => Shape::Cidr,
            "ip_address" => Shape::IpAddress { within: None },
            "one_of" | "either" | "list" | "map" | "fields" | "reference" => {
                let help = format!("write it as a map: `type: {{{name}: …}}`");
                self.error(codes::UNKNOWN_TYPE, node.span, format!("type `{name}` requires an argument"))
                    .help = Some(help);
                return None;
            }
            _ => {
                if let Some(form) = golem::FORMS.into_iter().find(|it| it.name() == name) {
                    return Some(Shape::Form(form));
                }
                let alone = NAMES.get(..ALONE).unwrap_or_default();
                self.unknown_value(node.span, "type", name, &NAMES, alone);
                return None;
            }
        })
    }

    fn shape_with(
        &mut self,
        node: &Node,
        mapping: &Mapping,
        before: &Shape,
        inherited: &Inherited,
        owner: Option<&Field>,
    ) -> Option<Shape> {
        let Some(head) = mapping.entries.iter().find(|entry| NAMES.contains(&&*entry.key)) else {
            let found = mapping.entries.first();
            let (span, found) = found.map_or((node.span, ""), |it| (it.key_span, &it.key));
            self.unknown_value(span, "type", found, &NAMES, &NAMES);
            return None;
        };
        let value = &head.value;
        let allowed: &[&str] = match &*head.key {
            "reference" => &["reference", "edge"],
            "fields" => &["fields", "open"],
            name => &[name],
        };
        self.only(mapping, allowed);
        match &*head.key {
            "one_of" => Some(Shape::OneOf(self.texts(value, "`one_of`"))),
            "integer" => self.integer_shape(value),
            "ip_address" => self.ip_address(value, inherited),
            "either" => Some(Shape::Either(self.alternatives(value, inherited, owner))),
            "list" => {
                let item = if let Shape::List(item) = before { item } else { &Shape::Any };
                self.shape(value, item, inherited, owner).map(|it| Shape::List(Box::new(it)))
            }
            "map" => {
                let item = if let Shape::MapOf(item) = before { item } else { &Shape::Any };
                self.shape(value, item, inherited, owner).map(|it| Shape::MapOf(Box::new(it)))
            }
            "fields" => Some(self.object(mapping, before, inherited, owner)),
            "reference" => self.reference(node, mapping),
            name => self.plain_shape(node, name),
        }
    }

    /// A map with fields, from a map that has `fields`, `open` or both.
    pub(super) fn object(
        &mut self,
        mapping: &Mapping,
        before: &Shape,
        inherited: &Inherited,
        owner: Option<&Field>,
    ) -> Shape {
        let (mut fields, was_open) = match before {
            Shape::Object { fields, open } => (fields.clone(), *open),
            _ => (Vec::new(), false),
        };
        if let Some(node) = mapping.get("fields") {
            self.fields_within(&mut fields, node, &inherited.inside(), owner);
        }
        Shape::Object { fields, open: self.flag(mapping, "open").unwrap_or(was_open) }
    }

    fn alternatives(&mut self, node: &Node, inherited: &Inherited, owner: Option<&Field>) -> Vec<Shape> {
        let items = self.sequence(node, "`either`");
        items.iter().filter_map(|item| self.shape(item, &Shape::Any, inherited, owner)).collect()
    }

    fn integer_shape(&mut self, node: &Node) -> Option<Shape> {
        let mapping = self.mapping(node, "`integer`")?;
        self.only(mapping, &["min", "max"]);
        let min = mapping.get("min").and_then(|it| self.integer(it, "`min`")).unwrap_or(i64::MIN);
        let max = mapping.get("max").and_then(|it| self.integer(it, "`max`")).unwrap_or(i64::MAX);
        if min > max {
            self.error(codes::EMPTY_RANGE, node.span, format!("no number lies between {min} and {max}"));
        }
        Some(Shape::Integer { min, max })
    }

    fn ip_address(&mut self, node: &Node, inherited: &Inherited) -> Option<Shape> {
        let mapping = self.mapping(node, "`ip_address`")?;
        self.only(mapping, &["within"]);
        let within = mapping.get("within").and_then(|it| self.text(it, "`within`"));
        if let (Some(kind), Some(node)) = (&inherited.kind, mapping.get("within")) {
            self.claim_path(kind, node);
        }
        Some(Shape::IpAddress { within })
    }

    fn reference(&mut self, node: &Node, mapping: &Mapping) -> Option<Shape> {
        let named = mapping.get("reference")?;
        let to = self.text(named, "`reference`")?;
        self.claims.push(Claim::Kind { name: to.clone(), span: named.span });
        let Some(edge) = mapping.get("edge") else {
            self.missing(node.span, "`edge` of a reference", "set the kind of edge, e.g. `edge: depends_on`");
            return None;
        };
        Some(Shape::Reference { to, edge: self.choice(edge, "edge", &EDGES)? })
    }
}
