//! Replaces references to written values by these; references to values that only exist at run time stay.
//!
//! Values are data: the result of a reference is not searched for references again, but a value that contains
//! a reference itself is resolved first. Each place is resolved once, after all that it waits for, so the
//! work and the diagnostics are bounded; places that wait are on an explicit stack, because chains of them
//! may be long.

mod check;
mod copy;
mod find;
mod link_contents;
mod parts;

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use diag::Diagnostic;
use model::{Data, Expression, Origin, Part, Pointer, Reference, Step, Value};
use types::{Shape, Trail};

use crate::codes;
use crate::{codes::WRONG_KIND, declare::Declarations};
use copy::{Budget, Stop};
use find::{FoundValue, Search, trail};
pub(crate) use link_contents::{FOREIGN, is_foreign};
use link_contents::{holds_foreign, is_link_content};
pub(crate) use parts::Parts;

/// The highest number of places of a cycle that are named.
const SHOWN: usize = 8;

/// Resolves every reference in every item.
pub(crate) fn resolve(declarations: &mut Declarations<'_>) {
    let mut resolver = Resolver {
        declarations,
        done: BTreeMap::new(),
        under_way: Vec::new(),
        depths: BTreeMap::new(),
        budget: Budget::default(),
    };
    for item in 0..resolver.declarations.items.len() {
        let places: Vec<Pointer> = resolver.declarations.items[item].templates.keys().cloned().collect();
        for place in places {
            resolver.place((item, place));
        }
    }
    let done = resolver.done;
    for ((item, place), value) in done {
        let shape = shape_at(declarations, item, &place);
        let value = fit(declarations, value, shape);
        // A value that stays as it is stays shared.
        if value_at(declarations, item, &place).is_some_and(|it| *it == value) {
            continue;
        }
        if let Some(slot) = slot(declarations, item, &place) {
            *slot = value;
        }
    }
}

/// A place of an item.
type Key = (usize, Pointer);

/// The result of resolving a reference.
enum ResolvedReference {
    Value(Value),
    /// A value of this kind, which cannot be part of a text.
    NoText(&'static str),
    /// It only exists once the resource does; with whether it is sensitive.
    Runtime {
        sensitive: bool,
    },
    /// It cannot exist, which was reported.
    Nothing,
}

struct Resolver<'r, 'a> {
    declarations: &'r mut Declarations<'a>,
    /// Places with references, resolved.
    done: BTreeMap<Key, Value>,
    /// Places in progress, each waiting for the next one.
    under_way: Vec<Key>,
    /// The index of a place in `under_way`.
    depths: BTreeMap<Key, usize>,
    budget: Budget,
}

impl Resolver<'_, '_> {
    /// Resolves a place and all that it waits for.
    fn place(&mut self, start: Key) {
        let mut waiting = vec![start];
        while let Some(key) = waiting.last() {
            let key = key.clone();
            let Some((value, expression)) = self.unresolved_at(&key) else {
                waiting.pop();
                continue;
            };
            let needs = self.needs(&key, expression);
            let (value, expression) = (Value { data: Data::Null, ..*value }, expression.clone());
            if !needs.is_empty() && self.begin(&key, &needs, &mut waiting) {
                continue;
            }
            if let Some(begun) = needs.first() {
                self.report_loop(begun);
            }
            let resolved = self.expression(&key, &expression, &value);
            if self.depths.remove(&key).is_some() {
                self.under_way.pop();
            }
            self.done.insert(key, resolved);
            waiting.pop();
        }
    }

    /// Starts a place that needs others; returns whether it has to wait for some that are not started.
    fn begin(&mut self, key: &Key, needs: &[Key], waiting: &mut Vec<Key>) -> bool {
        if !self.depths.contains_key(key) {
            self.depths.insert(key.clone(), self.under_way.len());
            self.under_way.push(key.clone());
        }
        let before = waiting.len();
        waiting.extend(needs.iter().rev().filter(|it| !self.depths.contains_key(it)).cloned());
        waiting.len() > before
    }

