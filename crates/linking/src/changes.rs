//! What became of links since they were looked at last.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use workspace::view::{LinkChangeKind, LinkChangeView, LinkView, LinksView};

/// Who a consumer is, whatever became of its link.
type Key<'v> = (&'v str, Option<&'v str>, Option<&'v str>, Option<&'v str>, &'v str);

/// The links that are not as they were: by consumer as they are listed now, then those that are gone.
pub(crate) fn changes(before: &LinksView, after: &LinksView) -> Vec<LinkChangeView> {
    let mut known: BTreeMap<Key<'_>, &LinkView> = before.links.iter().map(|it| (key(it), it)).collect();
    let now = after.links.iter().filter_map(|it| change(known.remove(&key(it)), it));
    let mut changes: Vec<LinkChangeView> = now.collect();
    changes.extend(
        known
            .into_values()
            .filter(|it| it.content.is_some())
            .map(|it| of(it, LinkChangeKind::Unlinked, Some(it), None)),
    );
    changes
}

fn key(link: &LinkView) -> Key<'_> {
    let (group, job) = (link.instance_group.as_deref(), link.job.as_deref());
    (&link.deployment, group, job, link.consumer.as_deref(), &link.link)
}

fn change(before: Option<&LinkView>, after: &LinkView) -> Option<LinkChangeView> {
    let before = before.filter(|it| it.content.is_some());
    let now = Some(after).filter(|it| it.content.is_some());
    let what = match (before, now) {
        (None, None) => return None,
        (None, Some(_)) => LinkChangeKind::Linked,
        (Some(_), None) => LinkChangeKind::Unlinked,
        (Some(before), Some(after)) if before.provider != after.provider => LinkChangeKind::Rewired,
        (Some(before), Some(after)) if before.content == after.content => return None,
        (Some(_), Some(_)) => LinkChangeKind::Changed,
    };
    Some(of(after, what, before, now))
}

fn of(
    link: &LinkView,
    what: LinkChangeKind,
    before: Option<&LinkView>,
    after: Option<&LinkView>,
) -> LinkChangeView {
    let mut paths = Vec::new();
    let contents = (before.and_then(|it| it.content.as_ref()), after.and_then(|it| it.content.as_ref()));
    if let (Some(before), Some(after)) = contents {
        differ(before, after, String::new(), &mut paths);
    }
    LinkChangeView {
        deployment: link.deployment.clone(),
        instance_group: link.instance_group.clone(),
        job: link.job.clone(),
        consumer: link.consumer.clone(),
        link: link.link.clone(),
        change: what,
        before: before.and_then(|it| it.provider.clone()),
        after: after.and_then(|it| it.provider.clone()),
        paths,
    }
}

/// The places at which two values differ, as pointers; a list of another length as a whole.
fn differ(before: &Json, after: &Json, at: String, paths: &mut Vec<String>) {
    match (before, after) {
        _ if before == after => {}
        (Json::Object(a), Json::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let inner = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                let get = |map: &serde_json::Map<String, Json>| map.get(key).cloned().unwrap_or_default();
                differ(&get(a), &get(b), inner, paths);
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            for (n, (a, b)) in a.iter().zip(b).enumerate() {
                differ(a, b, format!("{at}/{n}"), paths);
            }
        }
        _ => paths.push(at),
    }
}
