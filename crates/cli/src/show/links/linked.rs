use anstyle::AnsiColor;
use workspace::view::{LinkView, LinksView};

use super::{has_failed, name};
use crate::console::Paint;
use crate::show::columns::columns;
use crate::show::width::clean;

/// Each consumer on a line, below its instance group or service.
pub(super) fn show(view: &LinksView, paint: Paint, room: usize) -> String {
    let rows: Vec<Vec<String>> = view.links.iter().map(row).collect();
    let has_jobs = rows.iter().any(|row| row.first().is_some_and(|it| !it.is_empty()));
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|row| if has_jobs { row } else { row[1..].to_vec() }).collect();
    let flexible: Vec<bool> = (0..5).map(|column| column == 4).collect();
    let flexible = if has_jobs { &flexible[..] } else { &flexible[1..] };
    let shown = columns(&rows, flexible, room.saturating_sub(2), 2);
    let mut out = String::new();
    let mut last = None;
    for (link, row) in view.links.iter().zip(&shown) {
        let owner = name::owner(link, view.deployments.len());
        if last.as_ref() != Some(&owner) {
            let gap = if last.is_some() { "\n" } else { "" };
            out.push_str(&format!("{gap}{}\n", paint.strong(AnsiColor::Cyan, &owner)));
        }
        last = Some(owner);
        out.push_str(&format!("  {}\n", line(link, row, paint)));
    }
    out
}

/// Job, link, type, what became of it, why.
fn row(link: &LinkView) -> Vec<String> {
    let job = link.job.as_deref().map(clean).unwrap_or_default();
    let became = match &link.provider {
        Some(provider) if !has_failed(link) => format!("→ {}", name::provider(provider, &link.deployment)),
        _ if has_failed(link) => format!("✗ {}", name::outcome(link)),
        _ => format!("– {}", name::outcome(link)),
    };
    vec![job, clean(&link.link), clean(&link.link_type), became, clean(&link.sentence)]
}

fn line(link: &LinkView, row: &[String], paint: Paint) -> String {
    let [before @ .., became, why] = row else { return String::new() };
    let colour = match link.outcome.as_str() {
        "linked" => AnsiColor::Green,
        "absent" | "manual" => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    let why = paint.dim(why.trim_end());
    format!("{}  {}  {why}", before.join("  "), paint.colour(colour, became))
}