    /// The value at a place, if it contains references that are not resolved yet.
    fn unresolved_at(&self, key: &Key) -> Option<(&Value, &Expression)> {
        let value = value_at(self.declarations, key.0, &key.1)?;
        match &value.data {
            Data::Unknown(expression) if !self.done.contains_key(key) => Some((value, expression)),
            _ => None,
        }
    }

    /// The places that have to be resolved before a text can be, as far as is known now.
    fn needs(&self, key: &Key, expression: &Expression) -> Vec<Key> {
        let mut needs = Vec::new();
        let takes_all = expression.parts.len() == 1 && self.budget.values > 0;
        for reference in expression.references() {
            let Some(target) = self.target(reference) else { continue };
            if target == key.0 && self.declarations.beside(target, &reference.path, 0).is_some() {
                self.needs_beside(target, &reference.path, &mut needs);
                continue;
            }
            let path = self.instance_path(target, reference);
            needs.extend(self.count_of(target).filter(|_| {
                reference.to.instance.is_some() || trail(self.declarations, target, &path).is_output()
            }));
            match self.find(target, &path) {
                Search::Waits(key) => needs.push(key),
                Search::Found(FoundValue { place: Some(place), .. }) if takes_all => {
                    self.needs_inside(&place, &mut needs);
                }
                Search::Found(_) | Search::Nothing => {}
            }
        }
        needs
    }

    /// The places with references inside a list or map.
    fn needs_inside(&self, (item, place): &Key, needs: &mut Vec<Key>) {
        let contents = self.declarations.definition(*item).links.as_ref().map(|it| &*it.contents);
        if place.parts().next().as_deref() == contents {
            let value = value_at(self.declarations, *item, place);
            value.into_iter().for_each(|it| self.unresolved_in(it, (*item, place.clone()), needs));
        }
        // Places are sorted by bytes, and `0` is the byte after `/`.
        let templates = &self.declarations.items[*item].templates;
        let (from, to) = (place.key(""), Pointer::parse(&format!("{}0", place.as_str())));
        let inside = templates.range(from..to).map(|(inner, _)| (*item, inner.clone()));
        needs.extend(inside.filter(|key| self.unresolved_at(key).is_some()));
    }

    /// The place of an item's number of instances, if that has to be resolved first.
    fn count_of(&self, item: usize) -> Option<Key> {
        let field = self.declarations.definition(item).instances.as_deref()?;
        let value = self.declarations.items[item].attributes.get(field)?;
        let key = matches!(value.data, Data::Unknown(_)).then(|| (item, Pointer::root().key(field)))?;
        (!self.done.contains_key(&key)).then_some(key)
    }

    fn report_loop(&mut self, start: &Key) {
        let from = self.depths.get(start).copied().unwrap_or(0);
        let ring = &self.under_way[from..];
        let name = |(item, place): &Key| format!("{}{place}", self.declarations.pointer(*item));
        let mut names: Vec<String> = ring.iter().take(SHOWN).map(name).collect();
        if ring.len() > SHOWN {
            names.push(format!("{} more", ring.len() - SHOWN));
        }
        names.push(name(start));
        let first = self.unresolved_at(start).and_then(|(_, it)| Some(it.references().next()?.span));
        let Some(span) = first else { return };
        let diagnostic = Diagnostic::error(
            codes::REFERENCE_LOOP,
            span,
            format!("values refer to each other: {}", names.join(" → ")),
        )
        .help("write one of the values");
        self.declarations.diagnostics.push(diagnostic);
    }

