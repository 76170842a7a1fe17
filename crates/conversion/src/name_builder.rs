//! Finds, for each form of names of the old version, what it is in the new one.

use std::collections::BTreeMap;

use diag::{Diagnostic, Diagnostics, Span};
use names::Pattern;
use spec::{Kind, snake_case};

use crate::{
    codes::{DUPLICATE, NO_COUNTERPART, UNKNOWN_PATTERN},
    kind_pairs::{KindPair, Versions},
    mapping::{Mapping, NameMapping, Text},
    name_constants::NameConstants,
    name_conversion::{IdSource, NameConversion, PatternPair},
};

/// The names of all pairs of resource types.
pub(crate) fn names(
    versions: Versions<'_>,
    mapping: &Mapping,
    pairs: &[KindPair<'_>],
    report: &mut Diagnostics,
) -> Vec<NameConversion> {
    let builder = NameBuilder { versions, mapping, pairs };
    pairs.iter().map(|pair| builder.names_of(pair, report)).collect()
}

struct NameBuilder<'a> {
    versions: Versions<'a>,
    mapping: &'a Mapping,
    pairs: &'a [KindPair<'a>],
}

/// The beginning of a name in the new version, and the origins of ids on both sides.
#[derive(Default)]
struct Prefix {
    text: String,
    old_ids: Vec<IdSource>,
    new_ids: Vec<IdSource>,
}

impl<'a> NameBuilder<'a> {
    fn kinds(&self, pair: &KindPair<'_>) -> Option<(&'a Kind, &'a Kind)> {
        Some((self.versions.services.kind(pair.old)?, self.versions.services.kind(pair.new)?))
    }

    fn names_of(&self, pair: &KindPair<'_>, report: &mut Diagnostics) -> NameConversion {
        let Some((old, new)) = self.kinds(pair) else {
            return NameConversion::default();
        };
        let span = pair.mapping.map_or(self.mapping.from.span, |it| it.from.span);
        for written in pair.mapping.iter().flat_map(|it| &it.names) {
            check_pattern(old, &written.from, report);
            check_pattern(new, &written.to, report);
        }
        let mut found: Vec<PatternPair> = Vec::new();
        for pattern in &old.patterns.0 {
            match self.pattern(pair, pattern, report) {
                Some(it) if found.iter().any(|other| other.new == it.new) => report.push(joined(&it, span)),
                Some(it) => found.push(it),
                None => report.push(no_counterpart(old, new, pattern, span)),
            }
        }
        NameConversion { old: old.patterns.clone(), new: new.patterns.clone(), pairs: found }
    }

    /// The counterpart of a pattern: the written one, or the same form below the counterpart of its parent, or the same text.
    fn pattern(&self, pair: &KindPair<'_>, old: &Pattern, report: &mut Diagnostics) -> Option<PatternPair> {
        let (_, kind) = self.kinds(pair)?;
        let written = pair.mapping.and_then(|it| it.names.iter().find(|it| *it.from.value == *old.text()));
        if let Some(written) = written {
            let new = kind.patterns.0.iter().find(|it| it.text() == &*written.to.value)?;
            return Some(self.written(old, new, written, report));
        }
        let prefix = self.prefix(old.parent().as_ref())?;
        let text_above = |it: &Pattern| it.parent().map_or_else(String::new, |it| it.text().to_owned());
        let below = kind.patterns.0.iter().find(|it| text_above(it) == prefix.text);
        if let Some(new) = below {
            let (old_ids, new_ids) = with_last(prefix);
            return Some(PatternPair { old: old.clone(), new: new.clone(), old_ids, new_ids });
        }
        let new = kind.patterns.0.iter().find(|it| it.text() == old.text())?;
        let ids: Vec<IdSource> = (0..old.segments().len()).map(IdSource::Id).collect();
        Some(PatternPair { old: old.clone(), new: new.clone(), old_ids: ids.clone(), new_ids: ids })
    }

