//! References to what is written are replaced by it; references to what only exists at run time stay.
//!
//! Values are data: what a reference brings is not read for references again, but a value that itself holds a
//! reference is resolved first. Each place is resolved once, so the work and the diagnostics are bounded.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Code, Diagnostic, nearest};
use model::{Address, Data, Expression, Map, Origin, Part, Pointer, Reference, Step, Value};
use types::{Edge, Place, Shape, Trail};

use crate::{
    declare::{Declarations, WRONG_KIND},
    read::{reference_fix, steps_to},
};

const UNKNOWN_ATTRIBUTE: Code = Code("lower/unknown-attribute");
const NO_SUCH_VALUE: Code = Code("lower/no-such-value");
const NO_SUCH_INSTANCE: Code = Code("lower/no-such-instance");
const NEEDS_INSTANCE: Code = Code("lower/needs-instance");
const NOT_TEXT: Code = Code("lower/not-text");
const LOOP: Code = Code("lower/reference-loop");
const TOO_LONG: Code = Code("lower/too-long");

/// Bytes that references may bring into texts, all together. References of references could double without end.
const TEXT_LIMIT: usize = 8 << 20;

/// Resolves every reference in every thing.
pub(crate) fn resolve(declarations: &mut Declarations<'_>) {
    let mut resolver =
        Resolver { declarations, done: BTreeMap::new(), under_way: Vec::new(), loops: 0, text: 0 };
    for item in 0..resolver.declarations.items.len() {
        let places: Vec<Pointer> = resolver.declarations.items[item].templates.keys().cloned().collect();
        for place in places {
            resolver.place(item, &place);
        }
    }
    let done = resolver.done;
    for ((item, place), value) in done {
        let shape = shape_at(declarations, item, &place);
        let value = fit(declarations, value, shape);
        if let Some(slot) = slot(declarations, item, &place) {
            *slot = value;
        }
    }
}

/// What a reference leads to.
enum Found {
    Value(Value),
    /// It only exists once the resource does.
    Runtime,
    /// It cannot exist; that was reported.
    Nothing,
}

struct Resolver<'r, 'a> {
    declarations: &'r mut Declarations<'a>,
    /// Places with references, resolved.
    done: BTreeMap<(usize, Pointer), Value>,
    under_way: Vec<(usize, Pointer)>,
    /// How many loops were reported. What a loop makes impossible to find is not reported again.
    loops: usize,
    text: usize,
}

impl Resolver<'_, '_> {
    /// The resolved value of a place that holds references.
    fn place(&mut self, item: usize, place: &Pointer) -> Option<Value> {
        let key = (item, place.clone());
        if let Some(value) = self.done.get(&key) {
            return Some(value.clone());
        }
        let value = value_at(self.declarations, item, place)?.clone();
        let Data::Unknown(expression) = &value.data else { return Some(value) };
        if self.under_way.contains(&key) {
            self.report_loop(&key, expression);
            return None;
        }
        self.under_way.push(key.clone());
        let resolved = self.expression(item, expression, &value);
        self.under_way.pop();
        self.done.insert(key, resolved.clone());
        Some(resolved)
    }

    fn report_loop(&mut self, start: &(usize, Pointer), expression: &Expression) {
        let from = self.under_way.iter().position(|it| it == start).unwrap_or(0);
        let ring = self.under_way[from..].iter().chain([start]);
        let names: Vec<String> =
            ring.map(|(item, place)| format!("{}{place}", self.declarations.pointer(*item))).collect();
        let Some(span) = expression.references().next().map(|it| it.span) else { return };
        let diagnostic =
            Diagnostic::error(LOOP, span, format!("values refer to each other: {}", names.join(" → ")))
                .help("write one of them out");
        self.declarations.diagnostics.push(diagnostic);
        self.loops += 1;
    }

