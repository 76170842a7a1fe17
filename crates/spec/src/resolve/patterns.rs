use std::collections::BTreeMap;

use diag::{Diagnostic, Diagnostics};
use names::{IdPattern, Pattern, PatternError, Patterns, Segment};

use super::Input;
use crate::{
    KindId, RegionScope, Services,
    codes::{AMBIGUOUS_PATTERN, LIMIT, NO_EFFECT, PARENT_CYCLE, PATTERN, SLASH_IN_ID},
    words::snake,
};

/// Deeper than any real kind is (5), and not so deep that a hostile specification overflows the stack.
const MAX_DEPTH: usize = 64;

/// More names than any real kind has (6), and few enough that a hostile specification costs nothing.
const MAX_PATTERNS: usize = 256;

/// The segment of a region.
const REGIONS: &str = "regions";
const REGION: &str = "region";

/// Computes the patterns of all kinds: for each parent all its patterns, then the region, then the kind itself
/// (source: Goten's guide, Goten's tools).
pub(super) fn compute(inputs: &[&Input], services: &mut Services, report: &mut Diagnostics) {
    let mut computed = BTreeMap::new();
    let ids: Vec<KindId> = services.kinds().map(|(id, _)| id).collect();
    for id in &ids {
        let mut path = Vec::new();
        of_kind(*id, &mut path, &mut computed, inputs, services, report);
    }
    for id in ids {
        let patterns = computed.remove(&id).unwrap_or_default();
        let patterns = patterns.into_iter().filter_map(|it| build(id, it, services, report)).collect();
        let patterns = Patterns(patterns);
        check(id, &patterns, services, report);
        if let Some(kind) = services.services.get_mut(id.service).and_then(|it| it.kinds.get_mut(id.kind)) {
            kind.patterns = patterns;
        }
    }
}

/// A pattern, or a diagnostic at the kind. A kind without a name has none, and that is reported when it is read.
fn build(id: KindId, names: Names, services: &Services, report: &mut Diagnostics) -> Option<Pattern> {
    let kind = services.kind(id)?;
    match names.pattern {
        Ok(pattern) => Some(pattern),
        Err(_) if kind.name.is_empty() => None,
        Err(error) => {
            let message = format!("`{}` has no valid pattern of names", kind.name);
            report.push(Diagnostic::error(PATTERN, kind.span, message).help(error.help()));
            None
        }
    }
}

/// Names of a kind. Their pattern shares those above it, which keeps deep kinds cheap.
#[derive(Clone)]
struct Names {
    /// Or what is wrong with the first segment that cannot be.
    pattern: Result<Pattern, PatternError>,
    has_region: bool,
}

type Computed = BTreeMap<KindId, Vec<Names>>;

/// Depth first along parents; `path` are the kinds whose patterns are being computed.
fn of_kind(
    id: KindId,
    path: &mut Vec<KindId>,
    computed: &mut Computed,
    inputs: &[&Input],
    services: &Services,
    report: &mut Diagnostics,
) -> Vec<Names> {
    if let Some(done) = computed.get(&id) {
        return done.clone();
    }
    if let Some(begin) = path.iter().position(|it| *it == id) {
        report.extend(cycle(path.get(begin..).unwrap_or_default(), inputs, services));
        return Vec::new();
    }
    let Some(kind) = services.kind(id) else { return Vec::new() };
    if path.len() == MAX_DEPTH {
        let message = format!("`{}` is more than {MAX_DEPTH} parents deep", kind.name);
        report.push(Diagnostic::error(LIMIT, kind.span, message).help("leave parents out"));
        return Vec::new();
    }
    path.push(id);
    let mut patterns = Vec::new();
    // A kind without parents, or whose parents could not be found, has names all the same.
    let parents: &[Option<KindId>] = if kind.parents.is_empty() { &[None] } else { &kind.parents };
    for parent in parents {
        match parent {
            Some(parent) => {
                let above = of_kind(*parent, path, computed, inputs, services, report);
                patterns.extend(above.iter().flat_map(|it| below(id, Some(it), services)));
            }
            None => patterns.extend(below(id, None, services)),
        }
    }
    path.pop();
    if patterns.len() > MAX_PATTERNS {
        let message =
            format!("`{}` has {} patterns of names, more than {MAX_PATTERNS}", kind.name, patterns.len());
        report.push(Diagnostic::error(LIMIT, kind.span, message).help("leave parents out"));
        patterns.truncate(MAX_PATTERNS);
    }
    computed.insert(id, patterns.clone());
    patterns
}

