//! The times that merging takes: `cargo run --release -p planloom-merge --example time_merge`.
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::time::{Duration, Instant};

use diag::FileId;
use planloom_merge::{Layer, merge};
use syntax::{Limits, parse};
use types::Types;

fn main() {
    for (services, overlays, each) in [(1_000, 20, 50), (1_000, 1, 1_000), (10_000, 20, 500)] {
        let texts = std::iter::once(base(services)).chain((0..overlays).map(|n| overlay(n, each, services)));
        let layers: Vec<Layer> = texts
            .enumerate()
            .map(|(idx, text)| parse(FileId(idx as u32), &text, &Limits::default()).document.root)
            .map(|root| Layer::new(root, None))
            .collect();
        let types = Types::builtin();
        let (merged, diagnostics) = merge(&layers, &types);
        println!(
            "{services} services, {overlays} overlays of {each}: {:?}; {} places have a history, {} diagnostics",
            best(|| drop(merge(&layers, &types))),
            merged.history.len(),
            diagnostics.len()
        );
    }
}

fn best(work: impl Fn()) -> Duration {
    let timed = |_| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    (0..20).map(timed).min().unwrap_or_default()
}

fn base(services: usize) -> String {
    let mut text = String::from("payloads:\n  p: {runtime: vm, params: {image_hash: abc}}\nservices:\n");
    for n in 0..services {
        text.push_str(&format!(
            "  service-{n}:\n    payload: p\n    network: default\n    depends_on: [service-{}]\n    init:\n      \
             - run:\n          args: [\"/bin/sh\", \"-c\", \"echo {n}\"]\n    x-labels: {{tier: \"{}\", zone: a}}\n",
            n.saturating_sub(1),
            n % 5
        ));
    }
    text
}

/// Touches services all over the base: a scalar, a map, a list.
fn overlay(nth: usize, services: usize, of: usize) -> String {
    let mut text = String::from("services:\n");
    for n in 0..services {
        text.push_str(&format!(
            "  service-{}:\n    network: lan-{nth}\n    x-labels: {{tier: \"{}\", overlay: \"{nth}\"}}\n    init:\n      \
             - run: {{args: [\"/bin/true\"]}}\n",
            (n * 7 + nth * 13) % of,
            n + nth
        ));
    }
    text
}
