//! Views of the whole store, and transactions that are built from what it holds.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_store::{Kind, Query, StoreError, Transaction};

use crate::support::*;

#[test]
fn a_view_is_one_revision_of_all_kinds() {
    let store = store();
    create(&store, "a");
    let view = store.view();
    say(&store, &user(), "a", 7);
    create(&store, "b");
    assert_eq!(view.get(&node("a")).unwrap().spec, spec(0));
    assert!(view.get(&node("b")).is_none());
    assert_eq!((view.revision().get(), store.view().revision().get()), (1, 3));
    let ids = |view: &planloom_store::View| {
        view.list(&nodes(), &Query::all()).iter().map(|it| it.id().to_string()).collect::<Vec<_>>()
    };
    assert_eq!((ids(&view), ids(&store.view())), (vec!["a".into()], vec!["a".into(), "b".into()]));
    assert!(view.list(&Kind::new("app", "Other"), &Query::all()).is_empty());
    assert_eq!(store.view().kinds().collect::<Vec<_>>(), [&nodes()]);
}

#[test]
fn a_transaction_is_built_from_what_no_other_writer_changes() {
    let store = store();
    create(&store, "a");
    let count = |most: usize, id: &str| {
        let committed = store.commit_with(&user(), |writing| {
            assert_eq!(writing.now(), T0);
            match writing.list(&nodes(), &Query::all()).len() {
                found if found < most => Ok(Transaction::new().create(draft(id))),
                _ => Err(StoreError::NotFound { key: node(id) }),
            }
        });
        committed.map(|it| it.revision.get()).map_err(|error| error.code())
    };
    assert_eq!(count(2, "b"), Ok(2));
    assert_eq!(count(2, "c"), Err("store/not-found"));
    assert!(store.get(&node("c")).is_err());
    assert_eq!(store.revision().get(), 2);
    // A refusal holds no lock.
    assert_eq!(count(3, "c"), Ok(3));
    assert_eq!(count(9, "c"), Err("store/already-exists"));
    store.close();
    assert_eq!(count(9, "d"), Err("store/cancelled"));
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn writers_that_count_never_exceed_their_limit() {
    let store = store();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for at in 0..50 {
                    let full = StoreError::Cancelled;
                    let _ = store.commit_with(&user(), |writing| {
                        let free = writing.list(&nodes(), &Query::all()).len() < 20;
                        let transaction = Transaction::new().create(draft(&format!("{thread}-{at}")));
                        free.then_some(transaction).ok_or(full)
                    });
                }
            });
        }
    });
    assert_eq!(store.list(&nodes(), &Query::all()).len(), 20);
}
