//! Thousands of references: each is resolved once, whatever their dependencies, and the size of the result is
//! bounded.

use std::{fmt::Write, sync::Arc};

use diag::{FileId, Source, Sources};
use merge::{Layer, merge};
use planloom_lower::{Cache, Input, Lowered, Options, lower};
use syntax::{Limits, parse};
use types::Types;

fn lowered(text: &str) -> Lowered {
    let parsed = parse(FileId(0), text, &Limits::default());
    let sources: Sources = [Source::new("app.yaml", text)].into_iter().collect();
    let layer = Layer::new(parsed.document.root, None);
    let types = Arc::new(Types::builtin());
    let merged = &merge(&[layer], &types).0;
    let (types, sources, options) = (&types, &sources, Options::default());
    let input = Input { merged, beside: Vec::new(), names: &[], types, sources, options };
    lower(input, &mut |_| Default::default(), None, &mut Cache::default())
}

/// A payload with `count` params, each given by `value`, used by one service.
fn params(count: usize, value: impl Fn(usize) -> String) -> String {
    let mut text = "payloads:\n  q: {runtime: vm}\n  p:\n    runtime: vm\n    params:\n".to_owned();
    for n in 0..count {
        writeln!(text, "      a{n}: {}", value(n)).expect("text grows");
    }
    text.push_str("services: {db: {payload: q}, w: {payload: p}}\n");
    text
}

/// `${…}` of the param with that number.
fn other(n: usize) -> String {
    format!("${{payloads.p.params.a{n}}}")
}

/// Checks how often each code was reported.
fn check(text: &str, expected: &[(&str, usize)]) -> Lowered {
    let lowered = lowered(text);
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for found in &lowered.diagnostics {
        *counts.entry(found.code.as_str()).or_default() += 1;
    }
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
    lowered
}

fn param(lowered: &Lowered, name: &str) -> String {
    let params = lowered.desired.resources.iter().find_map(|it| it.spec.get("payload")?.get("params"));
    params.and_then(|it| it.get(name)?.to_text()).expect("a text")
}

#[test]
fn a_long_chain_is_followed_in_both_directions() {
    let count = 100_000;
    let up = params(count, |n| if n == 0 { "end".into() } else { format!("\"{}\"", other(n - 1)) });
    assert_eq!(param(&check(&up, &[]), "a99999"), "end");
    let down = params(count, |n| if n + 1 == count { "end".into() } else { format!("\"{}\"", other(n + 1)) });
    assert_eq!(param(&check(&down, &[]), "a0"), "end");
}

#[test]
fn a_large_circle_is_reported_once_and_in_short() {
    let count = 100_000;
    let text = params(count, |n| format!("\"{}\"", other((n + 1) % count)));
    let lowered = check(&text, &[("lower/reference-loop", 1)]);
    let message = &lowered.diagnostics[0].message;
    assert!(message.len() < 500 && message.contains("→ 99992 more →"), "{message}");
}

#[test]
fn many_references_to_one_place_and_in_one_text() {
    let count = 20_000;
    let star = params(count, |n| if n == 0 { "x".into() } else { format!("\"{}\"", other(0)) });
    assert_eq!(param(&check(&star, &[]), "a7"), "x");
    let text = params(3, |n| match n {
        0 => "x".into(),
        1 => format!("\"{}\"", other(0).repeat(count)),
        _ => format!("\"{}{}\"", other(0).repeat(count), "${HOME}".repeat(count)),
    });
    assert_eq!(param(&check(&text, &[("lower/unknown-root", count)]), "a1").len(), count);
}

#[test]
fn reference_expansion_is_bounded() {
    let run_time = "${services.db.network_node.ip}";
    let lists = params(60, |n| match n {
        0 => format!("[\"{run_time}\"]"),
        _ => format!("[\"{0}\", \"{0}\"]", other(n - 1)),
    });
    let texts = params(60, |n| match n {
        0 => format!("\"{run_time}\""),
        _ => format!("\"{0}{0}\"", other(n - 1)),
    });
    for text in [lists, texts] {
        let found = lowered(&text).diagnostics;
        assert!(
            !found.is_empty() && found.iter().all(|it| it.code.as_str() == "lower/too-long"),
            "{found:?}"
        );
    }
    let nested = params(200, |n| if n == 0 { "[1]".into() } else { format!("[\"{}\"]", other(n - 1)) });
    check(&nested, &[("lower/too-long", 1)]);
}