    /// The value of a text with references; what is only known at run time stays a reference.
    fn expression(&mut self, item: usize, expression: &Expression, value: &Value) -> Value {
        let mut parts: Vec<Part> = Vec::new();
        let mut sensitive = value.sensitive;
        let whole = expression.parts.len() == 1;
        for part in &expression.parts {
            let Part::Reference(reference) = part else {
                push_part(&mut parts, part.clone());
                continue;
            };
            match self.reference(item, reference) {
                Found::Runtime => push_part(&mut parts, Part::Reference(self.at_run_time(reference))),
                Found::Nothing => return self.unresolved(expression, value),
                Found::Value(found) => {
                    sensitive |= found.sensitive;
                    if whole {
                        return Value { data: found.data, origin: value.origin, sensitive };
                    }
                    if !self.embed(&mut parts, &found, reference) {
                        return self.unresolved(expression, value);
                    }
                }
            }
        }
        let data = match &parts[..] {
            [Part::Text(text)] => Data::String(Arc::clone(text)),
            [] => Data::String("".into()),
            _ => Data::Unknown(Expression { parts }),
        };
        Value { data, origin: value.origin, sensitive }
    }

    /// What is shown in place of a value that could not be found; the mistake was reported.
    fn unresolved(&self, expression: &Expression, value: &Value) -> Value {
        Value { data: Data::String(expression.to_string().into()), ..value.clone() }
    }

    /// The reference with its instance and whether it must be hidden.
    fn at_run_time(&mut self, reference: &Reference) -> Reference {
        let mut reference = reference.clone();
        let Some(target) = self.target(&reference) else { return reference };
        reference.sensitive = trail(self.declarations, target, &reference.path).is_sensitive();
        if reference.to.instance.is_none() && self.instances(target) == Some(1) {
            reference.to = reference.to.instance(0);
        }
        reference
    }

    /// Puts a value into text; `false` when it has no such form, which is reported.
    fn embed(&mut self, parts: &mut Vec<Part>, found: &Value, reference: &Reference) -> bool {
        if let Data::Unknown(inner) = &found.data {
            inner.parts.iter().for_each(|part| push_part(parts, part.clone()));
            return true;
        }
        let Some(text) = found.to_text() else {
            let message =
                format!("`{}` is a {} and has no form inside text", reference.text, found.kind_name());
            let help = "let the reference be the whole value, or refer to something inside it";
            self.declarations
                .diagnostics
                .push(Diagnostic::error(NOT_TEXT, reference.span, message).help(help));
            return false;
        };
        self.text += text.len();
        if self.text > TEXT_LIMIT {
            let message = "references make the text too long";
            let help = format!("all texts together may grow by {} MiB through references", TEXT_LIMIT >> 20);
            self.declarations
                .diagnostics
                .push(Diagnostic::error(TOO_LONG, reference.span, message).help(help));
            return false;
        }
        push_part(parts, Part::Text(text.into()));
        true
    }

    fn target(&self, reference: &Reference) -> Option<usize> {
        let kind =
            self.declarations.types.kinds.iter().position(|it| it.collection == reference.to.collection)?;
        self.declarations.find_at(kind, &reference.to.name)
    }

    /// How many instances a thing wants, where it says so.
    fn instances(&mut self, item: usize) -> Option<u32> {
        let field = self.declarations.definition(item).instances.clone()?;
        let value = match &self.declarations.items[item].attributes.get(&field)?.data {
            Data::Unknown(_) => self.place(item, &Pointer::root().key(&field))?.data,
            data => data.clone(),
        };
        match value {
            Data::Int(count) => u32::try_from(count).ok(),
            _ => None,
        }
    }

    fn reference(&mut self, item: usize, reference: &Reference) -> Found {
        let Some(target) = self.target(reference) else { return Found::Nothing };
        if !self.check_path(target, reference) || !self.check_instance(target, reference) {
            return Found::Nothing;
        }
        let path = self.instance_path(target, reference);
        let loops = self.loops;
        match self.walk(target, &path) {
            Some(value) => Found::Value(value),
            None if self.loops > loops => Found::Nothing,
            None if trail(self.declarations, target, &path).is_output() => {
                self.run_time(item, target, reference)
            }
            None => {
                self.report_missing(target, reference, &path);
                Found::Nothing
            }
        }
    }