/// The names of a kind below those of one of its parents, or at the root.
fn below(id: KindId, above: Option<&Names>, services: &Services) -> Vec<Names> {
    let Some(kind) = services.kind(id) else { return Vec::new() };
    let own = Segment::new(&*kind.collection, snake(&kind.name), kind.id_pattern.clone());
    let region = Segment::new(REGIONS, REGION, IdPattern::region());
    let plain = || append(above, own.clone());
    let regional = || append(Some(&append(above, region.clone())), own.clone());
    match kind.region {
        RegionScope::None => vec![plain()],
        // An attribute that is inherited is not repeated.
        _ if above.is_some_and(|it| it.has_region) => vec![plain()],
        RegionScope::Required => vec![regional()],
        // Without a parent there is only the name without region.
        RegionScope::Optional if above.is_none() => vec![plain()],
        RegionScope::Optional => vec![plain(), regional()],
    }
}

fn append(above: Option<&Names>, segment: Segment) -> Names {
    let is_region = &*segment.collection == REGIONS && &*segment.variable == REGION;
    Names {
        has_region: is_region || above.is_some_and(|it| it.has_region),
        pattern: match above {
            Some(above) => above.pattern.clone().and_then(|it| it.child(segment)),
            None => Pattern::new(vec![segment]),
        },
    }
}

fn cycle(kinds: &[KindId], inputs: &[&Input], services: &Services) -> Option<Diagnostic> {
    let first = *kinds.first()?;
    let last = *kinds.last()?;
    let name = |it: &KindId| services.type_name(*it);
    let names: Vec<String> = kinds.iter().chain([&first]).map(name).collect();
    let resource = inputs.get(last.service)?.skeleton.resources.get(last.kind)?;
    let parent = resource.parents.iter().find(|it| services.find(last.service, &it.value) == Some(first))?;
    let message = format!("a resource is its own ancestor: {}", names.join(" below "));
    Some(Diagnostic::error(PARENT_CYCLE, parent.span, message).help("leave this parent out"))
}

fn check(id: KindId, patterns: &Patterns, services: &Services, report: &mut Diagnostics) {
    let Some(kind) = services.kind(id) else { return };
    for (first, second) in patterns.ambiguous() {
        let (Some(first), Some(second)) = (patterns.0.get(first), patterns.0.get(second)) else { continue };
        let message =
            format!("names of `{}` can follow `{}` and `{}`", kind.name, first.text(), second.text());
        let help = "give the kinds on the way different collections, or leave one of the parents out";
        report.push(Diagnostic::warning(AMBIGUOUS_PATTERN, kind.span, message).help(help));
    }
    if let Some(above) = patterns.0.iter().find_map(Pattern::slash_above) {
        let message = format!(
            "ids of `{}` may contain `/` and are followed by `{}`, so a name can be read in several ways",
            above.variable, kind.collection
        );
        let help = "leave `/` out of the pattern of its ids; until then the longest id that fits is taken";
        report.push(Diagnostic::warning(SLASH_IN_ID, kind.span, message).help(help));
    }
    if kind.region == RegionScope::Optional && kind.parents.iter().all(Option::is_none) {
        let message = format!("`{}` has no parent, so its names have no region", kind.name);
        report.push(
            Diagnostic::hint(NO_EFFECT, kind.span, message).help("require the region, or leave it out"),
        );
    }
}
