use anstyle::AnsiColor;
use workspace::view::{LinkOutcome, LinkView, LinksView};

use super::name;
use crate::console::{Paint, colour};
use crate::show::columns::columns;
use crate::show::width::clean;

/// Each consumer on a line, below its instance group or service.
pub(super) fn show(view: &LinksView, paint: Paint, room: usize) -> String {
    let rows: Vec<Vec<String>> = view.links.iter().map(row).collect();
    let has_jobs = rows.iter().any(|row| row.first().is_some_and(|it| !it.is_empty()));
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|row| if has_jobs { row } else { row[1..].to_vec() }).collect();
    let flexible = [false, false, true];
    let shown = columns(&rows, if has_jobs { &flexible } else { &flexible[1..] }, room.saturating_sub(2), 2);
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

/// Job, link and type, and the outcome of the link.
fn row(link: &LinkView) -> Vec<String> {
    let job = link.job.as_deref().map(clean).unwrap_or_default();
    let became = match &link.provider {
        Some(provider) if !link.has_failed() => format!("→ {}", name::provider(provider, &link.deployment)),
        _ if link.has_failed() => format!("✗ {}", name::outcome(link)),
        _ => format!("– {}", name::outcome(link)),
    };
    vec![job, name::link(link), became + &why(link)]
}

/// The reason for a link, if it is not the usual rule: the only provider of its type.
fn why(link: &LinkView) -> String {
    let said = (link.explicit && link.outcome == LinkOutcome::Linked).then_some("as is written");
    let others = link.considered.len() + link.considered_more;
    let of = (link.outcome == LinkOutcome::Linked && others > 1).then(|| format!("of {others} considered"));
    let why: Vec<String> = said.map(str::to_owned).into_iter().chain(of).collect();
    if why.is_empty() { String::new() } else { format!(" ({})", why.join(", ")) }
}

fn line(link: &LinkView, row: &[String], paint: Paint) -> String {
    let [before @ .., became] = row else { return String::new() };
    let colour = colour(link.outcome.tone());
    format!("{}  {}", before.join("  "), paint.colour(colour, became.trim_end()))
}