    /// A value that only exists at run time belongs to one instance.
    fn run_time(&mut self, _item: usize, target: usize, reference: &Reference) -> Found {
        match self.instances(target) {
            Some(count) if count != 1 && reference.to.instance.is_none() => {
                let (message, help) = match count {
                    0 => (
                        no_instances(&reference.to),
                        "nothing can be taken from it: ask for at least one".into(),
                    ),
                    _ => (
                        format!("`{}` has {count} instances, and each has its own value", reference.to),
                        format!("say which, e.g. `{}`", reference.to.instance(0)),
                    ),
                };
                let diagnostic = Diagnostic::error(NEEDS_INSTANCE, reference.span, message).help(help);
                let declared = self.declarations.items[target].span;
                let diagnostic = diagnostic.related(declared, "declared here");
                self.declarations.diagnostics.push(diagnostic);
                Found::Nothing
            }
            _ => Found::Runtime,
        }
    }

    fn check_instance(&mut self, target: usize, reference: &Reference) -> bool {
        let Some(instance) = reference.to.instance else { return true };
        let count = self.instances(target);
        if count.is_some_and(|count| instance < count) {
            return true;
        }
        let declaration = self.declarations.shown(target);
        let (message, help) = match count {
            Some(0) => (no_instances(&reference.to), "ask for at least one"),
            Some(1) => {
                (format!("`{declaration}` has one instance, there is no [{instance}]"), "they count from 0")
            }
            Some(count) => (
                format!("`{declaration}` has {count} instances, there is no [{instance}]"),
                "they count from 0",
            ),
            None => (
                format!("`{declaration}` has no instances"),
                "leave out the index, or say `instances:` there",
            ),
        };
        let declared = self.declarations.items[target].span;
        let diagnostic = Diagnostic::error(NO_SUCH_INSTANCE, reference.span, message)
            .help(help)
            .related(declared, "declared here");
        self.declarations.diagnostics.push(diagnostic);
        false
    }

    /// An instance's own item of a list of addresses: `services.web[1].ip[0]` is the second of `ip`.
    fn instance_path(&self, target: usize, reference: &Reference) -> Vec<Step> {
        let mut path = reference.path.clone();
        if let (Some(instance), [Step::Key(field), Step::Index(index @ 0), ..]) =
            (reference.to.instance, &mut path[..])
            && self
                .declarations
                .definition(target)
                .field(field)
                .is_some_and(|field| is_address_list(&field.shape))
        {
            *index = instance as usize;
        }
        path
    }

    /// Whether the type definitions know the path; if not, that is reported.
    fn check_path(&mut self, target: usize, reference: &Reference) -> bool {
        let definition = self.declarations.definition(target);
        if reference.path.is_empty() {
            let message = format!("`{}` is a {}, not a value", reference.text, definition.kind);
            let help = format!("add a field, e.g. `${{{}.{}}}`", reference.text, example_field(definition));
            self.declarations
                .diagnostics
                .push(Diagnostic::error(NO_SUCH_VALUE, reference.span, message).help(help));
            return false;
        }
        let mut here = Trail::object(self.declarations.types, definition);
        for (depth, step) in reference.path.iter().enumerate() {
            let next = here.step(&segment(step));
            let written = || self.walk_written(target, &reference.path[..=depth]);
            if matches!(next.place(), Place::Unknown) && !written() {
                self.report_unknown_attribute(target, reference, depth, here);
                return false;
            }
            here = next;
        }
        true
    }

    /// Whether something is written at a path, references not followed.
    fn walk_written(&self, target: usize, path: &[Step]) -> bool {
        value_at(self.declarations, target, &steps_to(Pointer::root(), path)).is_some()
    }

    fn report_unknown_attribute(
        &mut self,
        target: usize,
        reference: &Reference,
        depth: usize,
        here: Trail<'_>,
    ) {
        let keys = here.place().keys();
        let wanted = segment(&reference.path[depth]);
        let parent = steps_text(&self.declarations.shown(target), &reference.path[..depth]);
        let what = self.declarations.definition(target);
        let holder =
            if depth == 0 && !what.singleton { format!("a {}", what.kind) } else { format!("`{parent}`") };
        let message = match &reference.path[depth] {
            Step::Key(_) => format!("{holder} has no `{wanted}`"),
            Step::Index(_) => format!("{holder} is not a list"),
        };
        let mut diagnostic = Diagnostic::error(UNKNOWN_ATTRIBUTE, reference.span, message);
        if let Some(likely) = nearest(&wanted, keys.iter().map(|it| &**it.name)) {
            let renamed = format!("${{{}}}", replace_key(&reference.text, &wanted, likely));
            let title = format!("Change to `{likely}`");
            diagnostic = diagnostic.help(format!("did you mean `{likely}`?"));
            diagnostic = reference_fix(diagnostic, title, reference.span, &reference.text, renamed);
        } else if !keys.is_empty() {
            let known = keys.iter().map(|it| format!("`{}`", it.name)).collect::<Vec<_>>().join(", ");
            diagnostic = diagnostic.help(format!("known here: {known}"));
        }
        self.declarations.diagnostics.push(diagnostic);
    }

