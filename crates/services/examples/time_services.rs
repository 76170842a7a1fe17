//! Measures what is done with a large specification, step by step:
//! `cargo run --release -p planloom-services --example time_services [KINDS [ARTIFACTS]]`,
//! with names of artifacts such as `proto,docs`; `none` generates nothing.
//!
//! Each kind has fields, messages in it, an enumeration, a reference to the kind before it and a method of its own. The
//! last steps are those of a server that starts.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::{fmt::Write as _, hint::black_box, sync::Arc, time::Instant};

use planloom_services::{Questions as _, Services};
use workspace::{
    File, Workspace,
    view::{GeneratedArtifact, Role, Severity},
};

const KINDS: usize = 1000;

fn specification(kinds: usize) -> String {
    let mut text = String::from(
        "name: large.example.com
proto:
  package: {name: example.large, currentVersion: v1}
  service: {name: Large}
resources:
",
    );
    for at in 0..kinds {
        let _ = write!(
            text,
            "- name: R{at}
  plural: R{at}s
  fields:
  - {{path: display_name, type: string}}
  - {{path: spec.size, type: int32}}
  - {{path: spec.mode, type: enum, values: [NONE, FAST, SLOW]}}
  - {{path: spec.limits.most, type: int64}}
  - {{path: spec.before, type: reference, resource: R{}, targetDeleteBehavior: BLOCK}}
",
            at.saturating_sub(1)
        );
    }
    text
}

fn main() {
    let kinds = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(KINDS);
    let mut workspace = Workspace::new();
    workspace.load(Box::new(Services));
    let mut clock = Instant::now();
    let mut step = |name: &str| {
        println!("{name:<14}{:>9.1} ms", clock.elapsed().as_secs_f64() * 1e3);
        clock = Instant::now();
    };
    let file = File { name: "large.yaml".into(), text: specification(kinds), package: None };
    workspace.set_files_as(Role::Specification, vec![file]);
    step("parse");
    let found = workspace.diagnostics().diagnostics;
    if let Some(it) = found.iter().find(|it| it.severity == Severity::Error) {
        println!("{it:?}");
    }
    step("read");
    let named = std::env::args().nth(2);
    let is_named = |it: &&GeneratedArtifact| {
        named.as_deref().is_none_or(|all| all.split(',').any(|name| name == it.as_str()))
    };
    for artifact in GeneratedArtifact::ALL.iter().filter(is_named) {
        black_box(workspace.generated(*artifact));
        step(artifact.as_str());
    }
    black_box(workspace.specification());
    step("views");
    let (services, schemas) = (workspace.services(), workspace.schemas());
    let rules = api::rules(&services, &schemas);
    step("rules");
    black_box(rules.is_ok());
    black_box(api::Router::new(&services));
    step("router");
    black_box(Arc::strong_count(&schemas));
}
