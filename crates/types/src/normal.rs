use std::{net::IpAddr, sync::Arc};

use model::{Data, Map, Pointer, Step, Value};
use syntax::{Node, NodeData};

use crate::{
    Edge, Field, SchemaNode, Shape, TypeDefinition, Types, golem::command_shape, parse_cidr, range_with_mask,
    set,
};

/// Brings the attributes of a resource into their normal form, so that values of the same meaning are equal:
///
/// - Keys that begin with `x-` are left out of maps with defined fields.
/// - Fields that are null or empty are left out, and so are those whose value means the same as leaving them out
///   ([`Field::when_left_out`]). Required fields stay, and items of lists, whose positions count.
/// - Sets are in order and have each item once.
/// - Addresses are written in one way; a range has a prefix length, no host bits and no mask beside it.
///
/// A value that is not known yet stays as it is, and so does the order of a list in which `is_template` says that a place is
/// named.
pub fn normalize(
    types: &Types,
    kind: &TypeDefinition,
    attributes: &mut Map,
    is_template: &dyn Fn(&Pointer) -> bool,
) {
    let mut normalizer = Normalizer { types, is_template, keeps_nulls: false, path: Vec::new() };
    normalizer.object(attributes, kind);
}

/// The same for the attributes that an adapter reports. It leaves out attributes that it did not read, so a field of the
/// kind that is empty becomes null: it is not there.
pub fn normalize_observed(types: &Types, kind: &TypeDefinition, attributes: &mut Map) {
    let mut normalizer = Normalizer { types, is_template: &|_| false, keeps_nulls: true, path: Vec::new() };
    normalizer.object(attributes, kind);
}

struct Normalizer<'n> {
    types: &'n Types,
    is_template: &'n dyn Fn(&Pointer) -> bool,
    /// True if fields of kinds become null where they would be left out.
    keeps_nulls: bool,
    path: Vec<Step>,
}

impl Normalizer<'_> {
    fn object(&mut self, map: &mut Map, kind: &TypeDefinition) {
        self.map(map, SchemaNode::Object(kind));
        join_mask(map, kind);
    }

    fn value(&mut self, value: &mut Value, place: SchemaNode<'_>) {
        match &mut value.data {
            Data::Map(map) => match embedded(self.types, place) {
                Some(kind) => self.object(map, kind),
                None => self.map(map, place),
            },
            Data::List(items) => self.list(items, place),
            Data::String(text) => {
                if let Some(canonical) = place.shape().and_then(|shape| canonical_address(shape, text)) {
                    *text = canonical;
                }
            }
            _ => {}
        }
    }

    fn map(&mut self, map: &mut Map, place: SchemaNode<'_>) {
        let has_fields = has_fields(place);
        if has_fields && map.keys().any(|key| Types::is_extension(key)) {
            map.retain(|key, _| !Types::is_extension(key));
        }
        let names_commands = place.shape().is_some_and(|it| std::ptr::eq(it, command_shape()));
        let keeps_nulls = self.keeps_nulls && matches!(place, SchemaNode::Object(_));
        let mut is_any_absent = false;
        for (key, value) in map.iter_mut() {
            let inside = place.key(key);
            self.path.push(Step::Key(Arc::clone(key)));
            self.value(value, inside);
            self.path.pop();
            if !names_commands && says_nothing(value, inside) {
                value.data = Data::Null;
                is_any_absent = true;
            }
        }
        if is_any_absent && !keeps_nulls {
            map.retain(|_, value| !matches!(value.data, Data::Null));
        }
    }

    fn list(&mut self, items: &mut Vec<Value>, place: SchemaNode<'_>) {
        let inside = place.item();
        for (index, item) in items.iter_mut().enumerate() {
            self.path.push(Step::Index(index));
            self.value(item, inside);
            self.path.pop();
        }
        let is_set = matches!(place, SchemaNode::Field(field) if field.set);
        if is_set && !items.iter().any(Value::has_unknown) && !self.has_template(items.len()) {
            set::sort(items);
        }
    }

    /// True if a place in the list of that length, which is at the current path, has a text with references.
    fn has_template(&self, length: usize) -> bool {
        let list = Pointer::root().steps(&self.path);
        (0..length).any(|index| (self.is_template)(&list.index(index)))
    }
}

/// The kind whose attributes stand at a place where its name is written.
fn embedded<'t>(types: &'t Types, place: SchemaNode<'_>) -> Option<&'t TypeDefinition> {
    match place.shape()? {
        Shape::Reference { to, edge: Edge::Embed } => types.kind(to),
        _ => None,
    }
}

fn has_fields(place: SchemaNode<'_>) -> bool {
    matches!(place, SchemaNode::Object(_)) || place.shape().is_some_and(|it| !it.fields().is_empty())
}

/// True if a value says no more than leaving it out.
fn says_nothing(value: &Value, place: SchemaNode<'_>) -> bool {
    let field: Option<&Field> = if let SchemaNode::Field(field) = place { Some(field) } else { None };
    if field.is_some_and(|it| it.required) {
        return false;
    }
    match &value.data {
        Data::Null => true,
        Data::List(items) => items.is_empty(),
        Data::Map(map) => map.is_empty(),
        data => field.and_then(|it| it.when_left_out.as_ref()).is_some_and(|it| is_it(&it.0, data)),
    }
}

/// True if a scalar is the one of a definition.
fn is_it(definition: &Node, data: &Data) -> bool {
    match (&definition.data, data) {
        (NodeData::Bool(one), Data::Bool(other)) => one == other,
        (NodeData::Int(one), Data::Int(other)) => one == other,
        (NodeData::Int(one), Data::Float(other)) => *one as f64 == *other,
        (NodeData::Float(one), Data::Int(other)) => *one == *other as f64,
        (NodeData::Float(one), Data::Float(other)) => one == other,
        (NodeData::String(one, _), Data::String(other)) => one == other,
        _ => false,
    }
}

/// The one way to write an address or a range of addresses, if `text` is another.
pub fn canonical_address(shape: &Shape, text: &str) -> Option<Arc<str>> {
    let canonical = match shape {
        Shape::Cidr => parse_cidr(text)?.trunc().to_string(),
        Shape::IpAddress { .. } => text.parse::<IpAddr>().ok()?.to_string(),
        _ => return None,
    };
    (canonical != text).then(|| canonical.into())
}

/// Takes the mask beside a range into it. A prefix length is what counts where there are both.
fn join_mask(map: &mut Map, kind: &TypeDefinition) {
    let (Some(range), Some(mask)) = (&kind.address_range, &kind.address_mask) else { return };
    let text = |field: &str| map.get(field).and_then(Value::as_str);
    let (Some(written), Some(by)) = (text(range), text(mask)) else { return };
    let joined = match parse_cidr(written) {
        Some(range) => Some(range),
        None => {
            written.parse().ok().zip(by.parse().ok()).and_then(|(address, by)| range_with_mask(address, by))
        }
    };
    let Some(joined) = joined else { return };
    if let Some(value) = map.get_mut(range) {
        value.data = Data::String(joined.to_string().into());
        map.remove(mask);
    }
}