    fn report_missing(&mut self, target: usize, reference: &Reference, path: &[Step]) {
        let reached =
            (0..path.len()).rev().find(|depth| *depth == 0 || self.walk(target, &path[..*depth]).is_some());
        let depth = reached.unwrap_or(0);
        let parent = steps_text(&self.declarations.shown(target), &path[..depth]);
        let length = self.walk(target, &path[..depth]).and_then(|value| value.as_list().map(<[Value]>::len));
        let message = match (&path[depth.min(path.len() - 1)], length) {
            (Step::Index(index), Some(1)) => format!("`{parent}` has 1 item, there is no [{index}]"),
            (Step::Index(index), Some(length)) => {
                format!("`{parent}` has {length} items, there is no [{index}]")
            }
            (Step::Index(_), None) => format!("`{parent}` is not a list"),
            (Step::Key(key), _) => format!("`{parent}` has no `{key}`: nobody wrote it"),
        };
        let declared = self.declarations.items[target].span;
        let diagnostic = Diagnostic::error(NO_SUCH_VALUE, reference.span, message)
            .related(declared, "declared here")
            .help("write the value there, or refer to another one");
        self.declarations.diagnostics.push(diagnostic);
    }

    /// The value at a path, references on the way and inside it resolved.
    fn walk(&mut self, item: usize, path: &[Step]) -> Option<Value> {
        let [Step::Key(field), rest @ ..] = path else { return None };
        let value = self.declarations.items[item].attributes.get(field)?.clone();
        let shape = self.declarations.definition(item).field(field).map(|it| it.shape.clone());
        if let (Some(Shape::Reference { to, edge: Edge::Embed }), false) = (&shape, rest.is_empty()) {
            let name = self.resolved(item, Pointer::root().key(field), value)?;
            let target = self.declarations.find(to, name.as_str()?)?;
            return self.walk(target, rest);
        }
        let mut pointer = Pointer::root().key(field);
        let mut value = self.resolved_top(item, &pointer, value)?;
        for step in rest {
            value = match (step, value.data) {
                (Step::Key(key), Data::Map(mut map)) => map.remove(key)?,
                (Step::Index(index), Data::List(mut items)) if *index < items.len() => {
                    items.swap_remove(*index)
                }
                _ => return None,
            };
            pointer = steps_to(pointer, std::slice::from_ref(step));
            value = self.resolved_top(item, &pointer, value)?;
        }
        let sensitive = trail(self.declarations, item, path).is_sensitive();
        let mut value = self.resolved(item, pointer, value)?;
        value.sensitive |= sensitive;
        Some(value)
    }

    /// The value with its own reference resolved, not those further inside.
    fn resolved_top(&mut self, item: usize, place: &Pointer, value: Value) -> Option<Value> {
        if matches!(value.data, Data::Unknown(_)) { self.place(item, place) } else { Some(value) }
    }

    /// The value with all references inside it resolved.
    fn resolved(&mut self, item: usize, place: Pointer, value: Value) -> Option<Value> {
        let sensitive = value.sensitive;
        let origin = value.origin;
        let data = match value.data {
            Data::Unknown(_) if self.declarations.items[item].templates.contains_key(&place) => {
                return self.place(item, &place);
            }
            Data::List(items) => {
                let items = items.into_iter().enumerate();
                Data::List(
                    items.map(|(n, it)| self.resolved(item, place.index(n), it)).collect::<Option<_>>()?,
                )
            }
            Data::Map(map) => {
                let mut resolved = Map::new();
                for (key, it) in map {
                    let it = self.resolved(item, place.key(&key), it)?;
                    resolved.insert(key, it);
                }
                Data::Map(resolved)
            }
            data => data,
        };
        Some(Value { data, origin, sensitive })
    }
}

fn no_instances(of: &Address) -> String {
    format!("`{}` has no instances: `instances` is 0", of.declaration())
}

