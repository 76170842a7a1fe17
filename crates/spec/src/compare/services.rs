use super::{Change, ChangeClass, ChangeKind, Side};
use crate::version;

/// Adds the changes in the header.
pub(super) fn header(old: Side<'_>, new: Side<'_>, changes: &mut Vec<Change>) {
    let (Some(before), Some(after)) = (old.own(), new.own()) else { return };
    let prefix = |it: &Option<std::sync::Arc<str>>| it.clone().unwrap_or_default();
    let rows = [
        (ChangeKind::ServiceRenamed, ChangeClass::Breaking, before.name.clone(), after.name.clone()),
        (ChangeKind::PackageChanged, ChangeClass::Breaking, old.package(), new.package()),
        (
            ChangeKind::HostChanged,
            ChangeClass::Unlisted,
            before.default_host.clone(),
            after.default_host.clone(),
        ),
        (
            ChangeKind::HttpPrefixChanged,
            ChangeClass::Breaking,
            prefix(&before.http_prefix),
            prefix(&after.http_prefix),
        ),
    ];
    let changed = rows.into_iter().filter(|(_, _, before, after)| before != after);
    changes.extend(changed.map(|(kind, class, from, to)| {
        Change::new(kind, class, &*before.name).values(&*from, &*to).at(before.span, after.span)
    }));
}

/// Imports by name, in the versions that were given.
pub(super) fn imports(old: Side<'_>, new: Side<'_>, changes: &mut Vec<Change>) {
    let (before, after) = (of(old), of(new));
    for import in &before {
        match after.iter().find(|it| it.0 == import.0) {
            Some(found) => changes.extend(upgraded(*import, *found)),
            None => changes.push(
                Change::new(ChangeKind::ImportDropped, ChangeClass::Unlisted, import.0)
                    .values(import.1, "")
                    .at(import.2, None),
            ),
        }
    }
    for import in after.iter().filter(|it| before.iter().all(|other| other.0 != it.0)) {
        let change = Change::new(ChangeKind::ImportAdded, ChangeClass::Compatible, import.0);
        changes.push(change.values("", import.1).at(None, import.2));
    }
}

type Import<'a> = (&'a str, &'a str, Option<diag::Span>);

fn of(side: Side<'_>) -> Vec<Import<'_>> {
    let Some(own) = side.own() else { return Vec::new() };
    let imported = own.imports.iter().enumerate();
    imported
        .filter_map(|(at, it)| {
            let service = side.services.services.get(*it)?;
            Some((&*service.name, &*service.version, own.import_spans.get(at).copied()))
        })
        .collect()
}

fn upgraded(before: Import<'_>, after: Import<'_>) -> Option<Change> {
    let kind = match version::compare(before.1, after.1) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Less => ChangeKind::ImportUpgraded,
        std::cmp::Ordering::Greater => ChangeKind::ImportDowngraded,
    };
    Some(Change::new(kind, ChangeClass::Breaking, before.0).values(before.1, after.1).at(before.2, after.2))
}
