//! Each written value against its shape: values out, mistakes reported, references noted.

use std::sync::Arc;

use diag::{Code, Diagnostic, Sources, Span, nearest, order};
use model::{Data, Expression, Map, Origin, Part, Pointer, Reference, Value};
use syntax::{Entry, Limits, Mapping, Node, NodeData, Style};
use types::{Field, Shape};

use crate::{
    Inferred,
    declare::{Declarations, WRONG_KIND, WrittenReference, missing_field},
    port::parse_port,
    spans::spans,
    template::{Piece, Step, TemplateError, split},
};

const NOT_QUOTED: Code = Code("lower/not-quoted");
const BAD_PORT: Code = Code("lower/bad-port");
const OUT_OF_RANGE: Code = Code("lower/out-of-range");
const NOT_ONE_OF: Code = Code("lower/not-one-of");
const BAD_REFERENCE: Code = Code("lower/bad-reference");
const UNKNOWN_ROOT: Code = Code("lower/unknown-root");
const UNKNOWN_NAME: Code = Code("lower/unknown-name");

/// Reads the fields of every declared thing.
pub(crate) fn read(declarations: &mut Declarations<'_>, sources: &Sources) {
    for item in 0..declarations.items.len() {
        let definition = declarations.definition(item);
        let (node, span) = (declarations.items[item].node, declarations.items[item].span);
        let Some(mapping) = node.and_then(Node::as_mapping) else { continue };
        let mut reader =
            Reader { declarations, sources, item, path: Vec::new(), is_literal: false, takes_text: true };
        let attributes = reader.object(mapping, span, &definition.fields, definition.open);
        declarations.items[item].attributes = attributes;
    }
}

/// Reads one thing; `path` leads from it to the value that is being read.
pub(crate) struct Reader<'r, 'a> {
    pub(crate) declarations: &'r mut Declarations<'a>,
    sources: &'r Sources,
    item: usize,
    path: Vec<Step>,
    /// A text is taken as it is: what was escaped in it no longer is.
    is_literal: bool,
    /// Any text may stand where the template under way does.
    takes_text: bool,
}

impl Reader<'_, '_> {
    /// The fields of a map; defaults filled in. `span` is what the map is the value of.
    fn object(&mut self, mapping: &Mapping, span: Span, fields: &[Field], open: bool) -> Map {
        let mut map = Map::new();
        let mut written = vec![false; fields.len()];
        for entry in &mapping.entries {
            let place = fields.iter().position(|field| *field.name == *entry.key);
            let field = place.map(|place| &fields[place]);
            if field.is_none() && !open && !entry.key.starts_with("x-") {
                let label = self.label();
                self.declarations.unknown_key(entry, &label, fields.iter().map(|field| &*field.name));
                continue;
            }
            self.path.push(Step::Key(Arc::clone(&entry.key)));
            let value = self.entry(entry, field);
            self.path.pop();
            if let Some(place) = place {
                written[place] |= value.is_some() || !matches!(entry.value.data, NodeData::Null);
            }
            map.extend(value.map(|value| (Arc::clone(&entry.key), value)));
        }
        for (field, _) in fields.iter().zip(written).filter(|(_, written)| !written) {
            self.absent(span, field, &mut map);
        }
        map
    }

    /// The value of one key; `None` where nothing of use is written.
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

    /// A field that nothing is written for.
    fn absent(&mut self, span: Span, field: &Field, map: &mut Map) {
        if field.required {
            let diagnostic = missing_field(span, &self.label(), field);
            self.declarations.diagnostics.push(diagnostic);
        } else if let Some(default) = &field.default {
            let mut value = implicit_value(&default.0, Origin::Default(span));
            value.sensitive = field.sensitive;
            let pointer = self.pointer_in_document().key(&field.name);
            let because = ["default of `", &*field.name, "`"].concat();
            self.declarations.inferred.push(Inferred { pointer, value: value.clone(), because });
            map.insert(Arc::clone(&field.name), value);
        }
    }

