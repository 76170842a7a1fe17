//! Finds, for each field of the old version, what it is in the new one.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Diagnostics, Span};
use fields::{
    FieldPath,
    schema::{Cardinality, Field, FieldType, Meaning, Message, Rule as FieldRule, Schema},
};
use serde_json::Value;

use crate::{
    codes::{DUPLICATE, LIST, NO_COUNTERPART, NOT_CONVERTED, REFERENCE, REQUIRED, TYPES},
    enum_values::enum_values,
    field_conversion::{FieldConversion, FieldPair, FixedField, ValueCount},
    field_tree::{Rule, RuleKind, inner_message, is_single, remaining},
    kind_pairs::{KindPair, Versions},
    mapping::Text,
    message_conversion::{AddedField, MessageConversion},
};

/// Makes the conversions of messages, each once for the same rules.
pub(crate) struct MessageBuilder<'a> {
    pub(crate) versions: Versions<'a>,
    pub(crate) pairs: &'a [KindPair<'a>],
    pub(crate) old: &'a Schema,
    pub(crate) new: &'a Schema,
    pub(crate) messages: Vec<MessageConversion>,
    /// Those without rules, which messages that contain themselves have again.
    pub(crate) known: BTreeMap<(Arc<str>, Arc<str>), usize>,
    pub(crate) report: Diagnostics,
}

/// A message of both versions while its fields are paired.
struct Open<'a> {
    old: &'a Message,
    new: &'a Message,
    /// The rules about its own fields.
    rules: Vec<Rule<'a>>,
    /// The rules about fields inside its fields, by the name of the old field.
    inner: BTreeMap<String, Vec<Rule<'a>>>,
    path: String,
    span: Span,
}

impl<'a> MessageBuilder<'a> {
    /// The place of the conversion of two messages. `path` is where they are in a resource, for what is reported.
    pub(crate) fn message(
        &mut self,
        (old, new): (&Arc<str>, &Arc<str>),
        rules: Vec<Rule<'a>>,
        path: &str,
        span: Span,
    ) -> Option<usize> {
        let key = (old.clone(), new.clone());
        if let (true, Some(known)) = (rules.is_empty(), self.known.get(&key)) {
            return Some(*known);
        }
        let (before, after) = (self.old.messages.get(old)?, self.new.messages.get(new)?);
        let place = self.messages.len();
        self.messages.push(MessageConversion::default());
        if rules.is_empty() {
            self.known.insert(key, place);
        }
        let open = Open::new(before, after, rules, path, span);
        let mut built = self.build(open);
        built.new = new.clone();
        if let Some(slot) = self.messages.get_mut(place) {
            *slot = built;
        }
        Some(place)
    }

    fn build(&mut self, mut open: Open<'a>) -> MessageConversion {
        let mut built = MessageConversion { is_open: open.old.open && open.new.open, ..MessageConversion::default() };
        for rule in open.rules.clone() {
            self.check_lists(&open, &rule);
            match rule.kind {
                RuleKind::Same(values) => built.pairs.extend(self.written(&mut open, &rule, values)),
                RuleKind::Constant(value) => built.constants.push(fixed(&rule.old, value)),
                RuleKind::Default(value) => built.defaults.push(fixed(&rule.new, value)),
                RuleKind::Moved => {}
            }
        }
        let olds: Vec<&[String]> = open.rules.iter().map(|it| &*it.old).filter(|it| open.is_own(it)).collect();
        let unpaired = remaining(self.old, open.old, &[], &olds);
        for path in unpaired {
            match open.same_name(&path) {
                Some((old, new)) => built.pairs.extend(self.pair(&mut open, (old, new), (&path, &path), &[])),
                None => self.report.push(lost(&open, &path)),
            }
        }
        let news: Vec<Vec<String>> = built.pairs.iter().map(|it| it.new.names().map(str::to_owned).collect()).collect();
        let moved = open.rules.iter().filter(|it| matches!(it.kind, RuleKind::Moved)).map(|it| it.new.clone());
        let news: Vec<Vec<String>> = news.into_iter().chain(moved).filter(|it| !it.is_empty()).collect();
        let news: Vec<&[String]> = news.iter().map(|it| &**it).collect();
        for path in remaining(self.new, open.new, &[], &news) {
            built.added.push(self.added(&open, &path, &built.defaults));
        }
        built
    }