    /// The value of a text with references; what is only known at run time stays a reference.
    fn expression(&mut self, key: &Key, expression: &Expression, value: &Value) -> Value {
        let mut parts = Parts::default();
        let mut sensitive = value.sensitive;
        let whole = expression.parts.len() == 1;
        for part in &expression.parts {
            let reference = match part {
                Part::Reference(reference) => reference,
                Part::Text(text) => {
                    parts.text(text);
                    continue;
                }
            };
            match self.reference(key, reference, whole) {
                ResolvedReference::Runtime { sensitive } => {
                    parts.reference(self.at_run_time(reference, sensitive))
                }
                ResolvedReference::Nothing => return unresolved(expression, value),
                ResolvedReference::NoText(kind) => {
                    self.report_not_text(reference, kind);
                    return unresolved(expression, value);
                }
                ResolvedReference::Value(found) => {
                    sensitive |= found.sensitive;
                    if whole {
                        return Value { data: found.data, origin: value.origin, sensitive };
                    }
                    if !self.budget.takes_text(&found) {
                        self.report_too_long(reference, "text too long");
                        return unresolved(expression, value);
                    }
                    parts.value(&found);
                }
            }
        }
        Value { data: parts.data(), origin: value.origin, sensitive }
    }

    /// The reference with its instance and whether it is sensitive.
    fn at_run_time(&self, reference: &Reference, sensitive: bool) -> Reference {
        let mut reference = Reference { sensitive, ..reference.clone() };
        let Some(target) = self.target(&reference) else { return reference };
        if reference.to.instance.is_none() && self.instances(target) == Some(1) {
            reference.to = reference.to.instance(0);
        }
        reference
    }

    fn report_not_text(&mut self, reference: &Reference, kind: &str) {
        let message = format!("`{}` is a {kind} and cannot be written inside text", reference.text);
        let help = "make the reference the whole value, or refer to a value inside it";
        self.declarations
            .diagnostics
            .push(Diagnostic::error(codes::NOT_TEXT, reference.span, message).help(help));
    }

    fn report_too_long(&mut self, reference: &Reference, what: &str) {
        let message = format!("references make the {what}");
        let diagnostic = Diagnostic::error(codes::TOO_LONG, reference.span, message).help(Budget::help());
        self.declarations.diagnostics.push(diagnostic);
    }

    fn target(&self, reference: &Reference) -> Option<usize> {
        let kind =
            self.declarations.types.kinds.iter().position(|it| it.collection == reference.to.collection)?;
        self.declarations.find_at(kind, &reference.to.name)
    }

    /// The number of instances that an item requires, if it has one.
    fn instances(&self, item: usize) -> Option<u32> {
        let field = self.declarations.definition(item).instances.as_ref()?;
        match self.find(item, &[Step::Key(Arc::clone(field))]) {
            Search::Found(FoundValue { value: Value { data: Data::Int(count), .. }, .. }) => {
                u32::try_from(*count).ok()
            }
            _ => None,
        }
    }

    /// The value of a reference at `key`: any value if the reference is the `whole` value, else one that text
    /// can contain.
    fn reference(&mut self, key: &Key, reference: &Reference, whole: bool) -> ResolvedReference {
        if is_foreign(reference) {
            return ResolvedReference::Runtime { sensitive: reference.sensitive };
        }
        let Some(target) = self.target(reference) else { return ResolvedReference::Nothing };
        if target == key.0
            && let Some(path) = self.declarations.beside(target, &reference.path, 0)
        {
            return self.beside(target, reference, &path);
        }
        if !self.check_path(target, reference) || !self.check_instance(target, reference) {
            return ResolvedReference::Nothing;
        }
        let path = self.instance_path(target, reference);
        match self.find(target, &path) {
            Search::Found(FoundValue { value, .. }) if !whole && Parts::has_no_form(value) => {
                ResolvedReference::NoText(value.kind_name())
            }
            Search::Found(found) => {
                let sensitive = found.sensitive;
                let mut left = self.budget.values;
                let copied = self.copy(found.value, found.place, key.1.parts().count(), &mut left);
                self.budget.values = left;
                match copied {
                    Ok(value) if holds_foreign(&value) && !is_link_content(self.declarations, key) => {
                        self.report_foreign(reference, &value);
                        ResolvedReference::Nothing
                    }
                    Ok(value) => {
                        ResolvedReference::Value(Value { sensitive: value.sensitive || sensitive, ..value })
                    }
                    Err(Stop::Waits) => ResolvedReference::Nothing,
                    Err(Stop::TooMuch) => {
                        self.report_too_long(reference, "values too large");
                        ResolvedReference::Nothing
                    }
                }
            }
            // A value that cannot be found because of a cycle is not reported again.
            Search::Waits(_) => ResolvedReference::Nothing,
            Search::Nothing => self.unwritten(target, reference, &path),
        }
    }

