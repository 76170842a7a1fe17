//! Finds, for each field of the old version, what it is in the new one.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Diagnostics, Span};
use fields::{
    FieldPath,
    schema::{Field, Rule as FieldRule, Schema},
};
use serde_json::Value;

use crate::{
    codes::{DUPLICATE, LIST, NO_COUNTERPART, REQUIRED},
    field_conversion::{FieldPair, FixedField},
    field_tree::{Rule, RuleKind, field, is_single, remaining},
    kind_pairs::{KindPair, Versions},
    mapping::Text,
    message_conversion::{AddedField, MessageConversion},
    open_message::OpenMessage,
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
    /// The name of the resource type whose message is built, for what is reported.
    pub(crate) kind: Arc<str>,
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
        let open = OpenMessage::new(before, after, rules, path, span);
        let mut built = self.build(open);
        built.new = new.clone();
        if let Some(slot) = self.messages.get_mut(place) {
            *slot = built;
        }
        Some(place)
    }

    fn build(&mut self, mut open: OpenMessage<'a>) -> MessageConversion {
        let mut built =
            MessageConversion { is_open: open.old.open && open.new.open, ..MessageConversion::default() };
        for rule in open.rules.clone() {
            self.check_lists(&open, &rule);
            match rule.kind {
                RuleKind::Same(values) => built.pairs.extend(self.written(&mut open, &rule, values)),
                RuleKind::Constant(value) => built.constants.push(fixed(&rule.old, value)),
                RuleKind::Default(value) => built.defaults.push(fixed(&rule.new, value)),
                RuleKind::Moved => {}
            }
        }
        let olds: Vec<&[String]> =
            open.rules.iter().map(|it| &*it.old).filter(|it| open.is_own(it)).collect();
        let unpaired = remaining(self.old, open.old, &[], &olds);
        for path in unpaired {
            match open.same_name(&path) {
                Some((old, new)) => built.pairs.extend(self.pair(&mut open, (old, new), (&path, &path), &[])),
                None => self.report.push(lost(&open, &self.kind, &path)),
            }
        }
        let news: Vec<Vec<String>> =
            built.pairs.iter().map(|it| it.new.names().map(str::to_owned).collect()).collect();
        let moved =
            open.rules.iter().filter(|it| matches!(it.kind, RuleKind::Moved)).map(|it| it.new.clone());
        let news: Vec<Vec<String>> = news.into_iter().chain(moved).filter(|it| !it.is_empty()).collect();
        let news: Vec<&[String]> = news.iter().map(|it| &**it).collect();
        for path in remaining(self.new, open.new, &[], &news) {
            built.added.push(self.added(&open, &path, &built.defaults));
        }
        built
    }

    /// A pair that the file has.
    fn written(
        &mut self,
        open: &mut OpenMessage<'a>,
        rule: &Rule<'a>,
        values: &[(Text, Text)],
    ) -> Option<FieldPair> {
        let twice = open
            .rules
            .iter()
            .filter(|it| matches!(it.kind, RuleKind::Same(_) | RuleKind::Default(_)) && it.new == rule.new);
        let first = twice.map(|it| it.span).min_by_key(|it| it.start)?;
        if first != rule.span {
            let message = format!("`{}` is already another field", rule.new.join("."));
            self.report.push(
                Diagnostic::error(DUPLICATE, rule.span, message)
                    .related(first, "the other one")
                    .help("write each field once"),
            );
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
        open: &mut OpenMessage<'a>,
        (old, new): (&'a Field, &'a Field),
        (old_path, new_path): (&[String], &[String]),
        values: &[(Text, Text)],
    ) -> Option<FieldPair> {
        let path = open.path_of(old_path);
        let count = self.count(old, new, &path, open.span)?;
        let inner =
            if old_path.len() == 1 { old_path.first().and_then(|it| open.inner.remove(it)) } else { None };
        let converted = self.values((old, new), values, inner.unwrap_or_default(), &path, open.span)?;
        let of = |names: &[String]| FieldPath::of_names(names.iter().map(|it| &**it));
        Some(FieldPair { old: of(old_path), new: of(new_path), count, values: converted })
    }

    fn added(&mut self, open: &OpenMessage<'_>, path: &[String], defaults: &[FixedField]) -> AddedField {
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
        let alternatives =
            group.filter(|it| it.name != field.name).map(|it| FieldPath::of_names([&*it.name]));
        AddedField { path: own, alternatives: alternatives.collect() }
    }

    /// Reports a rule that is about elements of a list from outside.
    fn check_lists(&mut self, open: &OpenMessage<'_>, rule: &Rule<'_>) {
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

fn fixed(path: &[String], value: &Value) -> FixedField {
    FixedField { path: FieldPath::of_names(path.iter().map(|it| &**it)), value: value.clone() }
}

fn lost(open: &OpenMessage<'_>, kind: &str, path: &[String]) -> Diagnostic {
    let message = format!("`{}` of `{kind}` has no counterpart in the new version", open.path_of(path));
    let help = format!(
        "name what it became: `- {{from: {0}, to: FIELD}}`, or `- {{from: {0}, constant: VALUE}}`",
        open.path_of(path)
    );
    Diagnostic::error(NO_COUNTERPART, open.span, message).help(help)
}
