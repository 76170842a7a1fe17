//! The number of names that are read and written in a second: `cargo run --release --example speed -p planloom-names`.
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::{fmt::Write as _, hint::black_box, time::Instant};

use planloom_names::{IdPattern, Pattern, Patterns};

/// The number of times that each text is read.
const ROUNDS: u32 = 20;

const TEXTS: u32 = 10_000;

fn main() {
    measure(
        "secrets",
        "projects/{project}/secrets/{secret} projects/{project}/regions/{region}/secrets/{secret}",
        |it| format!("projects/project-{}/regions/eu-west-{}/secrets/secret-{it}", it % 100, it % 7),
    );
    measure(
        "descriptors",
        "organizations/{organization}/logDescriptors/{path} projects/{project}/logDescriptors/{path}",
        |it| format!("projects/project-{}/logDescriptors/service.example.com/group/log-{it}", it % 100),
    );
    measure("logs", "projects/{project}/regions/{region}/buckets/{path}/logs/{log}", |it| {
        format!("projects/project-{}/regions/eu/buckets/a/b-{it}/logs/c/d-{it}", it % 100)
    });
}

fn id_pattern(variable: &str) -> IdPattern {
    match variable {
        "region" => IdPattern::region(),
        "path" | "log" => IdPattern::new(r"[\w./-]{2,128}").expect("an id pattern"),
        _ => IdPattern::default_of_names(),
    }
}

fn measure(title: &str, patterns: &str, text: impl Fn(u32) -> String) {
    let patterns = patterns.split(' ').map(|it| Pattern::of_text(it, id_pattern).expect("a pattern"));
    let patterns = Patterns(patterns.collect());
    let texts: Vec<_> = (0..TEXTS).map(text).collect();
    let read = per_second(|| texts.iter().for_each(|it| drop(black_box(patterns.parse(it)))));
    let wrong: Vec<_> = texts.iter().map(|it| format!("{it}!")).collect();
    let refused = per_second(|| wrong.iter().for_each(|it| drop(black_box(patterns.parse(it)))));
    let names: Vec<_> = texts.iter().map(|it| patterns.parse(it).expect("a name")).collect();
    let mut output = String::new();
    let written = per_second(|| {
        output.clear();
        names.iter().for_each(|it| write!(output, "{it}").expect("a text"));
    });
    let ids: Vec<Vec<_>> = names.iter().map(|it| it.ids().collect()).collect();
    let built = per_second(|| {
        names.iter().zip(&ids).for_each(|(it, ids)| drop(black_box(it.pattern().name(ids))));
    });
    println!(
        "{title}: {read:.2e} read, {refused:.2e} refused, {written:.2e} written, {built:.2e} made of ids a second"
    );
}

/// Texts in a second, in the quickest round.
fn per_second(mut round: impl FnMut()) -> f64 {
    let timed = (0..ROUNDS).map(|_| {
        let started = Instant::now();
        round();
        started.elapsed().as_secs_f64()
    });
    f64::from(TEXTS) / timed.fold(f64::INFINITY, f64::min)
}
