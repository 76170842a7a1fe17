//! Checks that a lock was not changed: by the checksum of each entry, and by comparison with the catalogs.

use std::{fmt::Write, sync::Arc};

use diag::{Diagnostic, Diagnostics, FileId, Span, order};
use sha2::{Digest, Sha256};
use syntax::{Entry, Limits, Mapping, Node, NodeData};

use crate::{
    catalog_set::CatalogSet,
    chosen::text,
    codes,
    lock::{Lock, LockedBundle},
};

/// The key of an entry's checksum.
pub(super) const KEY: &str = "checksum";

const REWRITE: &str = "undo the change, or remove this entry and write it again: `planloom resolve FILES \
                       --catalog FILE --lock`";

/// The error that an entry was changed after it was written. One without a checksum is accepted only where none has one
/// (see [`unchecked`]).
pub(super) fn changed(profile: Option<&str>, entry: &Entry, is_checked: bool) -> Option<Diagnostic> {
    let found = |why: &str| {
        let message = format!("the lock of `{}` was changed after it was written: {why}", entry.key);
        Diagnostic::error(codes::LOCK_CHANGED, entry.key_span, message).help(REWRITE)
    };
    match entry.value.get(KEY) {
        None => is_checked.then(|| found("it has no checksum, and others have one")),
        Some(own) if own.as_str() == Some(&*checksum(profile, entry)) => None,
        Some(own) => Some(found("its checksum does not match").related(own.span, "the checksum")),
    }
}

/// True if the entries of a lock have checksums.
pub(super) fn is_checked(packages: &[Entry]) -> bool {
    packages.iter().any(|it| it.value.get(KEY).is_some())
}

/// The warning that no entry has a checksum, as in a lock that a person has written.
pub(super) fn unchecked(packages: &[Entry]) -> Option<Diagnostic> {
    let first = packages.first().filter(|_| !is_checked(packages))?;
    let message = "this lock has no checksums, so a change to it cannot be noticed";
    let help = "write it again: `planloom resolve FILES --catalog FILE --lock`";
    Some(Diagnostic::warning(codes::LOCK_UNCHECKED, first.key_span, message).help(help))
}

/// The errors that packages which a locked one requires are not in the lock: an entry was removed.
pub(super) fn incomplete(packages: &[Entry]) -> Diagnostics {
    let is_locked = |name: &str| packages.iter().any(|it| &*it.key == name);
    let mut missing = Diagnostics::new();
    for entry in packages {
        let required = entry.value.get("properties").and_then(|it| it.get("olm.package.required"));
        // Several properties of one type are a list.
        let required = required.map(|it| it.as_sequence().unwrap_or(std::slice::from_ref(it)));
        for one in required.unwrap_or_default() {
            let Some(node) = one.get("packageName") else { continue };
            if let Some(name) = node.as_str().filter(|it| !is_locked(it)) {
                let message = format!("`{}` requires the package `{name}`, which is not locked", entry.key);
                missing.push(Diagnostic::error(codes::LOCK_INCOMPLETE, node.span, message).help(REWRITE_ALL));
            }
        }
    }
    missing
}

const REWRITE_ALL: &str = "write the lock again: `planloom resolve FILES --catalog FILE --lock`";

/// The root of a lock with a checksum in each entry.
///
/// They are computed from what is read back, so that they match however the values are written.
pub(super) fn with_checksums(root: &Node) -> Node {
    let written = syntax::emit(root);
    let read = syntax::parse(FileId(0), &written, &Limits::default()).document.root;
    let read = read.as_ref().unwrap_or(root);
    let profile = read.get("profile").and_then(Node::as_str);
    let read = read.get("packages").and_then(Node::as_mapping).map_or(&[][..], |it| &it.entries);
    let mut root = root.clone();
    for (entry, read) in packages(&mut root).iter_mut().zip(read) {
        let span = entry.value.span;
        let value = text(checksum(profile, read).into(), span);
        if let NodeData::Mapping(mapping) = &mut entry.value.data {
            let entries = &mut Arc::make_mut(mapping).entries;
            entries.push(Entry { key: KEY.into(), key_span: span, value });
        }
    }
    root
}

fn packages(root: &mut Node) -> &mut [Entry] {
    let NodeData::Mapping(mapping) = &mut root.data else { return &mut [] };
    let entries = &mut Arc::make_mut(mapping).entries;
    let packages = entries.iter_mut().find(|it| &*it.key == "packages").map(|it| &mut it.value.data);
    match packages {
        Some(NodeData::Mapping(mapping)) => &mut Arc::make_mut(mapping).entries,
        _ => &mut [],
    }
}

/// The checksum of the package's name, the profile by which it was chosen, and the whole entry. Each entry
/// has its own, so that branches of a repository that lock different packages can be merged.
fn checksum(profile: Option<&str>, entry: &Entry) -> String {
    let mut all = words(profile.unwrap_or_default()) + &words(&entry.key);
    match entry.value.as_mapping() {
        Some(mapping) => map(mapping, &mut all),
        None => value(&entry.value, &mut all),
    }
    let digest = Sha256::digest(all);
    digest.iter().fold("sha256:".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// A value in canonical form: independent of the order of keys and the kind of quotes.
fn value(node: &Node, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match &node.data {
        NodeData::Null => write!(out, "null"),
        NodeData::Bool(it) => write!(out, "{it}"),
        NodeData::Int(it) => write!(out, "{it}"),
        NodeData::Float(it) => write!(out, "{it:?}"),
        NodeData::String(it, _) => write!(out, "{}", words(it)),
        NodeData::Sequence(items) => {
            out.push('[');
            items.iter().for_each(|it| {
                value(it, out);
                out.push(',');
            });
            write!(out, "]")
        }
        NodeData::Mapping(mapping) => {
            map(mapping, out);
            Ok(())
        }
    };
}

/// A text with its length before it, so that the result is unambiguous.
fn words(text: &str) -> String {
    format!("{}:{text} ", text.len())
}

fn map(mapping: &Mapping, out: &mut String) {
    let mut entries: Vec<&Entry> = mapping.entries.iter().filter(|it| &*it.key != KEY).collect();
    order::by(&mut entries, |one, other| one.key.cmp(&other.key));
    out.push('{');
    for entry in entries {
        out.push_str(&words(&entry.key));
        value(&entry.value, out);
        out.push(',');
    }
    out.push('}');
}

/// Reports the entries with another image than the one that the catalog has for their bundle.
pub(crate) fn compare(lock: &Lock, catalogs: &CatalogSet) -> Diagnostics {
    lock.packages.values().filter_map(|it| other_image(it, catalogs)).collect()
}

fn other_image(locked: &LockedBundle, catalogs: &CatalogSet) -> Option<Diagnostic> {
    let catalog = catalogs.catalogs.iter().find(|it| it.name == locked.catalog)?;
    let bundle = catalog.packages.get(&locked.package)?.bundles.get(&locked.bundle)?;
    if locked.image.is_empty() || bundle.image == locked.image {
        return None;
    }
    let message = format!(
        "`{}` is locked to the image `{}`, but the catalog `{}` has `{}` for `{}`",
        locked.package, locked.image, locked.catalog, bundle.image, locked.bundle
    );
    let found = Diagnostic::error(codes::LOCK_IMAGE, image_span(locked), message);
    let help = "check which of the two is right; if it is the catalog, remove this entry and write it \
                again: `planloom resolve FILES --catalog FILE --lock`";
    Some(found.related(bundle.origin, "the catalog's bundle").help(help))
}

fn image_span(locked: &LockedBundle) -> Span {
    locked.image_span.unwrap_or(locked.span)
}
