//! Deletions that can get stuck, by kinds.

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{KindModel, Model, Severity, stuck_deletions};

use crate::support::*;

fn check(kinds: Vec<KindModel>, expected: &[&str]) {
    let (model, _) = Model::new(kinds);
    let found: Vec<String> = stuck_deletions(&model)
        .iter()
        .map(|it| {
            assert_eq!((it.severity, it.code.as_str()), (Severity::Warning, "integrity/stuck-deletion"));
            let path: Vec<String> = it
                .path
                .iter()
                .map(|step| format!("{} -{}:{}->", step.from, step.field, step.behavior))
                .collect();
            assert_eq!(it.path.first().map(|step| &step.from), Some(&it.root));
            assert_eq!(it.path.last().map(|step| &step.to), Some(&it.stuck));
            format!("{} {} <-{}- {}", path.join(" "), it.stuck, it.field, it.blocker)
        })
        .collect();
    assert_eq!(found, expected);
}

fn kind_only(name: &str) -> KindModel {
    KindModel::new(kind(name))
}

/// The guide's A, B, C, D, with something more for D.
fn guide(more: &[(&str, &str, fields::schema::DeleteBehavior)]) -> Vec<KindModel> {
    let references: Vec<_> = [("c", "C", Block)].iter().chain(more).copied().collect();
    vec![
        kind_only("A"),
        kind_model("B", None, &[("a", "A", AsyncCascadeDelete)]),
        kind_model("C", None, &[("a", "A", AsyncCascadeDelete)]),
        kind_model("D", None, &references),
    ]
}

#[test]
fn the_case_of_the_guide_is_found() {
    let found = "a/A -a:ASYNC_CASCADE_DELETE-> a/C <-c- a/D";
    check(guide(&[]), &[found]);
    // D goes with A too, at once or later, directly or not.
    check(guide(&[("a", "A", AsyncCascadeDelete)]), &[]);
    check(guide(&[("a", "A", CascadeDelete)]), &[]);
    check(guide(&[("b", "B", AsyncCascadeDelete)]), &[]);
    // These do not delete D.
    for other in [Unset, AsyncUnset, AllowDangling, Block] {
        check(guide(&[("a", "A", other)]), &[found]);
    }
}

#[test]
fn a_way_needs_an_asynchronous_step_and_may_have_others() {
    let chain = |first, second| {
        vec![
            kind_only("A"),
            kind_model("B", Some(("A", first)), &[]),
            kind_model("C", Some(("B", second)), &[]),
            kind_model("D", None, &[("x.c[]", "C", Block)]),
        ]
    };
    // Everything at once: the deletion is refused, and nothing gets stuck.
    check(chain(CascadeDelete, CascadeDelete), &[]);
    check(
        chain(AsyncCascadeDelete, CascadeDelete),
        &["a/A -parent:ASYNC_CASCADE_DELETE-> a/B -parent:CASCADE_DELETE-> a/C <-x.c[]- a/D"],
    );
    check(
        chain(CascadeDelete, AsyncCascadeDelete),
        &[
            "a/A -parent:CASCADE_DELETE-> a/B -parent:ASYNC_CASCADE_DELETE-> a/C <-x.c[]- a/D",
            "a/B -parent:ASYNC_CASCADE_DELETE-> a/C <-x.c[]- a/D",
        ],
    );
    check(chain(AllowDangling, CascadeDelete), &[]);
    // A child may block its parent.
    check(
        vec![
            kind_only("A"),
            kind_model("C", Some(("A", AsyncCascadeDelete)), &[]),
            kind_model("D", Some(("C", Block)), &[]),
        ],
        &["a/A -parent:ASYNC_CASCADE_DELETE-> a/C <-parent- a/D"],
    );
    // A kind that blocks itself goes with itself; circles end.
    check(vec![kind_only("A"), kind_model("C", Some(("A", AsyncCascadeDelete)), &[("c", "C", Block)])], &[]);
    check(
        vec![
            kind_model("A", None, &[("b", "B", AsyncCascadeDelete)]),
            kind_model("B", None, &[("a", "A", AsyncCascadeDelete)]),
            kind_model("D", None, &[("a", "A", Block)]),
        ],
        &[
            "a/A -a:ASYNC_CASCADE_DELETE-> a/B -b:ASYNC_CASCADE_DELETE-> a/A <-a- a/D",
            "a/B -b:ASYNC_CASCADE_DELETE-> a/A <-a- a/D",
        ],
    );
}