    /// A value of a shape; `None` when it was reported as wrong. `key` is shown where the value has no text.
    fn value(&mut self, node: &Node, key: Span, shape: &Shape) -> Option<Value> {
        if let NodeData::String(text, _) = &node.data
            && text.contains("${")
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
                Data::String(plain) if !is_free => self.literal(plain, node.span, key, shape),
                _ => Some(value),
            };
        }
        self.shaped(node, key, shape)
    }

    /// Text in which nothing is a reference any more.
    fn literal(&mut self, text: &Arc<str>, span: Span, key: Span, shape: &Shape) -> Option<Value> {
        let node = Node::new(NodeData::String(Arc::clone(text), Style::Plain), span);
        let is_literal = std::mem::replace(&mut self.is_literal, true);
        let value = self.shaped(&node, key, shape);
        self.is_literal = is_literal;
        value
    }

    fn shaped(&mut self, node: &Node, key: Span, shape: &Shape) -> Option<Value> {
        match shape {
            Shape::Any => Some(self.any(node)),
            Shape::Text | Shape::Reference { .. } => self.text(node),
            Shape::Cidr | Shape::IpAddress { .. } => self.text(node),
            Shape::OneOf(texts) => self.one_of(node, texts),
            Shape::Integer { min, max } => self.integer(node, *min, *max),
            Shape::Number => {
                self.scalar(node, matches!(node.data, NodeData::Int(_) | NodeData::Float(_)), shape)
            }
            Shape::Boolean => self.scalar(node, matches!(node.data, NodeData::Bool(_)), shape),
            Shape::Port => self.port(node),
            Shape::Commands => self.commands(node, key),
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

    /// A value of which nothing is known; references inside count.
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

    /// Reads list items, the path following along.
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

    /// Reads a map's values, the path following along.
    pub(crate) fn entries(
        &mut self,
        mapping: &Mapping,
        mut read: impl FnMut(&mut Self, &Entry) -> Option<Value>,
    ) -> Map {
        let mut map = Map::new();
        for entry in &mapping.entries {
            self.path.push(Step::Key(Arc::clone(&entry.key)));
            if let Some(value) = read(self, entry) {
                map.insert(Arc::clone(&entry.key), value);
            }
            self.path.pop();
        }
        map
    }

    /// Runs `read` one step further down.
    pub(crate) fn within<T>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = read(self);
        self.path.pop();
        result
    }

    /// Text; a number or boolean is taken as it is written (YAML would make `1.10` into 1.1).
    pub(crate) fn text(&mut self, node: &Node) -> Option<Value> {
        match &node.data {
            NodeData::String(text, _) if self.may_refer(text) => Some(self.any_template(node, text)),
            NodeData::String(text, _) => Some(written(Data::String(Arc::clone(text)), node.span)),
            NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) => {
                let raw = self.sources.text(node.span);
                let what = node.kind_name();
                let diagnostic = Diagnostic::warning(
                    NOT_QUOTED,
                    node.span,
                    format!("a {what} stands where text is expected"),
                )
                .help(format!("it is taken as the text `{raw}`; quotes make that plain"))
                .replace("Put it in quotes", node.span, format!("\"{raw}\""));
                self.declarations.diagnostics.push(diagnostic);
                Some(written(Data::String(raw.into()), node.span))
            }
            _ => self.wrong(node, &Shape::Text),
        }
    }

    fn one_of(&mut self, node: &Node, texts: &[Arc<str>]) -> Option<Value> {
        let value = self.text(node)?;
        let text = value.as_str().unwrap_or_default();
        if !texts.iter().any(|it| **it == *text) {
            let known = texts.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
            let message = format!("`{text}` is none of {known}");
            let mut diagnostic = Diagnostic::error(NOT_ONE_OF, node.span, message);
            if let Some(likely) = nearest(text, texts.iter().map(|it| &**it)) {
                diagnostic = diagnostic.help(format!("did you mean `{likely}`?")).replace(
                    format!("Change to `{likely}`"),
                    node.span,
                    likely,
                );
            }
            self.declarations.diagnostics.push(diagnostic);
        }
        Some(value)
    }

    fn integer(&mut self, node: &Node, min: i64, max: i64) -> Option<Value> {
        let (shown, is_small) = match node.data {
            NodeData::Int(number) if (min..=max).contains(&number) => {
                return Some(written(Data::Int(number), node.span));
            }
            NodeData::Int(number) => (number.to_string(), number < min),
            NodeData::Float(number) if is_large(number) => {
                (self.sources.text(node.span).to_owned(), number < 0.0)
            }
            _ => return self.wrong(node, &Shape::Integer { min, max }),
        };
        let message = match (is_small, max) {
            (true, i64::MAX) => format!("{shown} is less than {min}"),
            (false, _) if min == i64::MIN => format!("{shown} is more than {max}"),
            _ => format!("{shown} is not between {min} and {max}"),
        };
        self.report(Diagnostic::error(OUT_OF_RANGE, node.span, message));
        None
    }

    fn scalar(&mut self, node: &Node, fits: bool, shape: &Shape) -> Option<Value> {
        if fits { Some(self.any(node)) } else { self.wrong(node, shape) }
    }

    /// A port in its canonical form, a map of `remote_port` and perhaps `local_port`.
    fn port(&mut self, node: &Node) -> Option<Value> {
        if let Some(mapping) = node.as_mapping() {
            let map = self.object(mapping, node.span, Shape::Port.fields(), false);
            return Some(written(Data::Map(map), node.span));
        }
        let text = match &node.data {
            NodeData::String(text, _) => text.to_string(),
            NodeData::Int(number) => number.to_string(),
            _ => return self.wrong(node, &Shape::Port),
        };
        let Some(port) = parse_port(&text) else {
            let diagnostic = Diagnostic::error(BAD_PORT, node.span, format!("`{text}` is not a port")).help(
                "write `80`, or `8080:80` for local port 8080 to remote port 80; ports go from 1 to 65535",
            );
            self.declarations.diagnostics.push(diagnostic);
            return None;
        };
        let number = |port: u16| written(Data::Int(i64::from(port)), node.span);
        let mut map = Map::from([("remote_port".into(), number(port.remote))]);
        map.extend(port.local.map(|local| ("local_port".into(), number(local))));
        Some(written(Data::Map(map), node.span))
    }

    fn list(&mut self, node: &Node, item: &Shape, shape: &Shape) -> Option<Value> {
        let Some(items) = node.as_sequence() else {
            return self.wrong_list(node, item, shape);
        };
        let values = self.each(items, |reader, node| reader.value(node, node.span, item));
        Some(written(Data::List(values), node.span))
    }

    /// A lone scalar where a list of scalars is expected can be mended with two brackets.
    fn wrong_list(&mut self, node: &Node, item: &Shape, shape: &Shape) -> Option<Value> {
        if node.is_collection() || !fits(node, item) {
            return self.wrong(node, shape);
        }
        let raw = self.sources.text(node.span);
        let message = format!("expected {}, found one value", shape.phrase());
        let diagnostic = Diagnostic::error(WRONG_KIND, node.span, message)
            .help(format!("write `[{raw}]`"))
            .replace("Make it a list", node.span, format!("[{raw}]"));
        self.declarations.diagnostics.push(diagnostic);
        None
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

    fn wrong(&mut self, node: &Node, shape: &Shape) -> Option<Value> {
        let message = format!("expected {}, found {}", shape.phrase(), node.kind_name());
        let diagnostic = Diagnostic::error(WRONG_KIND, node.span, message);
        let diagnostic = match meant(node, shape) {
            Some(meant) => diagnostic.help(format!("write `{meant}`")).replace(
                format!("Change to `{meant}`"),
                node.span,
                meant,
            ),
            None => diagnostic.help(format!("change the value of `{}`", self.label())),
        };
        self.report(diagnostic);
        None
    }

    fn may_refer(&self, text: &str) -> bool {
        !self.is_literal && text.contains("${")
    }

    /// As [`Self::template`], whether there are mistakes or not.
    fn any_template(&mut self, node: &Node, text: &Arc<str>) -> Value {
        self.template(node, text).unwrap_or_else(|value| value)
    }

    /// Text with `${`: an expression if there are references, text if there are only escapes. `Err` has the text as it
    /// is written, when there are mistakes.
    fn template(&mut self, node: &Node, text: &Arc<str>) -> Result<Value, Value> {
        let pointer = self.pointer();
        self.declarations.items[self.item].templates.insert(pointer.clone(), Arc::clone(text));
        let pieces = match split(text) {
            Ok(pieces) => pieces,
            Err(error) => {
                self.bad_template(node, text, error);
                return Err(written(Data::String(Arc::clone(text)), node.span));
            }
        };
        let mut spans = self.reference_spans(node, text, &pieces).into_iter();
        let mut parts = Vec::with_capacity(pieces.len());
        let mut whole = true;
        for piece in pieces {
            match piece {
                Piece::Text(text) => parts.push(Part::Text(text.into())),
                Piece::Reference { text, path, .. } => {
                    let span = spans.next().unwrap_or(node.span);
                    match self.reference(text, path, span, &pointer) {
                        Some(reference) => parts.push(Part::Reference(reference)),
                        None => whole = false,
                    }
                }
            }
        }
        let data = match &parts[..] {
            _ if !whole => return Err(written(Data::String(Arc::clone(text)), node.span)),
            [] => Data::String("".into()),
            [Part::Text(text)] => Data::String(Arc::clone(text)),
            _ => Data::Unknown(Expression { parts }),
        };
        Ok(written(data, node.span))
    }

    /// The bytes of each reference of a text.
    fn reference_spans(&self, node: &Node, text: &str, pieces: &[Piece<'_>]) -> Vec<Span> {
        let places = pieces.iter().filter_map(|piece| match piece {
            Piece::Reference { text, start, .. } => Some(*start..*start + text.len() + "${}".len()),
            Piece::Text(_) => None,
        });
        spans(self.sources, node, text, &places.collect::<Vec<_>>())
    }

    fn bad_template(&mut self, node: &Node, text: &str, error: TemplateError) {
        let (start, message) = match error {
            TemplateError::Unclosed(start) => (start, "a reference is not closed".to_owned()),
            TemplateError::Empty(start) => (start, "a reference names nothing".to_owned()),
            TemplateError::NotAPath(start) => (start, "this is not a path to a value".to_owned()),
        };
        let shown = text[start..].chars().take_while(|c| !matches!(c, '}' | '\n')).take(40);
        let end = start + shown.map(char::len_utf8).sum::<usize>();
        let span =
            spans(self.sources, node, text, std::slice::from_ref(&(start..end))).pop().unwrap_or(node.span);
        let mut diagnostic = Diagnostic::error(BAD_REFERENCE, span, message)
            .help("write a path such as `${services.db.network_node.ip}`; for a literal `${` write `$${`");
        if self.takes_text && self.sources.text(span).starts_with("${") {
            diagnostic = diagnostic.replace("Write `$${`", Span::at(span.file, span.start), "$");
        }
        self.declarations.diagnostics.push(diagnostic);
    }

    /// The thing a reference names; `None` when that was reported.
    fn reference(&mut self, text: &str, path: Vec<Step>, span: Span, pointer: &Pointer) -> Option<Reference> {
        let mut steps = path.into_iter();
        let Some(Step::Key(root)) = steps.next() else { return None };
        let Some(definition) = self.declarations.types.collection(&root) else {
            self.unknown_root(text, &root, span);
            return None;
        };
        let name = if definition.singleton {
            Arc::clone(&definition.collection)
        } else {
            match steps.next() {
                Some(Step::Key(name)) => name,
                _ => {
                    let message = format!("`{root}` is a map of {}s, not a value", definition.kind);
                    let help = format!("name one of them and a field, e.g. `${{{root}.NAME.FIELD}}`");
                    self.report(Diagnostic::error(BAD_REFERENCE, span, message).help(help));
                    return None;
                }
            }
        };
        let Some(target) = self.declarations.find(&definition.kind, &name) else {
            self.unknown_name(&definition.kind, &name, text, span);
            return None;
        };
        let mut path: Vec<Step> = steps.collect();
        let instance = match path.first() {
            Some(Step::Index(index)) => Some(*index as u32),
            _ => None,
        };
        path.drain(..usize::from(instance.is_some()));
        let to = self.declarations.address(target);
        let declared = self.declarations.items[target].span;
        self.declarations.uses.push(crate::Use { span, target: declared, address: to.clone() });
        let written =
            WrittenReference { pointer: pointer.clone(), target, instance, path: path.clone(), span };
        self.declarations.items[self.item].references.push(written);
        let to = instance.map_or(to.clone(), |n| to.instance(n));
        Some(Reference { to, path, text: text.trim().into(), span, sensitive: false })
    }

    fn unknown_root(&mut self, text: &str, root: &str, span: Span) {
        let known: Vec<&str> = self.declarations.types.kinds.iter().map(|it| &*it.collection).collect();
        let message = format!("unknown root `{root}` in a reference");
        let mut diagnostic = Diagnostic::error(UNKNOWN_ROOT, span, message);
        let likely = nearest(root, known.iter().copied());
        if let (Some(likely), Some(rest)) = (likely, text.trim().strip_prefix(root)) {
            let renamed = format!("${{{likely}{rest}}}");
            diagnostic = reference_fix(diagnostic, format!("Rename to `{likely}`"), span, text, renamed);
        }
        let known = known.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        let help = format!("a reference begins with {known}");
        if !self.takes_text {
            return self.report(diagnostic.help(help));
        }
        let literal = format!("$${{{text}}}");
        let diagnostic = diagnostic.help(format!("{help}; for the literal text write `{literal}`"));
        self.report(reference_fix(diagnostic, format!("Write `{literal}`"), span, text, literal));
    }

    /// Reports that nothing of that kind has the name that a reference gives.
    fn unknown_name(&mut self, kind: &str, name: &str, text: &str, span: Span) {
        let (mut diagnostic, likely) = unknown_name(self.declarations, kind, name, span);
        if let Some(likely) = likely.filter(|it| is_plain_key(it) && text.matches(name).count() == 1) {
            let renamed = format!("${{{}}}", text.replace(name, &likely));
            diagnostic = reference_fix(diagnostic, format!("Change to `{likely}`"), span, text, renamed);
        }
        self.report(diagnostic);
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.declarations.diagnostics.push(diagnostic);
    }

    /// The place in the thing.
    fn pointer(&self) -> Pointer {
        Pointer::root().steps(&self.path)
    }

    fn pointer_in_document(&self) -> Pointer {
        self.declarations.pointer(self.item).steps(&self.path)
    }

    /// The place as people say it: `services.web.http_proxy.ports[0]`.
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

/// The diagnostic for a name that nothing of a kind has, and the name that was probably meant.
pub(crate) fn unknown_name(
    declarations: &mut Declarations<'_>,
    kind: &str,
    name: &str,
    span: Span,
) -> (Diagnostic, Option<Arc<str>>) {
    let types = declarations.types;
    let own = types.kinds.iter().position(|it| &*it.kind == kind);
    if let Some(definition) = own.map(|own| &types.kinds[own]).filter(|it| it.singleton) {
        let message = format!("`{}` is not written", definition.collection);
        let help = format!("write `{}:` with what the reference asks for", definition.collection);
        return (Diagnostic::error(UNKNOWN_NAME, span, message).help(help), None);
    }
    let elsewhere =
        types.kinds.iter().find(|it| &*it.kind != kind && declarations.find(&it.kind, name).is_some());
    let message = match elsewhere {
        Some(other) => format!("`{name}` is a {}, not a {kind}", other.kind),
        None => format!("no {kind} is called `{name}`"),
    };
    let likely = own.and_then(|own| declarations.likely(own, name));
    let help = match (&likely, own.map_or(&[][..], |own| declarations.names(own))) {
        (Some(likely), _) => format!("did you mean `{likely}`?"),
        (None, []) => format!("no {kind} is declared"),
        (None, names) => {
            let shown = names.iter().take(8).map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
            format!("declared: {shown}{}", if names.len() > 8 { ", …" } else { "" })
        }
    };
    let diagnostic = Diagnostic::error(UNKNOWN_NAME, span, message).help(help);
    match &likely {
        Some(likely) => (name_fix(diagnostic, span, name, likely), Some(Arc::clone(likely))),
        None => (diagnostic, None),
    }
}

/// Whether a name can stand in a reference without quotes.
fn is_plain_key(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// Only a span that is exactly the reference can be replaced; escapes in the text may hide its bytes.
pub(crate) fn reference_fix(
    diagnostic: Diagnostic,
    title: String,
    span: Span,
    text: &str,
    new_text: String,
) -> Diagnostic {
    let is_exact = (span.end - span.start) as usize == text.len() + "${}".len();
    if is_exact { diagnostic.replace(title, span, new_text) } else { diagnostic }
}

/// Only a span that is exactly the name can be replaced by another name.
fn name_fix(diagnostic: Diagnostic, span: Span, name: &str, likely: &str) -> Diagnostic {
    if (span.end - span.start) as usize == name.len() {
        diagnostic.replace(format!("Change to `{likely}`"), span, likely)
    } else {
        diagnostic
    }
}

/// Whether a number lies beyond all whole numbers that can be told apart.
fn is_large(number: f64) -> bool {
    number.is_finite() && number.abs() >= i64::MAX as f64
}

/// How a value that does not fit a shape was probably meant: without its quotes, or without `.0`.
fn meant(node: &Node, shape: &Shape) -> Option<String> {
    let text = match (&node.data, shape) {
        (
            NodeData::String(text, Style::SingleQuoted | Style::DoubleQuoted),
            Shape::Integer { .. } | Shape::Number | Shape::Boolean,
        ) => text.to_string(),
        (NodeData::Float(number), Shape::Integer { .. }) if number.fract() == 0.0 && !is_large(*number) => {
            format!("{number:.0}")
        }
        _ => return None,
    };
    let plain = syntax::parse(node.span.file, &text, &Limits::default());
    let fits = plain.document.root.is_some_and(|it| shape.fits(&it));
    (fits && plain.diagnostics.is_empty()).then_some(text)
}

pub(crate) fn written(data: Data, span: Span) -> Value {
    Value::new(data, Origin::Written(span))
}

/// A tree as a value that nobody wrote; `${` in it means nothing.
pub(crate) fn implicit_value(node: &Node, origin: Origin) -> Value {
    let data = match &node.data {
        NodeData::Null => Data::Null,
        NodeData::Bool(it) => Data::Bool(*it),
        NodeData::Int(it) => Data::Int(*it),
        NodeData::Float(it) => Data::Float(*it),
        NodeData::String(text, _) => Data::String(Arc::clone(text)),
        NodeData::Sequence(items) => {
            Data::List(items.iter().map(|item| implicit_value(item, origin)).collect())
        }
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            Data::Map(order::map(entries.map(|it| (Arc::clone(&it.key), implicit_value(&it.value, origin)))))
        }
    };
    Value::new(data, origin)
}

/// Whether a node is of the kind that a shape asks for, without looking inside.
fn fits(node: &Node, shape: &Shape) -> bool {
    match shape {
        Shape::List(_) | Shape::Commands => node.as_sequence().is_some(),
        Shape::MapOf(_) | Shape::Object { .. } => node.as_mapping().is_some(),
        Shape::Integer { .. } => matches!(node.data, NodeData::Int(_)),
        Shape::Number => matches!(node.data, NodeData::Int(_) | NodeData::Float(_)),
        Shape::Boolean => matches!(node.data, NodeData::Bool(_)),
        Shape::Text | Shape::OneOf(_) | Shape::Cidr | Shape::IpAddress { .. } | Shape::Reference { .. } => {
            !node.is_collection() && !matches!(node.data, NodeData::Null)
        }
        Shape::Port => !matches!(node.data, NodeData::Sequence(_) | NodeData::Null),
        Shape::Either(shapes) => shapes.iter().any(|shape| fits(node, shape)),
        _ => true,
    }
}
