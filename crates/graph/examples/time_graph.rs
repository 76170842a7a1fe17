//! The times that graphs take: `cargo run --release -p planloom-graph --example time_graph`.
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use diag::{FileId, Span};
use model::{Address, Data, Dependency, Desired, DesiredResource, EdgeKind, Origin, Pointer, Value};
use planloom_graph::{
    Graph,
    layout::{LayoutInput, layout},
};

fn main() {
    for (nodes, edges) in [(1_000, 2_000), (10_000, 20_000), (100_000, 200_000)] {
        let desired = random(nodes, edges);
        let (graph, built) = best(|| Graph::build(&desired).0);
        let (drawn, reduced) = best(|| graph.reduction().len());
        println!(
            "{nodes} nodes, {} edges: build {built:?}, reduction to {drawn} {reduced:?}",
            graph.edges.len()
        );
    }
    for (nodes, edges, back) in [(100, 150, 30), (300, 450, 30), (1_000, 1_500, 30), (200, 2_000, 200)] {
        let input = drawing(nodes, edges, back);
        let (layout, took) = best(|| layout(&input));
        println!("{nodes} nodes, {edges} edges: layout {took:?}, {:?}", layout.size);
    }
}

/// The answer, and the shortest of several times it took.
fn best<T>(answer: impl Fn() -> T) -> (T, Duration) {
    let timed = || {
        let started = Instant::now();
        (answer(), started.elapsed())
    };
    (1..5).fold(timed(), |best, _| {
        let next = timed();
        if next.1 < best.1 { next } else { best }
    })
}

/// Edges that lead at most `back` nodes back, no two alike.
fn drawing(count: usize, edges: usize, back: usize) -> LayoutInput {
    let mut below = numbers();
    let mut pairs = BTreeSet::new();
    while pairs.len() < edges {
        let from = 1 + below(count - 1);
        pairs.insert((from, from - 1 - below(from.min(back))));
    }
    let (edges, sizes) = (pairs.into_iter().collect(), vec![(140.0, 40.0); count]);
    LayoutInput { sizes, edges, layer_gap: 72.0, node_gap: 18.0, waves: false }
}

/// The same numbers each time, below what is asked for.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 1_u64;
    move |end| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    }
}

/// Each edge leads at most 300 declarations back.
fn random(count: usize, edges: usize) -> Desired {
    let mut below = numbers();
    let address = |n: usize| Address::new("services", format!("service-{n}"));
    let mut resources: Vec<DesiredResource> = (0..count)
        .map(|n| DesiredResource {
            address: address(n),
            kind: "service".into(),
            spec: Value::new(Data::Null, Origin::Observed),
            templates: Default::default(),
            declared: Span::at(FileId(0), n as u32),
            dependencies: Vec::new(),
            links: Vec::new(),
            packages: Vec::new(),
        })
        .collect();
    for _ in 0..edges {
        let from = 1 + below(count - 1);
        let to = from - 1 - below(from.min(300));
        resources[from].dependencies.push(Dependency {
            to: address(to),
            kind: EdgeKind::DependsOn,
            path: Pointer::root(),
            takes: None,
            span: Span::default(),
        });
    }
    Desired { resources: resources.into_iter().map(Into::into).collect(), ..Desired::default() }
}