    /// The beginning of names in the new version: of a resource type of this service, or the same as before.
    fn prefix(&self, old: Option<&Pattern>) -> Option<Prefix> {
        let Some(old) = old else { return Some(Prefix::default()) };
        let owner = self.pairs.iter().find(|pair| {
            self.kinds(pair).is_some_and(|(kind, _)| kind.patterns.0.iter().any(|it| it.text() == old.text()))
        });
        if let Some(owner) = owner {
            // What is wrong with it is reported for that type.
            let pair = self.pattern(owner, old, &mut Vec::new())?;
            return Some(Prefix {
                text: pair.new.text().to_owned(),
                old_ids: pair.old_ids,
                new_ids: pair.new_ids,
            });
        }
        let prefix = self.prefix(old.parent().as_ref())?;
        let segment = old.segments().last()?;
        let slash = if prefix.text.is_empty() { "" } else { "/" };
        let text = format!("{}{slash}{segment}", prefix.text);
        let (old_ids, new_ids) = with_last(prefix);
        Some(Prefix { text, old_ids, new_ids })
    }

    fn written(
        &self,
        old: &Pattern,
        new: &Pattern,
        written: &NameMapping,
        report: &mut Diagnostics,
    ) -> PatternPair {
        let variables =
            |it: &Pattern| it.segments().iter().map(|it| it.variable.to_string()).collect::<Vec<_>>();
        let (old_variables, new_variables) = (variables(old), variables(new));
        let same: BTreeMap<usize, usize> = self.same_variables(&old_variables, &new_variables);
        let back: BTreeMap<usize, usize> = same.iter().map(|(old, new)| (*new, *old)).collect();
        let mut fixed = NameConstants::new(written, report);
        let old_ids = (0..old_variables.len()).map(|at| match same.get(&at) {
            Some(new) => IdSource::Id(*new),
            None => fixed.source(old, at, false),
        });
        let old_ids = old_ids.collect();
        let new_ids = (0..new_variables.len()).map(|at| match back.get(&at) {
            Some(old) => IdSource::Id(*old),
            None => fixed.source(new, at, true),
        });
        let new_ids = new_ids.collect();
        fixed.finish();
        PatternPair { old: old.clone(), new: new.clone(), old_ids, new_ids }
    }

    /// The variables of both patterns that are the same: by name, by the types that they are ids of, or the last ones.
    fn same_variables(&self, old: &[String], new: &[String]) -> BTreeMap<usize, usize> {
        let mut same = BTreeMap::new();
        let renamed = |variable: &str| {
            let kinds = self.pairs.iter().filter_map(|it| self.kinds(it));
            kinds
                .filter(|(old, _)| snake_case(&old.name) == variable)
                .map(|(_, new)| snake_case(&new.name))
                .next()
        };
        for (at, variable) in old.iter().enumerate() {
            let place = |name: &str| new.iter().position(|it| it == name);
            let found = place(variable).or_else(|| renamed(variable).and_then(|it| place(&it)));
            same.extend(found.map(|it| (at, it)));
        }
        if let (Some(old), Some(new)) = (old.len().checked_sub(1), new.len().checked_sub(1))
            && !same.contains_key(&old)
            && !same.values().any(|it| *it == new)
        {
            same.insert(old, new);
        }
        same
    }
}

fn with_last(Prefix { mut old_ids, mut new_ids, .. }: Prefix) -> (Vec<IdSource>, Vec<IdSource>) {
    let (old, new) = (old_ids.len(), new_ids.len());
    old_ids.push(IdSource::Id(new));
    new_ids.push(IdSource::Id(old));
    (old_ids, new_ids)
}

fn check_pattern(kind: &Kind, written: &Text, report: &mut Diagnostics) {
    if !kind.patterns.0.iter().any(|it| it.text() == &*written.value) {
        let message = format!("`{}` is not a pattern of names of `{}`", written.value, kind.name);
        let known: Vec<String> = kind.patterns.0.iter().map(|it| format!("`{it}`")).collect();
        let help = format!("it has {}", known.join(", "));
        report.push(Diagnostic::error(UNKNOWN_PATTERN, written.span, message).help(help));
    }
}

fn no_counterpart(old: &Kind, new: &Kind, pattern: &Pattern, span: Span) -> Diagnostic {
    let known: Vec<String> = new.patterns.0.iter().map(|it| format!("`{it}`")).collect();
    let message = format!("names `{pattern}` of `{}` have no counterpart", old.name);
    let help = format!("write under `names` which pattern it became: {}", known.join(", "));
    Diagnostic::error(NO_COUNTERPART, span, message).help(help)
}

fn joined(pair: &PatternPair, span: Span) -> Diagnostic {
    let message = format!("names `{}` become `{}`, as others do", pair.old, pair.new);
    Diagnostic::error(DUPLICATE, span, message).help("convert each pattern to one of its own")
}
