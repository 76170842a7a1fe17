use std::sync::Arc;

use syntax::{Entry, Mapping, Node};

use super::reader::Reader;
use crate::{DefaultValue, Field, MergeOptions, OnChange, Shape, Spelling};

const KEYS: [&str; 14] = [
    "doc",
    "type",
    "fields",
    "open",
    "required",
    "default",
    "when_left_out",
    "set",
    "merge",
    "on_change",
    "sensitive",
    "output",
    "spellings",
    "examples",
];

/// The properties of a field unless it sets others. `Some` is set by the surrounding map in this file; it also holds for
/// fields that were there before.
#[derive(Clone, Debug, Default)]
pub(super) struct Inherited {
    /// The kind the field belongs to; `None` at the root.
    pub(super) kind: Option<Arc<str>>,
    on_change: Option<OnChange>,
    sensitive: Option<bool>,
    output: Option<bool>,
}

impl Inherited {
    pub(super) fn of_kind(kind: &Arc<str>) -> Self {
        Self { kind: Some(kind.clone()), ..Self::default() }
    }

    /// A new field with the initial properties.
    fn new_field(&self, name: &Arc<str>, around: Option<&Field>) -> Field {
        Field {
            name: name.clone(),
            doc: "".into(),
            shape: Shape::Any,
            required: false,
            default: None,
            when_left_out: None,
            set: false,
            merge: MergeOptions::default(),
            on_change: self.on_change.or(around.map(|it| it.on_change)).unwrap_or_default(),
            sensitive: self.sensitive.or(around.map(|it| it.sensitive)).unwrap_or_default(),
            output: self.output.or(around.map(|it| it.output)).unwrap_or_default(),
            spellings: Vec::new(),
            examples: Vec::new(),
        }
    }

    /// Makes it hold for fields that are there already.
    pub(super) fn apply_to(&self, fields: &mut [Field]) {
        fields.iter_mut().for_each(|field| self.apply(field));
    }

    fn apply(&self, field: &mut Field) {
        field.on_change = self.on_change.unwrap_or(field.on_change);
        // What one definition calls a secret, no later one shows: it may come from an adapter that has no part in it.
        field.sensitive |= self.sensitive.unwrap_or_default();
        field.output = self.output.unwrap_or(field.output);
        self.apply_inside(&mut field.shape);
    }

    fn apply_inside(&self, shape: &mut Shape) {
        match shape {
            Shape::Object { fields, .. } => fields.iter_mut().for_each(|it| self.apply(it)),
            Shape::List(item) | Shape::MapOf(item) => self.apply_inside(item),
            Shape::Either(shapes) => shapes.iter_mut().for_each(|it| self.apply_inside(it)),
            _ => {}
        }
    }

    /// The same for fields of a map inside the object; their siblings are not the kind's fields.
    pub(super) fn inside(&self) -> Self {
        Self { kind: None, ..self.clone() }
    }
}

impl Reader {
    /// The defaults that a map sets for the fields in it; they override those of the surrounding map.
    pub(super) fn inherited(&mut self, mapping: &Mapping, around: Inherited) -> Inherited {
        let on_change = mapping.get("on_change").and_then(|node| self.on_change(node));
        Inherited {
            on_change: on_change.or(around.on_change),
            sensitive: self.flag(mapping, "sensitive").or(around.sensitive),
            output: self.flag(mapping, "output").or(around.output),
            kind: around.kind,
        }
    }

    /// Reads a map of fields over those that are there.
    pub(super) fn fields(&mut self, fields: &mut Vec<Field>, node: &Node, around: Inherited) {
        self.fields_within(fields, node, &around, None);
    }

    pub(super) fn fields_within(
        &mut self,
        fields: &mut Vec<Field>,
        node: &Node,
        around: &Inherited,
        owner: Option<&Field>,
    ) {
        let Some(mapping) = self.mapping(node, "`fields`") else { return };
        for entry in &mapping.entries {
            let position = fields.iter().position(|it| it.name == entry.key);
            let existing = position.map(|at| fields[at].clone());
            let Some(field) = self.field(existing, entry, around, owner) else { continue };
            match position {
                Some(at) => fields[at] = field,
                None => fields.push(field),
            }
        }
    }

