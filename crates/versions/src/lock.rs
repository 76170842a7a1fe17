//! The chosen versions, as they are recorded in `planloom.lock`.

use std::{collections::BTreeMap, sync::Arc};

use catalog::{Profile, range::Range, version::Version};
use diag::{Diagnostic, Diagnostics, FileId, Span, order};
use links::Named;
use lower::PackageRequest;
use syntax::{Entry, Mapping, Node, NodeData};

use crate::{
    chosen::{map, text},
    codes, integrity,
};

/// The format of a lock file.
pub(crate) const FORMAT: &str = "planloom.lock/1";

/// The name of a lock file.
pub(crate) const NAME: &str = "planloom.lock";

const KEYS: [&str; 8] =
    ["version", "bundle", "catalog", "channel", "image", "wanted_by", "properties", integrity::KEY];
/// The keys of the root.
const ROOT_KEYS: [&str; 3] = ["format", "profile", "packages"];

/// The chosen bundles, by package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    /// The profile by which they were chosen.
    pub(crate) profile: Option<Profile>,
    pub(crate) packages: BTreeMap<Arc<str>, LockedBundle>,
}

/// A bundle that was chosen.
#[derive(Clone, Debug)]
pub(crate) struct LockedBundle {
    pub(crate) package: Arc<str>,
    /// The version as it is written, with its release if it has one.
    pub(crate) text: Arc<str>,
    /// The parsed version; `None` if it cannot be read.
    pub(crate) version: Option<Version>,
    pub(crate) bundle: Arc<str>,
    pub(crate) catalog: Arc<str>,
    pub(crate) channel: Arc<str>,
    pub(crate) image: Arc<str>,
    /// The payloads and packages that required it.
    pub(crate) wanted_by: Vec<Arc<str>>,
    pub(crate) properties: Option<Node>,
    /// The place of the package's key.
    pub(crate) span: Span,
    /// The place of the version's text.
    pub(crate) version_span: Span,
    /// The place of the image's text, if the lock has one.
    pub(crate) image_span: Option<Span>,
}

impl LockedBundle {
    /// True if it satisfies a requirement; a range that cannot be read excludes nothing here, because it is
    /// reported where requests are made.
    pub(crate) fn meets(&self, required: &PackageRequest, profile: Profile) -> bool {
        let range = required.version.as_ref().map(|it| Range::parse(&it.text, profile.dialect()));
        let is_same = |said: &Option<Named>, own: &str| said.as_ref().is_none_or(|it| *it.text == *own);
        *required.package.text == *self.package
            && range
                .and_then(Result::ok)
                .is_none_or(|it| self.version.as_ref().is_some_and(|own| it.contains(own)))
            && is_same(&required.channel, &self.channel)
            && is_same(&required.catalog, &self.catalog)
    }
}

/// True if a document is a lock file.
pub(crate) fn is_lock(root: &Node) -> bool {
    root.get("format").and_then(Node::as_str).is_some_and(|it| it.starts_with("planloom.lock/"))
}

/// Reads a lock file. Errors are reported, and the invalid parts are ignored.
pub(crate) fn read(root: &Node, diagnostics: &mut Diagnostics) -> Lock {
    let format = root.get("format");
    if format.and_then(Node::as_str) != Some(FORMAT) {
        let message = format!("the format of this lock file is not `{FORMAT}`");
        let span = format.map_or(Span { end: root.span.start, ..root.span }, |it| it.span);
        diagnostics.push(Diagnostic::error(codes::LOCK, span, message).help(WRITE_AGAIN));
        return Lock::default();
    }
    if let Some(unknown) = root.as_mapping().and_then(|it| unknown_key(it, &ROOT_KEYS)) {
        let message = format!("unknown key `{}` in a lock file", unknown.key);
        diagnostics.push(Diagnostic::error(codes::LOCK, unknown.key_span, message).help(WRITE_AGAIN));
    }
    let said = root.get("profile").and_then(Node::as_str);
    let profile = said.and_then(Profile::of_name);
    let packages = root.get("packages").and_then(Node::as_mapping).map_or(&[][..], |it| &it.entries);
    let is_checked = integrity::is_checked(packages);
    diagnostics.extend(integrity::unchecked(packages));
    diagnostics.extend(integrity::incomplete(packages));
    let locked = packages.iter().filter_map(|entry| match integrity::changed(said, entry, is_checked) {
        Some(found) => {
            diagnostics.push(found);
            None
        }
        None => read_one(entry, diagnostics),
    });
    Lock { profile, packages: order::map(locked.map(|it| (Arc::clone(&it.package), it))) }
}

