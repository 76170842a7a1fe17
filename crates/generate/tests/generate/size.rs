//! Large specifications: outputs are generated in a time about in proportion to their size. The bound is generous, and far
//! below that of any quadratic algorithm. Where the system reports it, the time is that of the processor, so that a busy
//! machine does not count.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use planloom_generate as generate;

use crate::support::service;

const KINDS: usize = 2000;
const BOUND: Duration = Duration::from_secs(8);

/// The time that this thread has had a processor; `None` where the system does not say.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[track_caller]
fn check(what: &str, generated: impl FnOnce() -> usize) {
    let (begun, had) = (Instant::now(), processor_time());
    let length = generated();
    let took = processor_time().zip(had).map_or_else(|| begun.elapsed(), |(now, had)| now - had);
    assert!(length > KINDS, "{what}: {length}");
    assert!(took < BOUND, "{what}: {took:?}");
}

#[test]
fn many_kinds_take_time_in_proportion() {
    let mut text = String::from(
        "name: large.example.com\nproto:\n  package: {name: example.large, currentVersion: v1}\n  service: {name: Large}\nresources:\n",
    );
    for at in 0..KINDS {
        writeln!(
            text,
            "- name: R{at}\n  plural: R{at}s\n  fields: [{{path: spec.size, type: int32}}, {{path: spec.mode, type: enum, values: [A, B]}}]"
        )
        .expect("a text");
    }
    let service = service(&text, &[]);
    let it = service.definition();
    check("proto", || generate::proto(it).len());
    check("docs", || generate::markdown(it).len());
    check("permissions", || generate::permissions(it).len());
    check("roles", || generate::roles(it).len());
    check("types", || generate::typescript(it).len());
}
