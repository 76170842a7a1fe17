//! The changes of links since an earlier answer.

use diag::order;
use serde_json::Value as Json;
use workspace::view::{
    EarlierLink, EarlierLinks, LinkChangeKind, LinkChangeView, LinkProviderView, LinkView, LinksView,
};

/// The identity of a consumer, independent of its link: deployment, instance group, job, consumer and link.
type Key<'v> = (&'v str, Option<&'v str>, Option<&'v str>, Option<&'v str>, &'v str);

/// The [`Key`] of a [`LinkView`] or an [`EarlierLink`], which have the same fields for it.
macro_rules! key {
    ($link:ident) => {
        (
            &*$link.deployment,
            $link.instance_group.as_deref(),
            $link.job.as_deref(),
            $link.consumer.as_deref(),
            &*$link.link,
        )
    };
}

/// The links that are not as they were: by consumer as they are listed now, then those that are gone.
pub(crate) fn changes(before: &EarlierLinks, after: &LinksView) -> Vec<LinkChangeView> {
    let mut earlier = earlier(before);
    let now = after.links.iter().filter_map(|it| change(take(&mut earlier, &key!(it)), it));
    let mut changes: Vec<LinkChangeView> = now.collect();
    let gone = earlier.into_iter().filter_map(|(_, it)| it);
    changes.extend(gone.filter(|it| it.content.is_some()).map(unlinked));
    changes
}

/// The earlier links by consumer; of two of one consumer the later counts.
fn earlier(links: &EarlierLinks) -> Vec<(Key<'_>, Option<&EarlierLink>)> {
    let mut earlier: Vec<_> = links.links.iter().rev().map(|it| (key!(it), Some(it))).collect();
    order::by_key(&mut earlier, |it| it.0);
    earlier.dedup_by_key(|it| it.0);
    earlier
}

fn take<'l>(earlier: &mut [(Key<'_>, Option<&'l EarlierLink>)], key: &Key<'_>) -> Option<&'l EarlierLink> {
    let at = earlier.binary_search_by(|it| it.0.cmp(key)).ok()?;
    earlier.get_mut(at)?.1.take()
}

fn change(before: Option<&EarlierLink>, after: &LinkView) -> Option<LinkChangeView> {
    let had = before.and_then(|it| Some((it, it.content.as_ref()?)));
    let (change, paths) = match (had, &after.content) {
        (None, None) => return None,
        (None, Some(_)) => (LinkChangeKind::Linked, Vec::new()),
        (Some(_), None) => (LinkChangeKind::Unlinked, Vec::new()),
        (Some((before, was)), Some(is)) => {
            let is_rewired = before.provider != after.provider;
            let mut paths = Vec::new();
            differ(was, is, String::new(), &mut paths);
            match paths.is_empty() {
                _ if is_rewired => (LinkChangeKind::Rewired, paths),
                true => return None,
                false => (LinkChangeKind::Changed, paths),
            }
        }
    };
    let was = had.and_then(|(it, _)| it.provider.clone());
    let is = after.content.as_ref().and(after.provider.clone());
    Some(of(key!(after), change, (was, is), paths))
}

fn unlinked(before: &EarlierLink) -> LinkChangeView {
    of(key!(before), LinkChangeKind::Unlinked, (before.provider.clone(), None), Vec::new())
}

fn of(
    (deployment, instance_group, job, consumer, link): Key<'_>,
    change: LinkChangeKind,
    (before, after): (Option<LinkProviderView>, Option<LinkProviderView>),
    paths: Vec<String>,
) -> LinkChangeView {
    LinkChangeView {
        deployment: deployment.to_owned(),
        instance_group: instance_group.map(str::to_owned),
        job: job.map(str::to_owned),
        consumer: consumer.map(str::to_owned),
        link: link.to_owned(),
        change,
        before,
        after,
        paths,
    }
}

/// The places at which two values differ, as pointers; a list of another length as a whole.
fn differ(before: &Json, after: &Json, at: String, paths: &mut Vec<String>) {
    match (before, after) {
        _ if before == after => {}
        (Json::Object(a), Json::Object(b)) => {
            let keys = order::list(a.keys().chain(b.keys()));
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
