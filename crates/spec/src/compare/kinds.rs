use super::{Change, ChangeClass, ChangeKind, Side, pairs::KindPairs, parents};
use crate::{Kind, RegionScope};

/// Adds the changes in the kinds of resources.
pub(super) fn compare(pairs: &KindPairs<'_>, old: Side<'_>, new: Side<'_>, changes: &mut Vec<Change>) {
    changes.extend(pairs.changes.iter().cloned());
    for kind in &pairs.removed {
        let change = Change::new(ChangeKind::ResourceRemoved, ChangeClass::Breaking, &*kind.name);
        changes.push(change.values(patterns(kind).join(", "), "").at(kind.span, None));
    }
    for kind in &pairs.added {
        let change = Change::new(ChangeKind::ResourceAdded, ChangeClass::Compatible, &*kind.name);
        changes.push(change.values("", patterns(kind).join(", ")).at(None, kind.span));
    }
    for (before, after) in &pairs.both {
        names(before, after, changes);
        parents::compare((before, old), (after, new), pairs, changes);
        scope(before, after, changes);
        values(before, after, changes);
        opt_outs(before, after, changes);
        views(before, after, changes);
    }
}

/// The texts of the patterns of names.
pub(super) fn patterns(kind: &Kind) -> Vec<&str> {
    kind.patterns.0.iter().map(names::Pattern::text).collect()
}

fn between(kind: ChangeKind, class: ChangeClass, before: &Kind, after: &Kind) -> Change {
    Change::new(kind, class, &*before.name).at(before.span, after.span)
}

fn names(before: &Kind, after: &Kind, changes: &mut Vec<Change>) {
    let is_renamed = before.name != after.name;
    if is_renamed {
        let change = between(ChangeKind::ResourceRenamed, ChangeClass::Breaking, before, after);
        changes.push(change.values(&*before.name, &*after.name));
    }
    if (&before.plural, &before.collection) != (&after.plural, &after.collection) {
        let class = if is_renamed { ChangeClass::FollowsNames } else { ChangeClass::Breaking };
        let change = between(ChangeKind::PluralChanged, class, before, after);
        let text = |it: &Kind| format!("{}, {}", it.plural, it.collection);
        changes.push(change.values(text(before), text(after)));
    }
    let (olds, news) = (patterns(before), patterns(after));
    let lost: Vec<&str> = olds.iter().copied().filter(|it| !news.contains(it)).collect();
    let gained: Vec<&str> = news.iter().copied().filter(|it| !olds.contains(it)).collect();
    let (kind, class) = match (lost.is_empty(), gained.is_empty()) {
        (true, true) => return,
        (true, false) => (ChangeKind::PatternsAdded, ChangeClass::Compatible),
        (false, _) => (ChangeKind::PatternsLost, ChangeClass::Breaking),
    };
    changes.push(between(kind, class, before, after).values(lost.join(", "), gained.join(", ")));
}

/// Breaking only if an old pattern is gone: an attribute may be optional (source: Goten's tools).
fn scope(before: &Kind, after: &Kind, changes: &mut Vec<Change>) {
    let kind = match (before.region, after.region) {
        (before, after) if before == after => return,
        (RegionScope::None, _) => ChangeKind::ScopeAttributeAdded,
        (_, RegionScope::None) => ChangeKind::ScopeAttributeRemoved,
        _ => ChangeKind::ScopeAttributeChanged,
    };
    let news = patterns(after);
    let keeps_names = patterns(before).iter().all(|it| news.contains(it));
    let class = if keeps_names { ChangeClass::Compatible } else { ChangeClass::Breaking };
    let text = |it: RegionScope| match it {
        RegionScope::None => "",
        RegionScope::Required => "Region",
        RegionScope::Optional => "Region, optional",
    };
    changes.push(between(kind, class, before, after).values(text(before.region), text(after.region)));
}

/// A value of a kind as text.
type Text<'a> = &'a dyn Fn(&Kind) -> String;

/// Values of which the guide says nothing.
fn values(before: &Kind, after: &Kind, changes: &mut Vec<Change>) {
    let id = |it: &Kind| it.id_pattern.as_str().to_owned();
    let creation =
        |it: &Kind| it.creation_id_pattern.as_ref().map_or(String::new(), |it| it.as_str().to_owned());
    let on_parent = |it: &Kind| {
        it.on_parent_deleted.map_or("UNDEFINED", fields::schema::DeleteBehavior::as_str).to_owned()
    };
    let rows: [(ChangeKind, Text<'_>); 7] = [
        (ChangeKind::IdPatternChanged, &id),
        (ChangeKind::CreationIdPatternChanged, &creation),
        (ChangeKind::SearchableChanged, &|it| it.features.searchable.to_string()),
        (ChangeKind::SyncTypeChanged, &|it| it.sync_type.as_str().to_owned()),
        (ChangeKind::PolicyHolderChanged, &|it| it.features.policy_holder.to_string()),
        (ChangeKind::OnParentDeletedChanged, &on_parent),
        (ChangeKind::AsyncDeletionChanged, &|it| it.async_deletion.to_string()),
    ];
    for (kind, text) in rows {
        let (from, to) = (text(before), text(after));
        if from != to {
            changes.push(between(kind, ChangeClass::Unlisted, before, after).values(from, to));
        }
    }
}

fn opt_outs(before: &Kind, after: &Kind, changes: &mut Vec<Change>) {
    let flags = |it: &Kind| {
        let features = &it.features;
        [
            ("nameField", features.name_field),
            ("metadataField", features.metadata_field),
            ("paging", features.paging),
            ("resourceChange", features.resource_change),
            ("standardCrudAccess", features.standard_access),
            ("dbConstraints", features.constraints),
        ]
    };
    for ((name, had), (_, has)) in flags(before).into_iter().zip(flags(after)).filter(|(a, b)| a != b) {
        let (kind, class) = match has {
            true => (ChangeKind::OptOutRemoved, ChangeClass::Compatible),
            false => (ChangeKind::OptOutAdded, ChangeClass::Unlisted),
        };
        let text = |has: bool| if has { "" } else { name };
        let change = Change::new(kind, class, format!("{}.{name}", before.name)).at(before.span, after.span);
        changes.push(change.values(text(had), text(has)));
    }
}

/// A view that is not declared has what Goten chooses, which is not compared.
fn views(before: &Kind, after: &Kind, changes: &mut Vec<Change>) {
    for (name, fields) in &before.views {
        let Some((_, other)) = after.views.iter().find(|(it, _)| it.value == name.value) else { continue };
        let mut texts = [fields, other].map(|it| it.iter().map(|it| &*it.value).collect::<Vec<_>>());
        texts.iter_mut().for_each(|it| it.sort_unstable());
        let [old, new] = texts;
        if old == new {
            continue;
        }
        let is_kept = old.iter().all(|it| new.contains(it));
        let class = if is_kept { ChangeClass::Compatible } else { ChangeClass::Unlisted };
        let change = Change::new(ChangeKind::ViewChanged, class, format!("{}.{}", before.name, name.value));
        changes.push(change.values(old.join(", "), new.join(", ")).at(before.span, after.span));
    }
}
