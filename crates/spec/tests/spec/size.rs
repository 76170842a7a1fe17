//! Large specifications: the time is about proportional to their size. The bounds are generous, and far below those of anything
//! quadratic. Where the system reports it, the time is that of the processor, so that a busy machine does not count.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use diag::{FileId, Span};
use planloom_spec as spec;
use spec::{Input, Services};
use syntax::Limits;

const HEADER: &str = "name: large.example.com
proto:
  package: {name: example.large, currentVersion: v1}
  service: {name: Large}
resources:
";
const BOUND: Duration = Duration::from_secs(12);

/// The time that this thread has had a processor; `None` where the system does not say.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The contents of a specification, the schema of its first service, and the time that it took.
fn read(resources: &str) -> (Services, fields::schema::Schema, Duration) {
    let text = format!("{HEADER}{resources}");
    let parse = syntax::parse(FileId(0), &text, &Limits::default());
    let (begun, had) = (Instant::now(), processor_time());
    let (skeleton, problems) = spec::read(&parse.document, Span::at(FileId(0), 0));
    assert!(problems.is_empty(), "{:?}", problems.first());
    let skeleton = skeleton.expect("it is a map");
    let (services, problems) = spec::resolve(&[Input { skeleton, is_import: false }]);
    assert!(problems.iter().all(|it| it.severity == diag::Severity::Hint), "{:?}", problems.first());
    let (schema, problems) = spec::schema(&services, 0, &fields::schema::Schema::default());
    assert!(problems.is_empty(), "{:?}", problems.first());
    assert!(spec::unused_imports(&services, std::slice::from_ref(&schema)).is_empty());
    let took = processor_time().zip(had).map_or_else(|| begun.elapsed(), |(now, had)| now - had);
    (services, schema, took)
}

#[test]
fn many_fields_take_time_in_proportion() {
    let mut text = String::from("- name: Document\n  plural: Documents\n  fields:\n");
    (0..20_000).for_each(|at| writeln!(text, "  - {{path: field_{at}, type: string}}").expect("a text"));
    let (_, schema, took) = read(&text);
    let fields = &schema.messages.get("Document").expect("the message").fields;
    assert_eq!(fields.len(), 20_002, "with `name` and `metadata`");
    assert_eq!(fields.last().map(|it| &*it.name), Some("field_19999"));
    assert!(took < BOUND, "{took:?}");
}

#[test]
fn many_resources_take_time_in_proportion() {
    let mut text = String::new();
    (0..20_000).for_each(|at| writeln!(text, "- {{name: R{at}, plural: R{at}s}}").expect("a text"));
    let (services, _, took) = read(&text);
    let last = services.find(0, "R19999").expect("the last one");
    assert_eq!(services.type_name(last), "large.example.com/R19999");
    assert!(took < BOUND, "{took:?}");
}

#[test]
fn deep_resources_share_their_patterns() {
    let mut text = String::from("- {name: R0, plural: R0s}\n");
    (1..800).for_each(|at| {
        writeln!(text, "- {{name: R{at}, plural: R{at}s, parents: [R{}]}}", at - 1).expect("a text");
    });
    let (services, _, took) = read(&text);
    let last = services.kind(services.find(0, "R799").expect("the last one")).expect("the kind");
    let pattern = last.patterns.0.first().expect("a pattern");
    assert_eq!(pattern.segments().len(), 800);
    assert!(pattern.text().starts_with("r0s/{r0}/r1s/{r1}/") && pattern.text().ends_with("/r799s/{r799}"));
    assert_eq!(pattern.parent().map(|it| it.segments().len()), Some(799));
    assert!(took < BOUND, "{took:?}");
}
