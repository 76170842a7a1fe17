//! A plan as Markdown, for the summary of a job.

use workspace::view::{Action, ActionView, DiagnosticView, PlanView};

use crate::plain::{counts, tally};

/// The number of actions that are listed before the rest is only counted: a summary may have 1 MiB.
const LISTED: usize = 500;
/// The longest text of a cell, in characters.
const LONGEST: usize = 400;

/// A plan as a table of its actions, what destroys something first, with what was found. `diagnostics` must be without
/// secrets. No text from outside becomes Markdown or HTML.
pub fn summary(plan: &PlanView, diagnostics: &[DiagnosticView]) -> String {
    let mut out = format!("### Plan of {}\n\n{}\n", code(&plan.deployment), counts(plan));
    if let Some(tally) = tally(diagnostics) {
        out.push_str(&format!("\nProblems: {tally}.\n"));
    }
    let by_risk = Action::BY_RISK.iter();
    let listed = by_risk.flat_map(|action| plan.actions.iter().filter(move |it| it.action == *action));
    let listed: Vec<&ActionView> = listed.collect();
    if listed.is_empty() {
        return out;
    }
    out.push_str("\n| Action | Resource | Reason |\n|---|---|---|\n");
    listed.iter().take(LISTED).for_each(|it| out.push_str(&row(it)));
    if listed.len() > LISTED {
        out.push_str(&format!("\n… and {} more.\n", listed.len() - LISTED));
    }
    out
}

fn row(action: &ActionView) -> String {
    let words = action.action.words();
    let name = if action.action.destroys() { format!("**{}**", words.word) } else { words.word.to_owned() };
    let reason = action.reason.as_ref().map(|it| literal(&it.sentence)).unwrap_or_default();
    format!("| {} {name} | {} | {reason} |\n", words.symbol, code(&action.address))
}

/// A text as code in a line or in a cell of a table.
fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // Blanks at both ends are not shown, and keep the fence apart from backticks.
    let blank = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    // A bar ends a cell in code, too, and a backslash before it is removed there only.
    format!("{fence}{blank}{}{blank}{fence}", text.replace('|', "\\|"))
}

/// A text that means nothing but itself, but for names in backticks, which stay code.
fn literal(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(&text);
    }
    let shown = |(index, part): (usize, &&str)| match index % 2 {
        0 => escaped(part),
        _ if part.is_empty() => escaped("``"),
        _ => code(part),
    };
    parts.iter().enumerate().map(shown).collect()
}

/// A backslash before each character of ASCII that could have a meaning.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Mentions are found in what was rendered.
            '@' => out.push_str("&#64;<!-- -->"),
            ' ' | '.' | ',' => out.push(c),
            c if c.is_ascii_punctuation() => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    // `www.` at the start of a word becomes a link without any mark.
    out.replace("www.", "www\\.")
}

fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_stays_text() {
        assert_eq!(code("services.web"), "`services.web`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`x"), "`` `x ``");
        assert_eq!(code("a|b\nc"), "`a\\|b c`");
        assert_eq!(literal("`a` changes"), "`a` changes");
        assert_eq!(literal("<img src=x> | [a](b)\n# c"), "&lt;img src\\=x&gt; \\| \\[a\\]\\(b\\) \\# c");
        assert_eq!(literal("one ` more"), "one \\` more");
        assert_eq!(literal("`a|b`"), "`a\\|b`");
        assert_eq!(
            literal("see www.x.y, https://x.y, @me"),
            "see www\\.x.y, https\\:\\/\\/x.y, &#64;<!-- -->me"
        );
    }
}
