//! The cost of deletions: measured by hand, with `cargo test --release -- --ignored --nocapture cost`.

use std::time::Instant;

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{KindModel, Level};
use serde_json::json;

use crate::support::*;

#[test]
#[ignore = "it measures"]
#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "it measures")]
fn cost_of_deletions_is_that_of_what_refers() {
    for count in [1_000, 10_000, 100_000] {
        let f = fixture([
            KindModel::new(kind("P")).async_deletion(),
            kind_model("C", Some(("P", AsyncCascadeDelete)), &[("t", "T", Unset)]),
            KindModel::new(kind("T")),
        ]);
        create(&f.t, "P p", json!({})).unwrap();
        create(&f.t, "P q", json!({})).unwrap();
        create(&f.t, "T t", json!({})).unwrap();
        create(&f.t, "T u", json!({})).unwrap();
        let start = Instant::now();
        for chunk in 0..count / 1_000 {
            let all: Result = f.t.run(Level::Snapshot, |session| {
                (0..1_000).try_for_each(|at| {
                    session.create(key(&format!("C p/cs/{chunk}-{at}")), json!({"t": "u"}))
                })
            });
            all.unwrap();
        }
        for at in 0..10 {
            create(&f.t, &format!("C q/cs/{at}"), json!({"t": "t"})).unwrap();
        }
        let created = start.elapsed();
        let start = Instant::now();
        delete(&f.t, &["T t"]).unwrap();
        let cleared = start.elapsed();
        let start = Instant::now();
        delete(&f.t, &["P q"]).unwrap();
        drain(&f.t);
        let few = start.elapsed();
        let instances = f.t.instances();
        let start = Instant::now();
        let preview = planloom_integrity::DeletionPreview::of(&instances, &[key("P p")]);
        assert_eq!(preview.waves.len(), 2);
        println!("{count}: preview {:?}", start.elapsed());
        let start = Instant::now();
        delete(&f.t, &["P p"]).unwrap();
        assert_eq!(drain(&f.t), 2);
        let many = start.elapsed();
        println!(
            "{count}: created {created:?}, 10 cleared {cleared:?}, 10 drained {few:?}, all drained {many:?}"
        );
    }
}