    /// A pair that the file has.
    fn written(&mut self, open: &mut Open<'a>, rule: &Rule<'a>, values: &[(Text, Text)]) -> Option<FieldPair> {
        let twice = open.rules.iter().filter(|it| matches!(it.kind, RuleKind::Same(_) | RuleKind::Default(_)) && it.new == rule.new);
        let first = twice.map(|it| it.span).min_by_key(|it| it.start)?;
        if first != rule.span {
            let message = format!("`{}` is already another field", rule.new.join("."));
            self.report.push(Diagnostic::error(DUPLICATE, rule.span, message).related(first, "the other one").help("write each field once"));
            return None;
        }
        let old = field(self.old, open.old, &rule.old)?;
        let new = field(self.new, open.new, &rule.new)?;
        let (path, span) = (open.path.clone(), open.span);
        open.span = rule.span;
        let pair = self.pair(open, (old, new), (&rule.old, &rule.new), values);
        (open.path, open.span) = (path, span);
        pair
    }

    fn pair(
        &mut self,
        open: &mut Open<'a>,
        (old, new): (&'a Field, &'a Field),
        (old_path, new_path): (&[String], &[String]),
        values: &[(Text, Text)],
    ) -> Option<FieldPair> {
        let path = open.path_of(old_path);
        let count = self.count(old, new, &path, open.span)?;
        let inner = if old_path.len() == 1 { old_path.first().and_then(|it| open.inner.remove(it)) } else { None };
        let converted = self.values((old, new), values, inner.unwrap_or_default(), &path, open.span)?;
        let of = |names: &[String]| FieldPath::of_names(names.iter().map(|it| &**it));
        Some(FieldPair { old: of(old_path), new: of(new_path), count, values: converted })
    }

    /// The number of values of two fields, if that is the same.
    fn count(&mut self, old: &Field, new: &Field, path: &str, span: Span) -> Option<ValueCount> {
        let count = |it: &Field| match it.cardinality {
            Cardinality::One if it.oneof.is_none() => ValueCount::One,
            Cardinality::One | Cardinality::Optional => ValueCount::AtMostOne,
            Cardinality::Repeated => ValueCount::List,
            Cardinality::Map(_) => ValueCount::Map,
        };
        let is_message = matches!((&old.ty, &new.ty), (FieldType::Message(_), FieldType::Message(_)));
        let (before, after) = (count(old), count(new));
        if before == after || is_message && is_single(old) && is_single(new) {
            return Some(before);
        }
        let message = format!("`{path}` has {} in the old version, and {} in the new one", words(before), words(after));
        let help = "declare both in the same way, or give the old one a constant";
        self.report.push(Diagnostic::error(TYPES, span, message).help(help));
        None
    }

    fn values(
        &mut self,
        (old, new): (&'a Field, &'a Field),
        written: &[(Text, Text)],
        rules: Vec<Rule<'a>>,
        path: &str,
        span: Span,
    ) -> Option<FieldConversion> {
        if let (FieldType::Message(before), FieldType::Message(after)) = (&old.ty, &new.ty) {
            return self.message((before, after), rules, path, span).map(FieldConversion::Message);
        }
        let sides = ((old, self.old), (new, self.new));
        let is_enum = |it: &Field| matches!(it.ty, FieldType::Enum(_));
        if is_enum(old) || is_enum(new) || !written.is_empty() {
            let values = enum_values(sides.0, sides.1, written, (path, span), &mut self.report);
            if values.is_none() {
                self.report.push(other_types(path, span));
            }
            return values.map(|it| if it.is_identity() { FieldConversion::Same } else { FieldConversion::Values(it) });
        }
        if old.ty != new.ty {
            self.report.push(other_types(path, span));
            return None;
        }
        self.meaning(old, new, path, span)
    }

