use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, Span};

use super::call::Argument;
use crate::{
    Bundle, Installed, Property, Request, Requirement, RequirementOrigin, codes, range::Range,
    version::Version,
};

/// A constraint, before ranges and versions are read.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Required {
        name: SpannedText,
        range: Option<SpannedText>,
        channels: Vec<SpannedText>,
        catalog: Option<SpannedText>,
        starting: Option<Arc<str>>,
        any_upgrade: bool,
    },
    Installed {
        name: SpannedText,
        version: SpannedText,
        channel: Option<SpannedText>,
        bundle: Option<Arc<str>>,
        described: Option<Vec<Property>>,
    },
    /// Properties of the cluster, with their versions.
    Runtime(Vec<(SpannedText, SpannedText)>),
}

/// A value and the place where it is written.
#[derive(Clone, Debug)]
pub(super) struct SpannedText {
    pub(super) text: Arc<str>,
    pub(super) span: Span,
    /// True if it can be replaced by a text in double quotes.
    pub(super) is_replaceable: bool,
}

impl From<(Arc<str>, Span)> for SpannedText {
    fn from((text, span): (Arc<str>, Span)) -> Self {
        Self { text, span, is_replaceable: true }
    }
}

impl From<&Argument> for SpannedText {
    fn from(it: &Argument) -> Self {
        Self { text: it.text.clone(), span: it.span, is_replaceable: it.is_replaceable }
    }
}

impl SpannedText {
    /// The place that an edit may replace.
    fn place(&self) -> Option<Span> {
        self.is_replaceable.then_some(self.span)
    }
}

/// Adds a statement to a request.
pub(super) fn add(statement: Statement, whole: Span, request: &mut Request, found: &mut Diagnostics) {
    match statement {
        Statement::Required { name, range, channels, catalog, starting, any_upgrade } => {
            let origin = RequirementOrigin {
                whole: Some(whole),
                package: name.place(),
                range: range.as_ref().and_then(SpannedText::place),
                channel: channels.first().and_then(SpannedText::place).filter(|_| channels.len() == 1),
            };
            let range = range.map(|it| read_range(&it, request, found));
            request.requirements.push(Requirement {
                name: own_name(&name.text, request),
                package: name.text,
                range,
                channels: channels.into_iter().map(|it| it.text).collect(),
                catalog: catalog.map(|it| it.text),
                starting,
                any_upgrade,
                origin,
            });
        }
        Statement::Installed { name, version, channel, bundle, described } => {
            let Some(version) = read_version(&version, found) else { return };
            let channel = channel.map(|it| it.text);
            let origin = Some(whole);
            let mut installed =
                Installed { package: name.text, version, bundle, channel, described: None, origin };
            installed.described =
                described.map(|properties| Arc::new(Bundle { properties, ..installed.stub() }));
            request.installed.push(installed);
        }
        Statement::Runtime(said) => {
            said.iter().for_each(|(what, version)| runtime(what, version, whole, request, found));
        }
    }
}

/// The name of a requirement: its package's name; the second and later ones for one package are numbered.
fn own_name(package: &Arc<str>, request: &Request) -> Arc<str> {
    let same = request.requirements.iter().filter(|it| it.package == *package).count();
    if same == 0 { package.clone() } else { format!("{package} ({})", same + 1).into() }
}

fn read_range(said: &SpannedText, request: &Request, found: &mut Diagnostics) -> Range {
    let dialect = request.profile.dialect();
    Range::parse(&said.text, dialect).unwrap_or_else(|why| {
        let message = format!("desired version range \"{}\" is invalid: {why}", said.text);
        found.push(Diagnostic::error(codes::RANGE, said.span, message));
        Range::unreadable(said.text.clone(), dialect, why)
    })
}

fn read_version(said: &SpannedText, found: &mut Diagnostics) -> Option<Version> {
    let read = Version::parse_tolerant(&said.text);
    let report = |why| {
        let message = format!("version \"{}\" is invalid: {why}", said.text);
        found.push(Diagnostic::error(codes::VERSION, said.span, message));
    };
    read.map_err(report).ok()
}

fn runtime(
    what: &SpannedText,
    version: &SpannedText,
    whole: Span,
    request: &mut Request,
    found: &mut Diagnostics,
) {
    let there = &mut request.runtime;
    let is_there = match &*what.text {
        "openshift" => there.openshift.is_some(),
        "kubernetes" => there.kubernetes.is_some(),
        other => {
            let message = format!("unknown runtime `{other}`");
            let error = Diagnostic::error(codes::UNKNOWN_CONSTRAINT, what.span, message);
            found.push(error.help("runtimes are openshift and kubernetes"));
            return;
        }
    };
    if is_there {
        let message = format!("the version of {} is set twice; the first one is used", what.text);
        found.push(Diagnostic::warning(codes::SAID_TWICE, version.span, message));
        return;
    }
    let Some(read) = read_version(version, found) else { return };
    there.origin.get_or_insert(whole);
    match &*what.text {
        "openshift" => there.openshift = Some((read.major, read.minor)),
        _ => there.kubernetes = Some(read),
    }
}
