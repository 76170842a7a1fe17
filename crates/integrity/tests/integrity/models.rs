//! The problems of models.

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{KindModel, Model};

use crate::support::*;

#[test]
fn problems_of_models_are_values() {
    let check = |kinds: Vec<KindModel>, expected: &[(&str, &str)]| {
        let (_, problems) = Model::new(kinds);
        let found: Vec<(&str, &str)> =
            problems.iter().map(|it| (it.code.as_str(), it.kind.as_str())).collect();
        assert_eq!(found, expected);
        for problem in problems {
            assert!(
                !problem.message.ends_with('.')
                    && !problem.message.contains('\n')
                    && !problem.help.is_empty()
            );
        }
    };
    let project = || KindModel::new(kind("P"));
    let child = |behavior| kind_model("C", Some(("P", behavior)), &[]);
    for fine in [Block, CascadeDelete, AsyncCascadeDelete, AllowDangling] {
        check(vec![project(), child(fine)], &[]);
    }
    check(vec![project(), child(Unset)], &[("integrity/parent-unset", "a/C")]);
    check(vec![project(), child(AsyncUnset)], &[("integrity/parent-unset", "a/C")]);
    let mut without = child(Block);
    without.on_parent_deleted = None;
    check(vec![project(), without], &[("integrity/no-parent-behavior", "a/C")]);
    check(vec![child(Block)], &[("integrity/unknown-parent", "a/C")]);
    check(vec![kind_model("R", None, &[("x", "b/X", Block)])], &[("integrity/unknown-target", "a/R")]);
    let cascade = kind_model("R", None, &[("x", "P", CascadeDelete)]).async_deletion();
    check(vec![project(), cascade], &[("integrity/async-deletion-with-cascade", "a/R")]);
    check(vec![project(), kind_model("R", None, &[("x", "P", AsyncCascadeDelete)]).async_deletion()], &[]);
}

#[test]
fn across_services_what_is_synchronous_happens_afterwards() {
    for (declared, local, across) in [
        (Block, Block, Block),
        (Unset, Unset, AsyncUnset),
        (CascadeDelete, CascadeDelete, AsyncCascadeDelete),
        (AsyncUnset, AsyncUnset, AsyncUnset),
        (AsyncCascadeDelete, AsyncCascadeDelete, AsyncCascadeDelete),
        (AllowDangling, AllowDangling, AllowDangling),
    ] {
        assert_eq!(Model::effective(declared, &kind("a/R"), &kind("a/T")), local);
        assert_eq!(Model::effective(declared, &kind("a/R"), &kind("b/T")), across);
    }
}
