//! The documentation of codes.

use workspace::view::CodeView;

use super::width::{pad, width, wrap};
use crate::console::Console;

/// The documentation of a code. Its example is indented, as code is in plain text.
pub(crate) fn one(code: &CodeView, console: Console) -> String {
    let paint = console.out;
    let mut out = format!("{} {}\n\n", paint.bold(&code.code), paint.dim(&format!("({})", facts(code))));
    out += &paragraph(&code.title, console);
    let mut in_code = false;
    for line in code.text.lines() {
        match (line.starts_with("```"), in_code) {
            (true, _) => in_code = !in_code,
            (false, true) => out += &format!("    {line}\n"),
            (false, false) if line.is_empty() => out.push('\n'),
            (false, false) => out += &format!("\n{}", paragraph(line, console)),
        }
    }
    out
}

fn paragraph(text: &str, console: Console) -> String {
    wrap(text, console.width.min(100)).join("\n") + "\n"
}

/// `error or warning, some with a fix`
fn facts(code: &CodeView) -> String {
    let severities: Vec<&str> = code.severities.iter().map(|it| it.as_str()).collect();
    let fix = if code.has_fix { ", some with a fix" } else { "" };
    format!("{}{fix}", severities.join(" or "))
}

/// A line for each code.
pub(crate) fn list(codes: &[CodeView], console: Console) -> String {
    let room = codes.iter().map(|it| width(&it.code)).max().unwrap_or(0);
    let line = |it: &CodeView| format!("{}  {}\n", console.out.bold(&pad(&it.code, room)), it.title);
    codes.iter().map(line).collect()
}
