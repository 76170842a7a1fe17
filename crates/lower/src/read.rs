//! Checks each written value against its shape: returns values, reports errors, records references.

use std::sync::Arc;

use diag::{Diagnostic, Sources, Span};
use model::{Data, Map, Origin, Pointer, Value, map_of};
use syntax::{Entry, Mapping, Node, NodeData, Style};
use types::{Field, Shape, ValueReader, canonical_address};

use crate::{
    Cache, Inferred,
    declare::{Declarations, is_free, missing_field},
    template::Step,
};

mod name;
mod reference;
mod scalar;
mod wrong;

pub(crate) use name::unknown_name;
pub(crate) use reference::reference_fix;
use wrong::fits;
pub(crate) use wrong::takes;

/// Reads the fields of every declared item, or takes over what `cache` has of it.
pub(crate) fn read(declarations: &mut Declarations<'_>, sources: &Sources, cache: &Cache) {
    for item in 0..declarations.items.len() {
        if declarations.restore_reading(cache, item) {
            continue;
        }
        let definition = declarations.definition(item);
        let (node, span) = (declarations.items[item].node, declarations.items[item].span);
        let Some(mapping) = node.and_then(Node::as_mapping) else { continue };
        let is_literal = definition.literal;
        let (problems, inferred) = (declarations.diagnostics.len(), declarations.inferred.len());
        let mut reader = Reader {
            declarations,
            sources,
            item,
            path: Vec::new(),
            is_literal,
            takes_text: true,
            has_accessors: false,
        };
        let attributes = reader.object(mapping, span, &definition.fields, definition.open);
        let can_keep = !reader.has_accessors;
        declarations.items[item].attributes = Arc::new(attributes);
        if can_keep && declarations.diagnostics.len() == problems {
            declarations.keep_reading(item, inferred);
        }
    }
}

/// Reads one item; `path` leads from it to the value that is being read.
pub(crate) struct Reader<'r, 'a> {
    pub(crate) declarations: &'r mut Declarations<'a>,
    sources: &'r Sources,
    item: usize,
    path: Vec<Step>,
    /// True if a text is taken literally: escapes in it were resolved already, or its kind has none.
    is_literal: bool,
    /// True if any text is allowed at the current template.
    takes_text: bool,
    /// True if there was an expression over links.
    has_accessors: bool,
}

impl Reader<'_, '_> {
    /// The fields of a map, with defaults. `span` is the place of the map's key.
    fn object(&mut self, mapping: &Mapping, span: Span, fields: &[Field], open: bool) -> Map {
        let mut values = Vec::with_capacity(mapping.entries.len());
        let mut written = vec![false; fields.len()];
        // An unknown key may be the misspelling of a missing one: that is reported only once.
        let mut misspelt: Vec<&str> = Vec::new();
        for entry in &mapping.entries {
            let place = fields.iter().position(|field| *field.name == *entry.key);
            let field = place.map(|place| &fields[place]);
            if field.is_none() && !open && !entry.key.starts_with("x-") {
                let (label, at) = (self.label(), self.pointer_in_document());
                let histories = self.declarations.histories;
                let names = fields.iter().map(|field| &*field.name);
                let fits = |name: &str| {
                    is_free(histories, &at.key(name), mapping.entry(name), entry)
                        && fields.iter().any(|it| *it.name == *name && takes(it, &entry.value))
                };
                let likely = self.declarations.unknown_key(entry, &label, names, fits);
                misspelt.extend(likely.filter(|_| !self.declarations.options.lenient));
                continue;
            }
            self.path.push(Step::Key(Arc::clone(&entry.key)));
            let value = self.entry(entry, field);
            self.path.pop();
            if let Some(place) = place {
                written[place] |= value.is_some() || !matches!(entry.value.data, NodeData::Null);
            }
            values.extend(value.map(|value| (Arc::clone(&entry.key), value)));
        }
        for (field, _) in fields.iter().zip(written).filter(|(_, written)| !written) {
            if !(field.required && misspelt.contains(&&*field.name)) {
                self.absent(span, field, &mut values);
            }
        }
        map_of(values)
    }

    /// The value of one key; `None` if there is no usable value.
    fn entry(&mut self, entry: &Entry, field: Option<&Field>) -> Option<Value> {
        let Some(field) = field else {
            return self.value(&entry.value, entry.key_span, &Shape::Any);
        };
        if matches!(entry.value.data, NodeData::Null) && !matches!(field.shape, Shape::Any) {
            return None;
        }
        let mut value = self.value(&entry.value, entry.key_span, &field.shape)?;
        value.sensitive |= field.sensitive;
        Some(value)
    }