    /// The value of a reference to a value that no file sets.
    fn unwritten(&mut self, target: usize, reference: &Reference, path: &[Step]) -> ResolvedReference {
        let trail = trail(self.declarations, target, path);
        if self.is_no_link(target, path) {
            return ResolvedReference::Nothing;
        }
        if !trail.is_output() {
            self.report_missing(target, reference, path);
            return ResolvedReference::Nothing;
        }
        let is_one = self.check_is_one(target, reference);
        if is_one {
            ResolvedReference::Runtime { sensitive: trail.is_sensitive() }
        } else {
            ResolvedReference::Nothing
        }
    }

    /// An instance's own item of a list of addresses: `services.web[1].ip[0]` is the second of `ip`.
    fn instance_path<'p>(&self, target: usize, reference: &'p Reference) -> Cow<'p, [Step]> {
        let mut path = Cow::Borrowed(&reference.path[..]);
        if let (Some(instance), [Step::Key(field), Step::Index(0), ..]) = (reference.to.instance, &*path)
            && self
                .declarations
                .definition(target)
                .field(field)
                .is_some_and(|field| is_address_list(&field.shape))
        {
            path.to_mut()[1] = Step::Index(instance as usize);
        }
        path
    }
}

/// The replacement of a value that could not be found, which has been reported.
fn unresolved(expression: &Expression, value: &Value) -> Value {
    Value { data: Data::String(expression.to_string().into()), ..*value }
}

const fn is_collection(value: &Value) -> bool {
    matches!(value.data, Data::List(_) | Data::Map(_))
}

pub(crate) fn is_address_list(shape: &Shape) -> bool {
    matches!(shape, Shape::List(item) if matches!(**item, Shape::IpAddress { .. }))
}

fn value_at<'d>(declarations: &'d Declarations<'_>, item: usize, place: &Pointer) -> Option<&'d Value> {
    let mut segments = place.parts();
    let field = declarations.items[item].attributes.get(&*segments.next()?)?;
    segments.try_fold(field, |value, segment| match &value.data {
        Data::Map(map) => map.get(&*segment),
        Data::List(items) => items.get(segment.parse::<usize>().ok()?),
        _ => None,
    })
}

fn slot<'d>(declarations: &'d mut Declarations<'_>, item: usize, place: &Pointer) -> Option<&'d mut Value> {
    let mut segments = place.parts();
    let field = Arc::make_mut(&mut declarations.items[item].attributes).get_mut(&*segments.next()?)?;
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

/// The value of a reference, adapted to the required shape: numbers become text, any other mismatch is
/// reported.
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
        (Shape::List(_), Data::List(_)) | (Shape::MapOf(_) | Shape::Object { .. }, Data::Map(_)) => true,
        (Shape::Form(form), Data::List(_)) => form.canonical().may_be_list(),
        (Shape::Either(shapes), _) => !shapes.is_empty(),
        _ => false,
    };
    if !fits && let Origin::Written(span) = value.origin {
        let message = format!("expected {}, but the reference is {}", shape.phrase(), value.kind_name());
        declarations
            .diagnostics
            .push(Diagnostic::error(WRONG_KIND, span, message).help("refer to another value"));
    }
    value
}
