//! Workflow commands of GitHub Actions, which annotate lines of a pull request.

use crate::{
    finding::{Finding, Findings, Level},
    place::Region,
};

/// A command for each finding, the most serious ones first: GitHub shows only the first ten of each level.
pub fn github(findings: &Findings) -> String {
    let mut all: Vec<&Finding> = findings.all.iter().collect();
    all.sort_by_key(|it| it.level);
    all.into_iter().map(command).collect()
}

/// `::error file=app.yaml,line=1,endLine=1,col=3,endColumn=9,title=…::message`
fn command(finding: &Finding) -> String {
    let mut properties: Vec<(&str, String)> = Vec::new();
    if let Some(place) = &finding.place {
        properties.push(("file", place.file.path().to_owned()));
        properties.extend(place.region.iter().flat_map(lines));
    }
    properties.push(("title", format!("planloom {}", finding.code)));
    let properties = properties.iter().map(|(name, value)| format!("{name}={}", property(value)));
    let properties: Vec<String> = properties.collect();
    format!("::{} {}::{}\n", level(finding.level), properties.join(","), data(&message(finding)))
}

/// Columns are valid for a place in one line only.
fn lines(region: &Region) -> Vec<(&'static str, String)> {
    let mut lines = vec![("line", region.line), ("endLine", region.last_line())];
    if region.last_line() == region.line {
        lines.push(("col", region.column));
    }
    if region.end_line == region.line {
        lines.push(("endColumn", region.end_column));
    }
    lines.into_iter().map(|(name, number)| (name, number.to_string())).collect()
}

/// The message with related places, of which an annotation has none.
fn message(finding: &Finding) -> String {
    let place = |(place, said): &(crate::place::Place, String)| {
        let line = place.region.map(|it| format!(":{}", it.line)).unwrap_or_default();
        format!("\n{}{line}: {said}", place.file.path())
    };
    finding.text() + &finding.related.iter().map(place).collect::<String>()
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

/// A message as a command has it: it cannot end the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value as a command has it: it cannot end the property or the properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
