use std::sync::Arc;

use diag::{Code, Diagnostic, Diagnostics, Span, nearest};
use syntax::{Mapping, Node, NodeData};

use super::{
    call::{Argument, Call},
    fields::{Fields, text},
};
use crate::{Installed, Request, Requirement, RequirementOrigin, range::Range, version::Version};

/// A constraint that there is not.
const UNKNOWN_CONSTRAINT: Code = Code("catalog/unknown-constraint");
/// A call that is written wrongly.
const CALL: Code = Code("catalog/call");
/// A range of versions that cannot be read.
const RANGE: Code = Code("catalog/range");
/// A version that cannot be read.
const VERSION: Code = Code("catalog/version");
/// What is said twice.
const TWICE: Code = Code("catalog/said-twice");

const NAMES: [&str; 3] = ["required", "installed", "runtime"];

/// A value and where it is written; whether a text in quotes may take its place.
#[derive(Clone, Debug)]
struct Said {
    text: Arc<str>,
    span: Span,
    is_replaceable: bool,
}

impl From<(Arc<str>, Span)> for Said {
    fn from((text, span): (Arc<str>, Span)) -> Self {
        Self { text, span, is_replaceable: true }
    }
}

impl From<&Argument> for Said {
    fn from(it: &Argument) -> Self {
        Self { text: it.text.clone(), span: it.span, is_replaceable: it.is_replaceable }
    }
}

/// Reads one item of `constraints`: a call or a map of one key.
pub(super) fn read(item: &Node, source: &str, request: &mut Request, found: &mut Diagnostics) {
    let mut reader = Reader { source, request, found, whole: item.span };
    match &item.data {
        NodeData::Mapping(mapping) => reader.mapping(mapping, item.span),
        _ => match Call::read(item, source) {
            Ok(call) => reader.call(&call, item.span),
            Err(message) => {
                let help = "write `required(\"name\", \">= 1.0.0\", \"channel\")`, or a map with the key `required`";
                reader.found.push(Diagnostic::error(CALL, item.span, message).help(help));
            }
        },
    }
}

struct Reader<'r, 'd> {
    source: &'r str,
    request: &'r mut Request,
    found: &'d mut Diagnostics,
    whole: Span,
}

impl Reader<'_, '_> {
    fn call(&mut self, call: &Call, span: Span) {
        let most = match &*call.name {
            "required" => 4,
            "installed" => 3,
            "runtime" => 2,
            name => return self.unknown(name, span),
        };
        if call.arguments.len() > most {
            let message = format!("`{}` takes at most {most} arguments, and this has {}", call.name, call.arguments.len());
            self.found.push(Diagnostic::error(CALL, span, message));
        }
        let said = |at: usize| call.arguments.get(at).map(Said::from).filter(|it| !it.text.is_empty());
        match &*call.name {
            "required" => {
                let Some(name) = self.first(call, "the package's name", said(0)) else { return };
                self.required(name, said(1), said(2).into_iter().collect(), said(3));
            }
            "installed" => {
                let Some(name) = self.first(call, "the package's name", said(0)) else { return };
                let Some(version) = self.first(call, "the version", said(1)) else { return };
                self.installed(name, &version, said(2), None);
            }
            _ => {
                let Some(what) = self.first(call, "`openshift` or `kubernetes`", said(0)) else { return };
                let Some(version) = self.first(call, "the version", said(1)) else { return };
                self.runtime(&what, &version);
            }
        }
    }

    fn first(&mut self, call: &Call, what: &str, said: Option<Said>) -> Option<Said> {
        if said.is_none() {
            let message = format!("`{}` needs {what}", call.name);
            self.found.push(Diagnostic::error(CALL, self.whole, message));
        }
        said
    }

    fn mapping(&mut self, mapping: &Mapping, span: Span) {
        let Some(entry) = mapping.entries.iter().find(|it| NAMES.contains(&&*it.key)).or(mapping.entries.first()) else {
            self.found.push(Diagnostic::error(CALL, span, "this is no constraint: the map is empty"));
            return;
        };
        let name = &*entry.key;
        let Some(what) = NAMES.iter().find(|it| **it == name).map(|it| shown(it)) else {
            return self.unknown(name, entry.key_span);
        };
        let mut found = std::mem::take(self.found);
        // `required:` with its fields beside it, as the proposal prints it, is the same as with them below.
        let fields = match &entry.value.data {
            NodeData::Null => Some(Fields::of(mapping, &[name], span, what, &mut found)),
            _ => Fields::new(&entry.value, what, &mut found),
        };
        let is_inside = !matches!(entry.value.data, NodeData::Null);
        let said = fields.and_then(|it| self.fields(name, it));
        self.found.append(&mut found);
        if is_inside {
            let mut others = Fields::of(mapping, &[name], span, "a constraint", self.found);
            others.only(&[]);
        }
        if let Some(say) = said {
            say(self);
        }
    }

