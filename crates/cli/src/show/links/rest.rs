use workspace::view::{LinkChangeKind, LinkProfile, LinkProviderView, LinksView};

use super::name;
use crate::console::Paint;
use crate::show::width::{clean, wrap};

/// The error that BOSH's director would return.
pub(super) fn director(view: &LinksView, paint: Paint) -> String {
    let Some(error) = view.error.as_deref().filter(|_| view.profile == LinkProfile::Bosh) else {
        return String::new();
    };
    let lines: String = error.lines().map(|line| format!("  {}\n", clean(line))).collect();
    format!("{}\n{lines}", paint.bold("in the director's words"))
}

/// The changes of links since they were last checked.
pub(super) fn changes(view: &LinksView, paint: Paint, room: usize) -> String {
    let Some(changes) = &view.changes else { return String::new() };
    let side = |it: &Option<LinkProviderView>, home: &str| {
        it.as_ref().map_or_else(|| "nobody".to_owned(), |it| name::provider(it, home))
    };
    let lines = changes.iter().map(|it| {
        let owner = it.instance_group.as_deref().or(it.consumer.as_deref()).unwrap_or_default();
        let job = it.job.as_deref().map(|job| format!("/{job}")).unwrap_or_default();
        let what = match it.change {
            LinkChangeKind::Changed => format!("receives other values: {}", it.paths.join(", ")),
            LinkChangeKind::Linked | LinkChangeKind::Unlinked | LinkChangeKind::Rewired => {
                let (before, after) = (side(&it.before, &it.deployment), side(&it.after, &it.deployment));
                format!("{}, from {before} to {after}", it.change)
            }
        };
        let home = if view.deployments.len() > 1 { format!("{}: ", it.deployment) } else { String::new() };
        indented(&clean(&format!("{home}{owner}{job} {} {what}", it.link)), room)
    });
    match changes.is_empty() {
        true => format!("{}\n", paint.bold("since then: no link changed")),
        false => section("since then, with effect once the consumer is deployed", lines, paint),
    }
}

/// Types that the next consumer could not choose between.
pub(super) fn latent(view: &LinksView, paint: Paint, room: usize) -> String {
    let lines = view.latent.iter().map(|it| {
        let home = if view.deployments.len() > 1 { "" } else { it.deployment.as_str() };
        let who = name::providers(&it.providers, &view.providers, home).join(", ");
        indented(&format!("{}: {who}", clean(&it.link_type)), room)
    });
    section("provided more than once and not consumed: the next consumer has to name one", lines, paint)
}

/// The instance groups that need each other.
pub(super) fn circles(view: &LinksView, paint: Paint, room: usize) -> String {
    let lines = view
        .circles
        .iter()
        .map(|it| indented(&it.iter().map(|name| clean(name)).collect::<Vec<_>>().join(", "), room));
    section("form a cycle of links, which is allowed", lines, paint)
}

/// Jobs of which nothing is known.
pub(super) fn without_spec(view: &LinksView, paint: Paint, room: usize) -> String {
    let jobs = view.jobs_without_spec.iter().map(|(job, count)| match count {
        0 | 1 => clean(job),
        count => format!("{} ×{count}", clean(job)),
    });
    let jobs = jobs.collect::<Vec<_>>().join(", ");
    let lines = (!jobs.is_empty()).then(|| indented(&jobs, room));
    section("their links are not known, because their specs are missing", lines.into_iter(), paint)
}

fn indented(text: &str, room: usize) -> String {
    wrap(text, room.saturating_sub(2).clamp(20, 100)).iter().map(|it| format!("  {it}\n")).collect()
}

/// Lines below a heading; nothing without lines.
fn section(title: &str, lines: impl Iterator<Item = String>, paint: Paint) -> String {
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("{}\n{lines}", paint.bold(title)) }
}