    /// Handles a field without a value.
    fn absent(&mut self, span: Span, field: &Field, values: &mut Vec<(Arc<str>, Value)>) {
        if field.required {
            let diagnostic = missing_field(span, &self.label(), field);
            self.declarations.diagnostics.push(diagnostic);
        } else if let Some(default) = &field.default {
            let mut value = implicit_value(&default.0, Origin::Default(span));
            value.sensitive = field.sensitive;
            let pointer = self.pointer_in_document().key(&field.name);
            let because = ["default of `", &*field.name, "`"].concat();
            self.declarations.inferred.push(Inferred { pointer, value: value.clone(), because });
            values.push((Arc::clone(&field.name), value));
        }
    }

    /// A value of a shape; `None` if it is wrong, which is reported. `key` is shown if the value has no text.
    fn value(&mut self, node: &Node, key: Span, shape: &Shape) -> Option<Value> {
        if let NodeData::String(text, _) = &node.data
            && self.may_refer(text)
        {
            let is_free = matches!(shape, Shape::Any | Shape::Text);
            self.takes_text = is_free;
            let value = self.template(node, text);
            self.takes_text = true;
            let value = match value {
                Ok(value) => value,
                Err(value) => return is_free.then_some(value),
            };
            return match &value.data {
                Data::String(plain) => self.literal(plain, node.span, key, shape),
                _ => Some(value),
            };
        }
        self.shaped(node, key, shape)
    }

    /// A text in which nothing is a reference.
    fn literal(&mut self, text: &Arc<str>, span: Span, key: Span, shape: &Shape) -> Option<Value> {
        let node = Node::new(NodeData::String(Arc::clone(text), Style::Plain), span);
        let is_literal = std::mem::replace(&mut self.is_literal, true);
        let value = self.shaped(&node, key, shape);
        self.is_literal = is_literal;
        value
    }

    fn shaped(&mut self, node: &Node, key: Span, shape: &Shape) -> Option<Value> {
        match shape {
            Shape::Text | Shape::Reference { .. } => self.text(node),
            Shape::Cidr | Shape::IpAddress { .. } => {
                let mut value = self.text(node)?;
                if let Some(text) = value.as_str().and_then(|it| canonical_address(shape, it)) {
                    value.data = Data::String(text);
                }
                Some(value)
            }
            Shape::OneOf(texts) => self.one_of(node, texts),
            Shape::Integer { min, max } => self.integer(node, *min, *max),
            Shape::Number => {
                self.scalar(node, matches!(node.data, NodeData::Int(_) | NodeData::Float(_)), shape)
            }
            Shape::Boolean => self.scalar(node, matches!(node.data, NodeData::Bool(_)), shape),
            Shape::Form(form) => form.read(self, node, key),
            Shape::List(item) => self.list(node, item, shape),
            Shape::MapOf(value) => self.map_of(node, value, shape),
            Shape::Object { fields, open } => match node.as_mapping() {
                Some(mapping) => {
                    let map = self.object(mapping, key, fields, *open);
                    Some(written(Data::Map(map), node.span))
                }
                None => self.wrong(node, shape),
            },
            Shape::Either(shapes) => match shapes.iter().find(|it| fits(node, it)) {
                Some(shape) => self.shaped(node, key, shape),
                None => self.wrong(node, shape),
            },
            _ => Some(self.any(node)),
        }
    }

    /// A value without a known shape; references inside are recorded.
    pub(crate) fn any(&mut self, node: &Node) -> Value {
        let data = match &node.data {
            NodeData::Null => Data::Null,
            NodeData::Bool(it) => Data::Bool(*it),
            NodeData::Int(it) => Data::Int(*it),
            NodeData::Float(it) => Data::Float(*it),
            NodeData::String(text, _) if self.may_refer(text) => return self.any_template(node, text),
            NodeData::String(text, _) => Data::String(Arc::clone(text)),
            NodeData::Sequence(items) => Data::List(self.each(items, |reader, item| Some(reader.any(item)))),
            NodeData::Mapping(mapping) => {
                Data::Map(self.entries(mapping, |reader, entry| Some(reader.any(&entry.value))))
            }
        };
        written(data, node.span)
    }