    /// What is said by the fields of a map; they are all read before anything is said.
    fn fields<'s>(&mut self, name: &str, mut fields: Fields<'_, '_>) -> Option<Box<dyn FnOnce(&mut Reader<'_, '_>) + 's>> {
        let source = self.source;
        let said = |it: Option<(Arc<str>, Span)>| it.map(Said::from);
        match name {
            "required" => {
                fields.only(&["name", "versionRange", "channel", "channels", "source", "startingBundle", "upgrades"]);
                let (range, source_name) = (said(fields.text("versionRange", source)), said(fields.text("source", source)));
                let listed = fields.list("channels").iter().filter_map(|it| Some((text(it, source)?, it.span).into()));
                let mut channels: Vec<Said> = listed.collect();
                channels.extend(said(fields.text("channel", source)));
                let starting = fields.text("startingBundle", source);
                let any = fields.text("upgrades", source).is_some_and(|(it, _)| &*it == "any");
                let name = Said::from(fields.needed("name", source)?);
                Some(Box::new(move |it: &mut Reader<'_, '_>| {
                    it.required(name, range, channels, source_name);
                    if let Some(last) = it.request.requirements.last_mut() {
                        last.starting = starting.map(|(name, _)| name);
                        last.any_upgrade = any;
                    }
                }))
            }
            "installed" => {
                fields.only(&["name", "version", "channel", "bundle", "properties"]);
                let (channel, bundle) = (said(fields.text("channel", source)), fields.text("bundle", source));
                let (name, version) = (fields.needed("name", source), fields.needed("version", source));
                let properties = fields.get("properties").cloned();
                let (name, version) = (Said::from(name?), Said::from(version?));
                Some(Box::new(move |it: &mut Reader<'_, '_>| {
                    it.installed(name, &version, channel, bundle.map(|(name, _)| name));
                    it.described(properties);
                }))
            }
            _ => {
                fields.only(&["openshift", "kubernetes"]);
                let named = ["openshift", "kubernetes"].map(|key| (key, said(fields.text(key, source))));
                Some(Box::new(move |it: &mut Reader<'_, '_>| {
                    for (key, version) in named {
                        let Some(version) = version else { continue };
                        it.runtime(&Said { text: key.into(), ..version.clone() }, &version);
                    }
                }))
            }
        }
    }

    fn required(&mut self, name: Said, range: Option<Said>, channels: Vec<Said>, catalog: Option<Said>) {
        let read = range.as_ref().map(|it| self.range(it));
        let place = |it: &Said| it.is_replaceable.then_some(it.span);
        let origin = RequirementOrigin {
            whole: Some(self.whole),
            range: range.as_ref().and_then(place),
            channel: channels.first().and_then(place).filter(|_| channels.len() == 1),
        };
        let same = self.request.requirements.iter().filter(|it| it.package == name.text).count();
        let shown = if same == 0 { name.text.clone() } else { format!("{} ({})", name.text, same + 1).into() };
        self.request.requirements.push(Requirement {
            name: shown,
            package: name.text,
            range: read,
            channels: channels.into_iter().map(|it| it.text).collect(),
            catalog: catalog.map(|it| it.text),
            starting: None,
            any_upgrade: false,
            origin,
        });
    }

    fn range(&mut self, said: &Said) -> Range {
        let dialect = self.request.profile.dialect();
        Range::parse(&said.text, dialect).unwrap_or_else(|why| {
            let message = format!("desired version range \"{}\" is invalid: {why}", said.text);
            self.found.push(Diagnostic::error(RANGE, said.span, message));
            Range::unreadable(said.text.clone(), dialect)
        })
    }

    fn installed(&mut self, name: Said, version: &Said, channel: Option<Said>, bundle: Option<Arc<str>>) {
        let Some(version) = self.version(version) else { return };
        self.request.installed.push(Installed {
            package: name.text,
            version,
            bundle,
            channel: channel.map(|it| it.text),
            described: None,
            origin: Some(self.whole),
        });
    }

    fn described(&mut self, properties: Option<Node>) {
        let _ = properties;
    }

    fn version(&mut self, said: &Said) -> Option<Version> {
        match Version::parse_tolerant(&said.text) {
            Ok(version) => Some(version),
            Err(why) => {
                let message = format!("version \"{}\" is invalid: {why}", said.text);
                self.found.push(Diagnostic::error(VERSION, said.span, message));
                None
            }
        }
    }

    fn runtime(&mut self, what: &Said, version: &Said) {
        let runtime = &self.request.runtime;
        let is_there = match &*what.text {
            "openshift" => runtime.openshift.is_some(),
            "kubernetes" => runtime.kubernetes.is_some(),
            other => {
                let message = format!("there is no runtime `{other}`");
                self.found.push(Diagnostic::error(UNKNOWN_CONSTRAINT, what.span, message).help("there are openshift and kubernetes"));
                return;
            }
        };
        if is_there {
            let message = format!("the version of {} is said twice, and the first one counts", what.text);
            self.found.push(Diagnostic::warning(TWICE, version.span, message));
            return;
        }
        let Some(read) = self.version(version) else { return };
        self.request.runtime.origin.get_or_insert(self.whole);
        match &*what.text {
            "openshift" => self.request.runtime.openshift = Some((read.major, read.minor)),
            _ => self.request.runtime.kubernetes = Some(read),
        }
    }

    fn unknown(&mut self, name: &str, span: Span) {
        let found = Diagnostic::error(UNKNOWN_CONSTRAINT, span, format!("there is no constraint `{name}`"));
        self.found.push(match nearest(name, NAMES) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help(format!("there are {}", NAMES.join(", "))),
        });
    }
}

fn shown(name: &str) -> &'static str {
    match name {
        "required" => "`required`",
        "installed" => "`installed`",
        _ => "`runtime`",
    }
}
