//! Release job specs: the links that a job provides and consumes, and its properties.

mod check;
mod specs;

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Span};
use links::{Declared, Named, Scope};
use syntax::{Node, NodeData};

use crate::{codes, reporter::Reporter, shape::kind, sort::release_and_job, value};

pub(crate) use check::scope;
pub(crate) use specs::Specs;

/// A release job.
#[derive(Debug)]
pub(crate) struct JobSpec {
    /// Its release, if the file's name contains it.
    pub(crate) release: Option<Arc<str>>,
    /// Its name.
    pub(crate) name: Arc<str>,
    /// The place of its name.
    pub(crate) span: Span,
    /// The links it provides.
    pub(crate) provides: Vec<Provides>,
    /// The links it consumes.
    pub(crate) consumes: Vec<Consumes>,
    /// Its properties by dotted path.
    pub(crate) properties: BTreeMap<Arc<str>, Declared>,
}

/// A link that a job provides.
#[derive(Clone, Debug)]
pub(crate) struct Provides {
    pub(crate) name: Named,
    pub(crate) link_type: Named,
    /// The properties it lists.
    pub(crate) listed: Vec<Named>,
}

/// A link that a job consumes.
#[derive(Clone, Debug)]
pub(crate) struct Consumes {
    pub(crate) name: Named,
    pub(crate) link_type: Named,
    pub(crate) optional: bool,
    pub(crate) scope: Scope,
}

impl JobSpec {
    /// Reads a spec. Invalid links are reported and left out.
    pub(crate) fn read(file: &str, root: &Node, reporter: &mut Reporter) -> Option<Self> {
        if root.as_mapping().is_none() && !matches!(root.data, NodeData::Null) {
            let message = format!("a job spec must be a map, not {}", kind(root));
            reporter.push(Diagnostic::error(codes::SPEC, root.span, message));
            return None;
        }
        let (release, name, span) = named(file, root, reporter)?;
        let provides = check::provides(&name, root, reporter);
        let consumes = check::consumes(&name, root, reporter);
        Some(Self { release, name, span, provides, consumes, properties: properties(root, reporter) })
    }

    /// The properties that a list of paths can refer to: those of that name, and those below.
    pub(crate) fn declared(&self, listed: &[Named]) -> BTreeMap<Arc<str>, Declared> {
        let mut declared = BTreeMap::new();
        for path in listed {
            let from = self.properties.range(Arc::clone(&path.text)..);
            let of = from.take_while(|(name, _)| name.starts_with(&*path.text));
            let is_it =
                |name: &str| name.len() == path.text.len() || name[path.text.len()..].starts_with('.');
            for (name, it) in of.filter(|(name, _)| is_it(name)) {
                declared.insert(Arc::clone(name), it.clone());
            }
        }
        declared
    }
}

/// The release, the name, and its place. The file's name has precedence.
fn named(file: &str, root: &Node, reporter: &mut Reporter) -> Option<(Option<Arc<str>>, Arc<str>, Span)> {
    let written = reporter.text(root, "name");
    let Some((release, job)) = release_and_job(file) else {
        let name = written.or_else(|| reporter.name(root, "a job spec"))?;
        return Some((None, name.text, name.span));
    };
    let span = written.as_ref().map_or(root.span, |it| it.span);
    let got = written.as_ref().map_or("", |it| &it.text);
    if got != job {
        let director = format!("Inconsistent name for job '{job}'(exptected: '{job}', got: '{got}')");
        let own = match &written {
            Some(_) => format!("the spec of `{job}` has the name `{got}`"),
            None => format!("the spec of `{job}` has no `name`"),
        };
        let found = reporter.error(codes::SPEC, span, director, own);
        let found = match got {
            "" => found.help(format!("write `name: {job}`")),
            _ => found.help(format!("write `name: {job}`, or name the file `{release}__{got}.yml`")),
        };
        reporter.push(match &written {
            Some(it) => found.replace(format!("Change to `{job}`"), it.span, job),
            None => found,
        });
    }
    Some((Some(release.into()), job.into(), span))
}

fn properties(root: &Node, reporter: &mut Reporter) -> BTreeMap<Arc<str>, Declared> {
    let mut properties = BTreeMap::new();
    for entry in &reporter.map(root, "properties").entries {
        let default = reporter.key(&entry.value, "default").map(|it| value::default(&it.value));
        properties.insert(Arc::clone(&entry.key), Declared { default });
    }
    properties
}
