use anstyle::AnsiColor;
use workspace::view::{CandidateView, LinkView, LinksView};

use super::name;
use crate::console::Paint;
use crate::show::columns::columns;
use crate::show::graph::place;
use crate::show::width::{clean, pad, width, wrap};

/// The links that failed, each with its possible providers.
pub(super) fn show(view: &LinksView, paint: Paint, room: usize) -> String {
    let failed: Vec<&LinkView> = view.links.iter().filter(|it| it.has_failed()).collect();
    let shown: Vec<String> = failed.iter().map(|it| link(it, view.deployments.len(), paint, room)).collect();
    if shown.is_empty() { String::new() } else { format!("{}\n{}", paint.bold("not linked"), shown.concat()) }
}

fn link(link: &LinkView, deployments: usize, paint: Paint, room: usize) -> String {
    let job = link.job.as_deref().map(|it| format!("/{it}")).unwrap_or_default();
    let who = format!("  {}{} {}", name::owner(link, deployments), clean(&job), name::link(link));
    let what = paint.strong(AnsiColor::Red, &format!("✗ {}", name::outcome(link)));
    let mut out = format!("{who}  {what}\n");
    if let Some(origin) = &link.origin {
        out.push_str(&format!("    {}\n", paint.dim(&place(origin))));
    }
    for line in wrap(&clean(&link.sentence), room.saturating_sub(4).max(20)) {
        out.push_str(&format!("    {line}\n"));
    }
    out + &considered(link, paint, room)
}

/// The providers that were considered, and why it has none of them.
fn considered(link: &LinkView, paint: Paint, room: usize) -> String {
    let row = |it: &CandidateView| {
        let verdict = it.verdict.label();
        vec![name::provider(&it.provider, &link.deployment), verdict, clean(&it.sentence)]
    };
    let rows: Vec<Vec<String>> = link.considered.iter().map(row).collect();
    let shown = columns(&rows, &[true, false, true], room.saturating_sub(7), 2);
    let mut lines: Vec<String> = shown.iter().map(|row| reported(row, paint)).collect();
    if link.considered_more > 0 {
        lines.push(format!("and {} more", link.considered_more));
    }
    let last = lines.len();
    let branch = |at: usize| if at + 1 == last { "└─" } else { "├─" };
    let line = |(at, it): (usize, &String)| format!("    {} {}\n", paint.dim(branch(at)), it.trim_end());
    lines.iter().enumerate().map(line).collect()
}

fn reported(row: &[String], paint: Paint) -> String {
    let [who, verdict, why] = row else { return row.join("  ") };
    format!("{}  {verdict}  {}", pad(who, width(who)), paint.dim(why.trim_end()))
}
