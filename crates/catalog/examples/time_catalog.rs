//! Measures how fast catalogs are read and how much memory they take:
//! `cargo run --release -p planloom-catalog --example time_catalog [--json | --yaml | FILE…]`.
//!
//! With `--json` or `--yaml` (or nothing, for both) a catalog of 130 MB is generated, as large as the largest
//! ones that `opm render` writes; a file may be compressed with gzip. Memory is what the system reports; to
//! get a figure for one catalog, name only one.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::{fmt::Write as _, io::Read as _, time::Instant};

use diag::FileId;
use planloom_catalog::{CatalogText, PropertyData, read};

const BYTES: usize = 130_000_000;

/// A text of the size of a CSV, with the characters that real ones have.
fn prose(seed: usize, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 80);
    let mut idx = seed;
    while text.len() < bytes {
        let _ = write!(
            text,
            "Operator {idx} reconciles \\\"Cluster\\\" objects – level {} of {{...}}; ",
            idx % 7
        );
        idx += 1;
    }
    text
}

/// One document of each kind, as YAML or JSON with indentation.
fn made_up(is_json: bool) -> String {
    let mut text = String::with_capacity(BYTES + (1 << 20));
    let mut package = 0;
    while text.len() < BYTES {
        let name = format!("operator-{package}");
        let icon = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo".repeat(600);
        let documents = if is_json { json(&name, &icon) } else { yaml(&name, &icon) };
        text.push_str(&documents);
        package += 1;
    }
    text
}

const VERSIONS: usize = 30;

fn yaml(name: &str, icon: &str) -> String {
    let mut text = format!(
        "---\ndefaultChannel: stable\nicon:\n  base64data: {icon}\n  mediatype: image/png\nname: {name}\nschema: olm.package\n---\n\
         entries:\n"
    );
    for n in 0..VERSIONS {
        let _ = writeln!(text, "- name: {name}.v1.{n}.0");
        if n > 0 {
            let _ = writeln!(text, "  replaces: {name}.v1.{}.0\n  skipRange: '>=1.0.0 <1.{n}.0'", n - 1);
        }
    }
    let _ = writeln!(text, "name: stable\npackage: {name}\nschema: olm.channel");
    for n in 0..VERSIONS {
        let _ = writeln!(
            text,
            "---\nimage: example.invalid/{name}@sha256:{n:064x}\nname: {name}.v1.{n}.0\npackage: {name}\nproperties:"
        );
        for kind in ["Cluster", "Backup", "Restore"] {
            let _ = writeln!(
                text,
                "- type: olm.gvk\n  value:\n    group: {name}.example\n    kind: {kind}\n    version: v1"
            );
        }
        let _ =
            writeln!(text, "- type: olm.package\n  value:\n    packageName: {name}\n    version: 1.{n}.0");
        let _ =
            writeln!(text, "- type: olm.csv.metadata\n  value:\n    annotations:\n      alm-examples: |-");
        for line in 0..220 {
            let _ = writeln!(
                text,
                "        {{\"kind\": \"Cluster\", \"spec\": {{\"size\": {line}, \"note\": \"prüfe\"}}}}"
            );
        }
        let _ = writeln!(
            text,
            "    description: \"{}\"\n    minKubeVersion: 1.{}.0",
            prose(n, 6000),
            20 + n % 10
        );
        let _ = writeln!(text, "relatedImages:");
        for image in 0..10 {
            let _ = writeln!(text, "- image: example.invalid/part@sha256:{image:064x}\n  name: part-{image}");
        }
        let _ = writeln!(text, "schema: olm.bundle");
    }
    text
}

