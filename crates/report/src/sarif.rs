//! SARIF 2.1.0, the format of code scanning.

use serde_json::{Map, Value as Json, json};
use workspace::view::{CheckoutView, EditView, FixView};

use crate::{
    finding::{Finding, Findings, Level, placed},
    fingerprint::Fingerprints,
    json::json as text,
    place::{FileName, Place, Region},
    rules::{self, RuleText},
};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// All crates have the version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The name of the fingerprint: the values that it is a digest of, with its version.
const FINGERPRINT: &str = "codeFileSubject/v1";

/// The documentation of a code, if it has one.
pub type Documentation<'d> = dyn Fn(&str) -> Option<RuleText> + 'd;

/// The findings as a SARIF log whose rules have titles only.
pub fn sarif(findings: &Findings) -> String {
    sarif_with(findings, &|_| None)
}

/// The findings as a SARIF log whose rules have the documentation of their codes. Findings about files are results; the others
/// are notifications, because readers expect each result to have a place.
pub fn sarif_with(findings: &Findings, documentation: &Documentation<'_>) -> String {
    let rule = |code: &&str| rules::rule(code, documentation(code).as_ref());
    let (placed, others): (Vec<&Finding>, Vec<&Finding>) =
        findings.all.iter().partition(|it| it.place.is_some());
    let codes: Vec<&str> = rules::codes(&placed);
    let other_codes: Vec<&str> = rules::codes(&others);
    let mut fingerprints = Fingerprints::default();
    let results: Vec<Json> =
        placed.iter().map(|it| result(it, &codes, &mut fingerprints, &findings.checkout)).collect();
    let failed = others.iter().any(|it| it.level == Level::Error);
    let mut driver = json!({
        "name": "planloom",
        "version": VERSION,
        "semanticVersion": VERSION,
        "rules": codes.iter().map(rule).collect::<Vec<_>>(),
    });
    let mut invocation = json!({ "executionSuccessful": !failed });
    if !others.is_empty() {
        insert(&mut driver, "notifications", other_codes.iter().map(rule).collect());
        let notifications = others.iter().map(|it| notification(it, &other_codes));
        insert(&mut invocation, "toolExecutionNotifications", notifications.collect());
    }
    text(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "automationDetails": { "id": format!("planloom/{}/", findings.command) },
            "invocations": [invocation],
            // Columns are characters, however many units of UTF-16 they take.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn result<'f>(
    finding: &'f Finding,
    codes: &[&str],
    fingerprints: &mut Fingerprints<'f>,
    checkout: &CheckoutView,
) -> Json {
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": index(&finding.code, codes),
        "level": level(finding.level),
        "message": message(&finding.text()),
        "locations": finding.place.iter().map(location).collect::<Vec<_>>(),
        "partialFingerprints": { FINGERPRINT: fingerprints.of(finding) },
    });
    if !finding.related.is_empty() {
        insert(&mut result, "relatedLocations", finding.related.iter().enumerate().map(related).collect());
    }
    let fixes: Vec<Json> = finding.fixes.iter().filter_map(|it| fix(it, checkout)).collect();
    if !fixes.is_empty() {
        insert(&mut result, "fixes", fixes.into());
    }
    result
}

fn notification(finding: &Finding, codes: &[&str]) -> Json {
    json!({
        "descriptor": { "id": finding.code, "index": index(&finding.code, codes) },
        "level": level(finding.level),
        "message": message(&finding.text()),
    })
}

fn related((index, (place, said)): (usize, &(Place, String))) -> Json {
    let mut related = location(place);
    insert(&mut related, "id", (index + 1).into());
    insert(&mut related, "message", message(said));
    related
}

/// A fix, if all of its edits are in files.
fn fix(fix: &FixView, checkout: &CheckoutView) -> Option<Json> {
    let edits: Option<Vec<(Place, &EditView)>> =
        fix.edits.iter().map(|it| Some((placed(&it.location, checkout)?, it))).collect();
    let edits = edits.filter(|it| !it.is_empty())?;
    let of_file = |edits: &[(Place, &EditView)]| {
        let file = edits.first().map(|(place, _)| artifact(&place.file));
        let replacements = edits.iter().map(|(place, edit)| {
            json!({
                "deletedRegion": place.region.as_ref().map(region),
                "insertedContent": { "text": edit.new_text },
            })
        });
        json!({ "artifactLocation": file, "replacements": replacements.collect::<Vec<_>>() })
    };
    let changes: Vec<Json> = edits.chunk_by(|a, b| a.0.file == b.0.file).map(of_file).collect();
    Some(json!({ "description": message(&fix.title), "artifactChanges": changes }))
}

fn location(place: &Place) -> Json {
    let mut physical = json!({ "artifactLocation": artifact(&place.file) });
    if let Some(region) = place.region.as_ref().map(region) {
        insert(&mut physical, "region", region);
    }
    json!({ "physicalLocation": physical })
}

/// The location of a file. A relative one is relative to the root of the source code, wherever that is.
fn artifact(file: &FileName) -> Json {
    match file {
        FileName::Relative(_) => json!({ "uri": file.uri(), "uriBaseId": "%SRCROOT%" }),
        FileName::Absolute(_) => json!({ "uri": file.uri() }),
    }
}

fn region(region: &Region) -> Json {
    json!({
        "startLine": region.line,
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    })
}

/// A plain message. Readers make a link of `[text](target)`, also in plain messages, so these are separated.
fn message(text: &str) -> Json {
    json!({ "text": text.replace("](", "] (") })
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn index(code: &str, codes: &[&str]) -> Option<usize> {
    codes.binary_search(&code).ok()
}

fn insert(object: &mut Json, key: &str, value: Json) {
    if let Some(map) = object.as_object_mut() {
        Map::insert(map, key.to_owned(), value);
    }
}
