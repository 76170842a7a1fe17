//! Measures the number of filter evaluations in a second, and other frequent calls of this crate: `cargo run --release
//! --example filter_speed -p planloom-fields`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "it measures and prints")]

use std::{hint::black_box, time::Instant};

use planloom_fields::{
    BySegment, FieldMask, Filter, MessageType, OrderBy, PageQuery, normalize, page,
    schema::{Field, FieldType, Meaning, Message, Scalar, Schema, WellKnown},
    validate,
};
use serde_json::{Value, json};

/// Calls `f` for about half a second and prints how often it can be called in one.
fn measure<T>(what: &str, items: usize, mut f: impl FnMut() -> T) {
    let start = Instant::now();
    let mut calls = 0_u32;
    while start.elapsed().as_millis() < 500 {
        black_box(f());
        calls += 1;
    }
    let each = f64::from(calls) * items as f64 / start.elapsed().as_secs_f64();
    println!("{what:<48} {each:>14.0} in a second");
}

fn schema() -> Schema {
    let text = || FieldType::Scalar(Scalar::String);
    let name =
        Field { meaning: Some(Meaning::Name { resource: "Task".into() }), ..Field::new("name", text()) };
    let task = vec![
        name,
        Field::new("display_name", text()),
        Field::new("spec", FieldType::Message("Spec".into())),
        Field::new("create_time", FieldType::WellKnown(WellKnown::Timestamp)),
    ];
    let spec = vec![Field::new("size", FieldType::Scalar(Scalar::Int64)), Field::new("node_name", text())];
    let message = |fields| Message { fields, ..Message::default() };
    Schema {
        messages: [("Task".into(), message(task)), ("Spec".into(), message(spec))].into(),
        ..Schema::default()
    }
}

fn task(at: usize) -> Value {
    json!({
        "name": format!("projects/p{}/tasks/t{at:06}", at % 7),
        "displayName": format!("Task {}", at * 7919 % 10_000),
        "spec": {"size": (at % 100).to_string(), "nodeName": format!("projects/p/nodes/n{}", at % 50)},
        "createTime": format!("2026-01-{:02}T12:00:00Z", at % 28 + 1),
    })
}

fn main() {
    let schema = schema();
    let of = MessageType::new(&schema, "Task");
    let tasks: Vec<Value> = (0..10_000).map(task).collect();
    for text in [
        "spec.size < 50",
        "name = \"projects/-/tasks/-\" AND spec.node_name IN (\"projects/p/nodes/n1\", \"projects/p/nodes/n2\")",
        "create_time > \"2026-01-15T00:00:00Z\" AND NOT (display_name LIKE \"%99%\" OR spec.size = 7)",
    ] {
        let Ok(filter) = Filter::parse(text) else { continue };
        println!("{text}");
        measure("  read", 1, || Filter::parse(text));
        for (what, of) in [("  evaluated without a type", None), ("  evaluated with a type", of)] {
            let Ok(selector) = filter.bind(of, &BySegment) else { continue };
            measure(what, tasks.len(), || tasks.iter().filter(|it| selector.selects(it)).count());
        }
    }
    let (Ok(filter), Ok(order), Some(of)) =
        (Filter::parse("spec.size < 50"), OrderBy::parse("display_name desc"), of)
    else {
        return;
    };
    let query = PageQuery {
        filter: &filter,
        order: &order,
        parent: "",
        page_size: 100,
        max_weight: usize::MAX,
        weigh: &|_| 0,
        page_token: "",
        of: Some(of),
        names: &BySegment,
        secret: b"",
    };
    measure("pages of 100 of 10,000 resources", 1, || page(&tasks, &query));
    measure("resources validated", tasks.len(), || {
        tasks.iter().map(|it| validate(it, of, None).len()).sum::<usize>()
    });
    measure("resources normalized", tasks.len(), || {
        tasks.iter().map(|it| normalize(it, of)).filter(Value::is_object).count()
    });
    measure("pairs of resources compared to a mask", tasks.len() - 1, || {
        tasks.windows(2).map(|it| FieldMask::diff(&it[0], &it[1], Some(of)).paths().count()).sum::<usize>()
    });
}