    /// Reads list items, and updates the path.
    pub(crate) fn each(
        &mut self,
        items: &[Node],
        mut read: impl FnMut(&mut Self, &Node) -> Option<Value>,
    ) -> Vec<Value> {
        let mut values = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            self.path.push(Step::Index(index));
            values.extend(read(self, item));
            self.path.pop();
        }
        values
    }

    /// Reads a map's values, and updates the path.
    pub(crate) fn entries(
        &mut self,
        mapping: &Mapping,
        mut read: impl FnMut(&mut Self, &Entry) -> Option<Value>,
    ) -> Map {
        let mut values = Vec::with_capacity(mapping.entries.len());
        for entry in &mapping.entries {
            self.path.push(Step::Key(Arc::clone(&entry.key)));
            if let Some(value) = read(self, entry) {
                values.push((Arc::clone(&entry.key), value));
            }
            self.path.pop();
        }
        map_of(values)
    }

    fn list(&mut self, node: &Node, item: &Shape, shape: &Shape) -> Option<Value> {
        let Some(items) = node.as_sequence() else {
            return self.wrong_list(node, item, shape);
        };
        let values = self.each(items, |reader, node| reader.value(node, node.span, item));
        Some(written(Data::List(values), node.span))
    }

    fn map_of(&mut self, node: &Node, value: &Shape, shape: &Shape) -> Option<Value> {
        let Some(mapping) = node.as_mapping() else { return self.wrong(node, shape) };
        let map = self.entries(mapping, |reader, entry| {
            if matches!(entry.value.data, NodeData::Null) && !matches!(value, Shape::Any) {
                return None;
            }
            reader.value(&entry.value, entry.key_span, value)
        });
        Some(written(Data::Map(map), node.span))
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.declarations.diagnostics.push(diagnostic);
    }

    /// The place in the item.
    fn pointer(&self) -> Pointer {
        Pointer::root().steps(&self.path)
    }

    fn pointer_in_document(&self) -> Pointer {
        self.declarations.pointer(self.item).steps(&self.path)
    }

    /// The place as in messages: `services.web.http_proxy.ports[0]`.
    pub(crate) fn label(&self) -> String {
        let mut label = self.declarations.shown(self.item);
        for step in &self.path {
            match step {
                Step::Key(key) => label.extend([".", key]),
                Step::Index(index) => label.push_str(&format!("[{index}]")),
            }
        }
        label
    }
}

impl ValueReader for Reader<'_, '_> {
    fn text(&mut self, node: &Node) -> Option<Value> {
        self.text(node)
    }

    fn any(&mut self, node: &Node) -> Value {
        self.any(node)
    }

    fn object(&mut self, mapping: &Mapping, span: Span, fields: &[Field], open: bool) -> Map {
        self.object(mapping, span, fields, open)
    }

    fn enter_key(&mut self, key: Arc<str>) {
        self.path.push(Step::Key(key));
    }

    fn enter_item(&mut self, index: usize) {
        self.path.push(Step::Index(index));
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn report(&mut self, problem: Diagnostic) {
        self.report(problem);
    }

    fn report_wrong(&mut self, node: &Node, shape: &Shape) {
        self.wrong(node, shape);
    }
}

pub(crate) fn written(data: Data, span: Span) -> Value {
    Value::new(data, Origin::Written(span))
}

/// A node as a value with another origin.
pub(crate) fn implicit_value(node: &Node, origin: Origin) -> Value {
    value_at(node, &|_| origin)
}

/// A node as a value with its origins. Nothing in it is read as a reference.
pub fn value_of(node: &Node) -> Value {
    value_at(node, &Origin::Written)
}

fn value_at(node: &Node, origin: &dyn Fn(Span) -> Origin) -> Value {
    let data = match &node.data {
        NodeData::Null => Data::Null,
        NodeData::Bool(it) => Data::Bool(*it),
        NodeData::Int(it) => Data::Int(*it),
        NodeData::Float(it) => Data::Float(*it),
        NodeData::String(text, _) => Data::String(Arc::clone(text)),
        NodeData::Sequence(items) => Data::List(items.iter().map(|item| value_at(item, origin)).collect()),
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            Data::Map(map_of(entries.map(|it| (Arc::clone(&it.key), value_at(&it.value, origin)))))
        }
    };
    Value::new(data, origin(node.span))
}