    fn field(
        &mut self,
        existing: Option<Field>,
        entry: &Entry,
        around: &Inherited,
        owner: Option<&Field>,
    ) -> Option<Field> {
        let mapping = self.mapping(&entry.value, &format!("field `{}`", entry.key))?;
        self.only(mapping, &KEYS);
        let is_new = existing.is_none();
        let mut field = existing.unwrap_or_else(|| around.new_field(&entry.key, owner));
        let inherited = self.inherited(mapping, around.clone());
        inherited.apply(&mut field);
        let has_shape = self.field_shape(&mut field, mapping, &inherited);
        if is_new && !has_shape {
            self.missing(
                entry.key_span,
                &format!("`type` of field `{}`", entry.key),
                "set its type, e.g. `type: text`",
            );
            return None;
        }
        self.attributes_of_field(&mut field, mapping);
        Some(field)
    }

    /// True if the field's map says what the field may hold.
    fn field_shape(&mut self, field: &mut Field, mapping: &Mapping, inherited: &Inherited) -> bool {
        let owner = field.clone();
        if let Some(node) = mapping.get("type") {
            if let Some(shape) = self.shape(node, &field.shape, inherited, Some(&owner)) {
                // A map of fields keeps those that were there; anything else hides where a secret may stand.
                field.sensitive |= holds_secret(&field.shape) && !matches!(shape, Shape::Object { .. });
                field.shape = shape;
            }
            return true;
        }
        if mapping.get("fields").is_none() && mapping.get("open").is_none() {
            return false;
        }
        field.shape = self.object(mapping, &field.shape, inherited, Some(&owner));
        true
    }

    fn attributes_of_field(&mut self, field: &mut Field, mapping: &Mapping) {
        if let Some(doc) = mapping.get("doc").and_then(|node| self.text(node, "`doc`")) {
            field.doc = doc;
        }
        field.required = self.flag(mapping, "required").unwrap_or(field.required);
        field.set = self.flag(mapping, "set").unwrap_or(field.set);
        if let Some(node) = mapping.get("merge") {
            field.merge = self.merge_options(node).unwrap_or_else(|| field.merge.clone());
        }
        if let Some(node) = mapping.get("spellings") {
            field.spellings = self.spellings(node);
        }
        if let Some(node) = mapping.get("examples") {
            field.examples = self.texts(node, "`examples`");
        }
        if let Some(node) = mapping.get("default")
            && self.check_default(&field.shape, node)
        {
            field.default = Some(DefaultValue(node.clone()));
        }
        if let Some(node) = mapping.get("when_left_out")
            && self.check_default(&field.shape, node)
        {
            field.when_left_out = Some(DefaultValue(node.clone()));
        }
    }

    pub(super) fn spellings(&mut self, node: &Node) -> Vec<Spelling> {
        let items = self.sequence(node, "`spellings`");
        items.iter().filter_map(|item| self.spelling(item)).collect()
    }

    fn spelling(&mut self, node: &Node) -> Option<Spelling> {
        let mapping = self.mapping(node, "a spelling")?;
        self.only(mapping, &["path", "dialect", "only_if"]);
        let Some(path) = mapping.get("path") else {
            self.missing(node.span, "`path` of a spelling", "name the key that is written instead");
            return None;
        };
        let path = self.text(path, "`path`")?;
        let dialect = mapping.get("dialect").and_then(|node| self.text(node, "`dialect`"));
        let only_if =
            mapping.get("only_if").and_then(|it| self.shape(it, &Shape::Any, &Inherited::default(), None));
        Some(Spelling { path, dialect: dialect.unwrap_or_else(|| "other".into()), only_if })
    }
}

/// True if something in a shape is sensitive.
fn holds_secret(shape: &Shape) -> bool {
    match shape {
        Shape::Object { fields, .. } => fields.iter().any(|it| it.sensitive || holds_secret(&it.shape)),
        Shape::List(item) | Shape::MapOf(item) => holds_secret(item),
        Shape::Either(shapes) => shapes.iter().any(holds_secret),
        _ => false,
    }
}