    /// The conversion of texts that name resources.
    fn meaning(&mut self, old: &Field, new: &Field, path: &str, span: Span) -> Option<FieldConversion> {
        let target = |field: &Field, service: usize| match &field.meaning {
            Some(Meaning::Name { resource } | Meaning::Reference { resource, .. }) => {
                self.versions.services.find(service, resource)
            }
            Some(_) | None => None,
        };
        let found = (target(old, self.versions.old), target(new, self.versions.new));
        let own = self.pairs.iter().position(|it| Some(it.old) == found.0);
        let is_same = match (own, found) {
            (Some(at), (_, Some(new))) => self.pairs.get(at).is_some_and(|it| it.new == new),
            (None, (Some(old), Some(new))) => self.has_same_names(old, new),
            (Some(_), (_, None)) | (None, (Some(_), None) | (None, Some(_))) => false,
            (None, (None, None)) => true,
        };
        if !is_same {
            let message = format!("`{path}` does not refer to the same resources in both versions");
            let help = "let both refer to resource types that are counterparts of each other";
            self.report.push(Diagnostic::error(REFERENCE, span, message).help(help));
            return None;
        }
        if is_stored_text(old.meaning.as_ref()) {
            let message = format!("what `{path}` holds is stored as it is written");
            let help = "write it in the words of the new version, also through the old one";
            self.report.push(Diagnostic::warning(NOT_CONVERTED, span, message).help(help));
        }
        Some(own.map_or(FieldConversion::Same, FieldConversion::Name))
    }

    /// True if two resource types of other services have the same names.
    fn has_same_names(&self, old: spec::KindId, new: spec::KindId) -> bool {
        let texts = |id| {
            let kind = self.versions.services.kind(id);
            kind.map(|it| it.patterns.0.iter().map(|it| it.text().to_owned()).collect::<Vec<_>>())
        };
        old == new || texts(old) == texts(new)
    }

    fn added(&mut self, open: &Open<'_>, path: &[String], defaults: &[FixedField]) -> AddedField {
        let of = |names: &[String]| FieldPath::of_names(names.iter().map(|it| &**it));
        let own = of(path);
        let Some(field) = field(self.new, open.new, path) else {
            return AddedField { path: own, alternatives: Vec::new() };
        };
        let has_default = defaults.iter().any(|it| it.path.starts_with(&own));
        if field.rules.contains(&FieldRule::Required) && !has_default {
            let message = format!("`{}` is required, and only the new version has it", open.path_of(path));
            let help = format!("add `- {{to: {}, default: VALUE}}`", path.join("."));
            self.report.push(Diagnostic::warning(REQUIRED, open.span, message).help(help));
        }
        let group = open.new.fields.iter().filter(|it| it.oneof.is_some() && it.oneof == field.oneof);
        let alternatives = group.filter(|it| it.name != field.name).map(|it| FieldPath::of_names([&*it.name]));
        AddedField { path: own, alternatives: alternatives.collect() }
    }

    /// Reports a rule that is about elements of a list from outside.
    fn check_lists(&mut self, open: &Open<'_>, rule: &Rule<'_>) {
        let passes = |schema, message, path: &[String]| {
            let above = (1..path.len()).filter_map(|it| field(schema, message, path.get(..it)?));
            above.into_iter().any(|it| !is_single(it))
        };
        if passes(self.old, open.old, &rule.old) || passes(self.new, open.new, &rule.new) {
            let message = "the field is in a list or a map, and its counterpart is not in the same one";
            let help = "keep the field in the list, and the list where it is or with a rule of its own";
            self.report.push(Diagnostic::error(LIST, rule.span, message).help(help));
        }
    }
}