#[test]
fn what_is_synchronous_within_a_service_is_not_across() {
    let of = |service: &str| {
        vec![
            kind_only("a/A"),
            kind_model(&format!("{service}/C"), None, &[("a", "a/A", CascadeDelete)]),
            kind_model("a/D", None, &[("c", &format!("{service}/C"), Block)]),
        ]
    };
    check(of("a"), &[]);
    check(of("b"), &["a/A -a:ASYNC_CASCADE_DELETE-> b/C <-c- a/D"]);
    let mut exempt = of("b");
    exempt[2].exempt = true;
    check(exempt, &[]);
}

/// Cases that real specifications have, with the kinds that they are about.
#[test]
fn cases_of_real_specifications_are_found() {
    check(
        vec![
            kind_only("ai/Project"),
            kind_model("ai/SearchDb", Some(("ai/Project", AsyncCascadeDelete)), &[]),
            kind_model("ai/SearchIndex", Some(("ai/SearchDb", AsyncCascadeDelete)), &[]),
            kind_model(
                "ai/CapabilityTemplate",
                Some(("ai/Project", AsyncCascadeDelete)),
                &[("rag_config.search_indices[]", "ai/SearchIndex", Block)],
            ),
        ],
        &["ai/SearchDb -parent:ASYNC_CASCADE_DELETE-> ai/SearchIndex \
           <-rag_config.search_indices[]- ai/CapabilityTemplate"],
    );
    check(
        vec![
            kind_only("iam/Organization"),
            kind_only("meta/Service"),
            kind_model(
                "limits/LimitPool",
                Some(("iam/Organization", AsyncCascadeDelete)),
                &[
                    ("service", "meta/Service", AsyncCascadeDelete),
                    ("source", "limits/LimitPool", AsyncCascadeDelete),
                ],
            ),
            kind_model("meta/Resource", Some(("meta/Service", AsyncCascadeDelete)), &[]),
            kind_model(
                "limits/Limit",
                None,
                &[("sources[].pool", "limits/LimitPool", Block), ("resource", "meta/Resource", Block)],
            ),
        ],
        &[
            "iam/Organization -parent:ASYNC_CASCADE_DELETE-> limits/LimitPool <-sources[].pool- limits/Limit",
            "limits/LimitPool -source:ASYNC_CASCADE_DELETE-> limits/LimitPool <-sources[].pool- limits/Limit",
            "meta/Service -service:ASYNC_CASCADE_DELETE-> limits/LimitPool <-sources[].pool- limits/Limit",
            "meta/Service -parent:ASYNC_CASCADE_DELETE-> meta/Resource <-resource- limits/Limit",
        ],
    );
    check(
        vec![
            kind_only("secrets/Project").async_deletion(),
            kind_only("applications/Project").async_deletion(),
            kind_model("secrets/Secret", Some(("secrets/Project", AsyncCascadeDelete)), &[]),
            kind_model(
                "applications/Pod",
                Some(("applications/Project", AsyncCascadeDelete)),
                &[("spec.image_pull_secrets[].name", "secrets/Secret", Block)],
            ),
        ],
        &["secrets/Project -parent:ASYNC_CASCADE_DELETE-> secrets/Secret \
           <-spec.image_pull_secrets[].name- applications/Pod"],
    );
}