fn push_part(parts: &mut Vec<Part>, part: Part) {
    if let (Some(Part::Text(before)), Part::Text(text)) = (parts.last_mut(), &part) {
        *before = format!("{before}{text}").into();
    } else {
        parts.push(part);
    }
}

fn trail<'a>(declarations: &Declarations<'a>, item: usize, path: &[Step]) -> Trail<'a> {
    let start = Trail::object(declarations.types, declarations.definition(item));
    path.iter().fold(start, |trail, step| trail.step(&segment(step)))
}

fn segment(step: &Step) -> String {
    match step {
        Step::Key(key) => key.to_string(),
        Step::Index(index) => index.to_string(),
    }
}

fn steps_text(start: &str, steps: &[Step]) -> String {
    steps.iter().fold(start.to_owned(), |text, step| match step {
        Step::Key(key) => format!("{text}.{key}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}

/// A reference's text with the last occurrence of a key changed.
fn replace_key(text: &str, key: &str, likely: &str) -> String {
    match text.rfind(key) {
        Some(at) => format!("{}{likely}{}", &text[..at], &text[at + key.len()..]),
        None => text.to_owned(),
    }
}

fn example_field(definition: &types::TypeDefinition) -> &str {
    definition.fields.first().map_or("FIELD", |field| &field.name)
}

pub(crate) fn is_address_list(shape: &Shape) -> bool {
    matches!(shape, Shape::List(item) if matches!(**item, Shape::IpAddress { .. }))
}

fn value_at<'d>(declarations: &'d Declarations<'_>, item: usize, place: &Pointer) -> Option<&'d Value> {
    let mut segments = place.parts();
    let field = declarations.items[item].attributes.get(&*segments.next()?)?;
    let rest = segments.fold(Pointer::root(), |pointer, segment| pointer.key(&segment));
    field.at(&rest)
}

fn slot<'d>(declarations: &'d mut Declarations<'_>, item: usize, place: &Pointer) -> Option<&'d mut Value> {
    let mut segments = place.parts();
    let field = declarations.items[item].attributes.get_mut(&*segments.next()?)?;
    segments.try_fold(field, |value, segment| match &mut value.data {
        Data::Map(map) => map.get_mut(&*segment),
        Data::List(items) => items.get_mut(segment.parse::<usize>().ok()?),
        _ => None,
    })
}

fn shape_at<'a>(declarations: &Declarations<'a>, item: usize, place: &Pointer) -> Option<&'a Shape> {
    let start = Trail::object(declarations.types, declarations.definition(item));
    place.parts().fold(start, |trail, segment| trail.step(&segment)).place().shape()
}

/// A value that a reference brought, where a shape is asked for: numbers become text, anything else that does not fit
/// is reported.
fn fit(declarations: &mut Declarations<'_>, value: Value, shape: Option<&Shape>) -> Value {
    let Some(shape) = shape else { return value };
    let fits = match (shape, &value.data) {
        (_, Data::Unknown(_)) | (Shape::Any, _) => true,
        (Shape::Text | Shape::OneOf(_), Data::Bool(_) | Data::Int(_) | Data::Float(_)) => {
            let text = value.to_text().unwrap_or_default();
            return Value { data: Data::String(text.into()), ..value };
        }
        (
            Shape::Text | Shape::OneOf(_) | Shape::Cidr | Shape::IpAddress { .. } | Shape::Reference { .. },
            Data::String(_),
        ) => true,
        (Shape::Integer { min, max }, Data::Int(it)) => (min..=max).contains(&it),
        (Shape::Number, Data::Int(_) | Data::Float(_)) | (Shape::Boolean, Data::Bool(_)) => true,
        (Shape::List(_) | Shape::Commands, Data::List(_))
        | (Shape::MapOf(_) | Shape::Object { .. }, Data::Map(_)) => true,
        (Shape::Either(shapes), _) => {
            shapes.iter().any(|shape| matches!(shape, Shape::Any)) || !shapes.is_empty()
        }
        _ => false,
    };
    if !fits && let Origin::Written(span) = value.origin {
        let message = format!("expected {}, the reference brings {}", shape.phrase(), value.kind_name());
        declarations
            .diagnostics
            .push(Diagnostic::error(WRONG_KIND, span, message).help("refer to another value"));
    }
    value
}