const WRITE_AGAIN: &str = "remove the file and write it again with `planloom resolve --lock`";

fn read_one(entry: &Entry, diagnostics: &mut Diagnostics) -> Option<LockedBundle> {
    let found = entry.value.as_mapping().and_then(|it| read_entry(entry, it));
    if let Some(unknown) = entry.value.as_mapping().and_then(|it| unknown_key(it, &KEYS)) {
        let message = format!("unknown key `{}` in the lock of `{}`", unknown.key, entry.key);
        diagnostics.push(Diagnostic::warning(codes::LOCK, unknown.key_span, message).help(WRITE_AGAIN));
    }
    if found.is_none() {
        let message = format!("the lock of `{}` has no valid `version`", entry.key);
        diagnostics.push(Diagnostic::error(codes::LOCK, entry.key_span, message).help(WRITE_AGAIN));
    }
    found
}

fn unknown_key<'m>(mapping: &'m Mapping, known: &[&str]) -> Option<&'m Entry> {
    mapping.entries.iter().find(|it| !known.contains(&&*it.key))
}

fn read_entry(entry: &Entry, mapping: &Mapping) -> Option<LockedBundle> {
    let text = |key: &str| mapping.get(key).and_then(Node::as_str).map_or_else(|| "".into(), Arc::from);
    let version = mapping.get("version")?;
    let wanted_by = mapping.get("wanted_by").and_then(Node::as_sequence).unwrap_or_default();
    Some(LockedBundle {
        package: Arc::clone(&entry.key),
        text: version.as_str()?.into(),
        version: Some(Version::parse(version.as_str()?).ok()?),
        bundle: text("bundle"),
        catalog: text("catalog"),
        channel: text("channel"),
        image: text("image"),
        wanted_by: wanted_by.iter().filter_map(|it| it.as_str().map(Arc::from)).collect(),
        properties: mapping.get("properties").cloned(),
        span: entry.key_span,
        version_span: version.span,
        image_span: mapping.get("image").map(|it| it.span),
    })
}

const HEADER: &str =
    "# Which versions were chosen. `planloom resolve --lock` writes it; keep it with the descriptors.\n";

/// The text of a lock file.
pub(crate) fn write(profile: Profile, packages: &BTreeMap<Arc<str>, LockedBundle>) -> String {
    let span = Span::at(FileId(0), 0);
    let entries = packages.values().map(|it| (Arc::clone(&it.package), node(it)));
    let root = [
        ("format".into(), text(FORMAT.into(), span)),
        ("profile".into(), text(profile.name().into(), span)),
        ("packages".into(), map(entries, span)),
    ];
    format!("{HEADER}{}", syntax::emit(&integrity::with_checksums(&map(root, span))))
}

fn node(locked: &LockedBundle) -> Node {
    let span = locked.span;
    let words = [
        ("version", &locked.text),
        ("bundle", &locked.bundle),
        ("catalog", &locked.catalog),
        ("channel", &locked.channel),
        ("image", &locked.image),
    ];
    let words = words.into_iter().filter(|(_, it)| !it.is_empty());
    let words = words.map(|(key, it)| (key.into(), text(Arc::clone(it), span)));
    let by = locked.wanted_by.iter().map(|it| text(Arc::clone(it), span)).collect();
    let by = ("wanted_by".into(), Node::new(NodeData::Sequence(Arc::new(by)), span));
    let has_any = |it: &&Node| it.as_mapping().is_some_and(|it| !it.entries.is_empty());
    let properties = locked.properties.iter().filter(has_any).map(|it| ("properties".into(), it.clone()));
    map(words.chain([by]).chain(properties), span)
}