fn json(name: &str, icon: &str) -> String {
    let mut text = format!(
        "{{\n    \"schema\": \"olm.package\",\n    \"name\": \"{name}\",\n    \"defaultChannel\": \"stable\",\n    \"icon\": {{\n        \
         \"base64data\": \"{icon}\",\n        \"mediatype\": \"image/png\"\n    }}\n}}\n{{\n    \"schema\": \"olm.channel\",\n    \
         \"name\": \"stable\",\n    \"package\": \"{name}\",\n    \"entries\": [\n"
    );
    for n in 0..VERSIONS {
        let before = if n > 0 {
            format!(", \"replaces\": \"{name}.v1.{}.0\", \"skipRange\": \">=1.0.0 <1.{n}.0\"", n - 1)
        } else {
            String::new()
        };
        let comma = if n + 1 < VERSIONS { "," } else { "" };
        let _ = writeln!(text, "        {{ \"name\": \"{name}.v1.{n}.0\"{before} }}{comma}");
    }
    text.push_str("    ]\n}\n");
    for n in 0..VERSIONS {
        let _ = write!(
            text,
            "{{\n    \"schema\": \"olm.bundle\",\n    \"name\": \"{name}.v1.{n}.0\",\n    \"package\": \"{name}\",\n    \"image\": \
             \"example.invalid/{name}@sha256:{n:064x}\",\n    \"properties\": [\n"
        );
        for kind in ["Cluster", "Backup", "Restore"] {
            let _ = writeln!(
                text,
                "        {{\n            \"type\": \"olm.gvk\",\n            \"value\": {{ \"group\": \"{name}.example\", \"kind\": \"{kind}\", \"version\": \"v1\" }}\n        }},"
            );
        }
        let _ = writeln!(
            text,
            "        {{\n            \"type\": \"olm.package\",\n            \"value\": {{ \"packageName\": \"{name}\", \"version\": \"1.{n}.0\" }}\n        }},"
        );
        let _ = writeln!(
            text,
            "        {{\n            \"type\": \"olm.csv.metadata\",\n            \"value\": {{\n                \"annotations\": {{ \"alm-examples\": \"{}\" }},\n                \"description\": \"{}\",\n                \"minKubeVersion\": \"1.{}.0\"\n            }}\n        }}\n    ],",
            prose(n, 14_000),
            prose(n + 9, 6000),
            20 + n % 10
        );
        text.push_str("    \"relatedImages\": [\n");
        for image in 0..10 {
            let comma = if image < 9 { "," } else { "" };
            let _ = writeln!(
                text,
                "        {{ \"name\": \"part-{image}\", \"image\": \"example.invalid/part@sha256:{image:064x}\" }}{comma}"
            );
        }
        text.push_str("    ]\n}\n");
    }
    text
}

/// A line of the system's status of this process, in megabytes.
fn memory(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    let number = line.trim_start_matches(':').trim().trim_end_matches(" kB");
    number.parse::<f64>().unwrap_or(f64::NAN) * 1024.0 / 1e6
}

fn measure(name: &str, text: &str) {
    let before = memory("VmRSS");
    let texts = [CatalogText { file: FileId(0), text }];
    let start = Instant::now();
    let (catalog, diagnostics) = read("measured", &texts);
    let seconds = start.elapsed().as_secs_f64();
    let bundles = || catalog.packages.values().flat_map(|it| it.bundles.values());
    let properties = bundles().flat_map(|it| &it.properties);
    let kube = properties.clone().filter(|it| matches!(it.data, PropertyData::MinKube(_))).count();
    println!(
        "{name}: {:.1} MB of text, {} packages, {} bundles, {} properties ({kube} minKubeVersion), {} diagnostics",
        text.len() as f64 / 1e6,
        catalog.packages.len(),
        bundles().count(),
        properties.count(),
        diagnostics.len(),
    );
    println!("  read in {:.0} ms, {:.0} MB/s", seconds * 1e3, text.len() as f64 / seconds / 1e6);
    println!(
        "  memory: {before:.0} MB with the text alone, {:.0} MB with the catalog, {:.0} MB at most",
        memory("VmRSS"),
        memory("VmHWM"),
    );
}

fn load(path: &str) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    let mut text = String::new();
    let plain = if path.ends_with(".gz") {
        flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text).is_ok()
    } else {
        (&*bytes).read_to_string(&mut text).is_ok()
    };
    if plain { text } else { String::new() }
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments =
        if arguments.is_empty() { vec!["--json".to_owned(), "--yaml".to_owned()] } else { arguments };
    for argument in arguments {
        match argument.as_str() {
            "--json" => measure("made up, JSON", &made_up(true)),
            "--yaml" => measure("made up, YAML", &made_up(false)),
            path => measure(path, &load(path)),
        }
    }
}
