//! Many resources: the cost grows with their number, not faster.

use crate::environment::Environment;

fn many(count: usize) -> String {
    let services: String = (0..count).map(|it| format!("  s{it}: {{payload: p, network: lan}}\n")).collect();
    format!("payloads: {{p: {{runtime: vm}}}}\nnetworks: {{lan: {{ip: 10.0.0.0/8}}}}\nservices:\n{services}")
}

/// The requests of an apply, of a second one that finds all in order, and the bytes that were written to the state.
fn cost(count: usize) -> (u64, u64, usize) {
    let site = Environment::new();
    let yaml = many(count);
    let worker = site.worker(&yaml, &Default::default());
    assert!(site.drive(&worker, "apply", Default::default()).expect("a report").ok);
    let first = worker.engine.traffic()["simulator"].requests;
    let worker = site.worker(&yaml, &Default::default());
    assert!(site.drive(&worker, "apply", Default::default()).expect("a report").ok);
    let second = worker.engine.traffic()["simulator"].requests;
    let bytes = site.backend.commits().iter().map(|it| serde_json::to_vec(&**it).expect("JSON").len()).sum();
    (first, second, bytes)
}

#[test]
fn cost_grows_with_the_number() {
    let (small, large) = (cost(100), cost(1_000));
    // One to ask what the adapter is, one whether it has any of them under another lineage, one for each resource.
    assert_eq!((small.0, large.0), (103, 1_003));
    // 200 are read at a time, by kind.
    assert_eq!((small.1, large.1), (3, 7));
    assert!(large.2 < small.2 * 11, "{} bytes, then {}", small.2, large.2);
}