impl<'a> Open<'a> {
    fn new(old: &'a Message, new: &'a Message, all: Vec<Rule<'a>>, path: &str, span: Span) -> Self {
        let mut open = Self { old, new, rules: Vec::new(), inner: BTreeMap::new(), path: path.to_owned(), span };
        // Rules about whole fields decide where those about their parts belong.
        let (own, below): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.old.len() < 2 && it.new.len() < 2);
        open.rules = own;
        below.into_iter().for_each(|rule| open.add(rule));
        open
    }

    /// The new field that an old one of this message is as a whole.
    fn counterpart(&self, old: &str) -> Option<String> {
        let written = self.rules.iter().find(|it| it.old == [old]);
        if let Some(written) = written {
            return written.new.first().filter(|_| written.new.len() == 1).cloned();
        }
        self.same_name(&[old.to_owned()]).map(|(_, new)| new.name.to_string())
    }

    /// True for a path of a rule that no conversion of a message is about.
    fn is_own(&self, old: &[String]) -> bool {
        match old {
            [] => false,
            [_] => true,
            [first, ..] => self.counterpart(first).is_none(),
        }
    }

    fn counterpart_of_new(&self, new: &str) -> Option<String> {
        let olds = self.old.fields.iter().map(|it| it.name.to_string());
        olds.into_iter().find(|it| self.counterpart(it).as_deref() == Some(new))
    }

    fn add(&mut self, rule: Rule<'a>) {
        let first = |path: &[String]| path.first().cloned().filter(|_| path.len() > 1);
        let above = first(&rule.old).filter(|it| self.counterpart(it).is_some());
        let above_new = first(&rule.new).and_then(|it| self.counterpart_of_new(&it));
        let is_inside = match (rule.old.is_empty(), rule.new.is_empty()) {
            (false, false) => above.is_some() && above == above_new,
            _ => above.is_some() || above_new.is_some(),
        };
        if is_inside {
            self.inner.entry(above.or(above_new).unwrap_or_default()).or_default().push(rule.inner());
            return;
        }
        if let Some(above) = above {
            let moved = rule.moved(rule.old.get(1..).unwrap_or_default(), &[]);
            self.inner.entry(above).or_default().push(moved);
        }
        if let Some(above) = above_new {
            let moved = rule.moved(&[], rule.new.get(1..).unwrap_or_default());
            self.inner.entry(above).or_default().push(moved);
        }
        self.rules.push(rule);
    }

    /// The fields of both versions that have the same name, if no rule is about the new one.
    fn same_name(&self, path: &[String]) -> Option<(&'a Field, &'a Field)> {
        let [name] = path else { return None };
        let find = |message: &'a Message| message.fields.iter().find(|it| *it.name == **name);
        let is_free = self.rules.iter().all(|it| it.new != [name.clone()]);
        find(self.old).zip(find(self.new)).filter(|_| is_free)
    }

    fn path_of(&self, path: &[String]) -> String {
        let own = path.join(".");
        if self.path.is_empty() { own } else { format!("{}.{own}", self.path) }
    }
}

fn field<'s>(schema: &'s Schema, message: &'s Message, path: &[String]) -> Option<&'s Field> {
    let (first, rest) = path.split_first()?;
    let found = message.fields.iter().find(|it| *it.name == **first)?;
    if rest.is_empty() { Some(found) } else { field(schema, inner_message(schema, found)?, rest) }
}

fn fixed(path: &[String], value: &Value) -> FixedField {
    FixedField { path: FieldPath::of_names(path.iter().map(|it| &**it)), value: value.clone() }
}

/// True for a text whose meaning depends on the version, and is not the name of one resource.
const fn is_stored_text(meaning: Option<&Meaning>) -> bool {
    match meaning {
        Some(
            Meaning::ParentName { .. }
            | Meaning::Filter { .. }
            | Meaning::OrderBy { .. }
            | Meaning::Cursor { .. }
            | Meaning::FieldMask { .. },
        ) => true,
        Some(Meaning::Name { .. } | Meaning::Reference { .. }) | None => false,
    }
}

const fn words(count: ValueCount) -> &'static str {
    match count {
        ValueCount::One => "one value",
        ValueCount::AtMostOne => "one value or none",
        ValueCount::List => "a list",
        ValueCount::Map => "a map",
    }
}

fn lost(open: &Open<'_>, path: &[String]) -> Diagnostic {
    let message = format!("`{}` has no counterpart in the new version", open.path_of(path));
    let help = format!("name what it became: `- {{from: {0}, to: FIELD}}`, or `- {{from: {0}, constant: VALUE}}`", open.path_of(path));
    Diagnostic::error(NO_COUNTERPART, open.span, message).help(help)
}

fn other_types(path: &str, span: Span) -> Diagnostic {
    let message = format!("`{path}` has another type in the new version");
    Diagnostic::error(TYPES, span, message).help("keep the type: only enumerations and booleans are converted, by `values`")
}
