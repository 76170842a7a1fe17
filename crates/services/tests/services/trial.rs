//! Deletions tried with example resources.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

use crate::library::{NEW, workspace};
use planloom_services::Questions as _;
use workspace::view::{DeletionTrialView, NamedResourceView};

/// Resources in an order in which they cannot be created.
const EXAMPLES: &str = "\
- {name: readers/ann/loans/first, book: publishers/acme/books/one}
- name: publishers/acme/books/one
  title: One
  author: authors/bob
  series: publishers/acme/seriesList/old
- {name: publishers/acme/books/two, title: Two, series: publishers/acme/seriesList/old}
- {name: publishers/acme/seriesList/old}
- name: authors/bob
- name: publishers/acme
- name: readers/ann
";

fn trial(text: &str, kind: &str, name: &str) -> DeletionTrialView {
    let delete = NamedResourceView { kind: format!("library.example.com/{kind}"), name: name.into() };
    workspace(&[("v2.yaml", NEW)]).deletion_trial(Some(text), Some(&delete))
}

fn steps(trial: &DeletionTrialView) -> Vec<String> {
    let deletion = trial.preview.as_ref().expect("a preview");
    let step = |it: &workspace::view::DeletionStepView| {
        let because =
            it.because.as_ref().map(|it| format!(" by {} of {} {}", it.field, it.target.name, it.behavior));
        format!("{} {} {}{}", it.wave, it.effect, it.resource.name, because.unwrap_or_default())
    };
    deletion.steps.iter().map(step).collect()
}

#[test]
fn resources_are_accepted_in_any_order() {
    let trial = trial(EXAMPLES, "Publisher", "publishers/none");
    assert_eq!(trial.problems, []);
    let resources: Vec<_> = trial.resources.iter().map(|it| (&*it.resource.name, it.location.line)).collect();
    assert_eq!(
        resources[..3],
        [("readers/ann/loans/first", 1), ("publishers/acme/books/one", 2), ("publishers/acme/books/two", 6)]
    );
    assert_eq!(resources.len(), 7);
    assert_eq!(trial.preview, None, "what is not there cannot be deleted");
}

#[test]
fn a_blocked_deletion_does_nothing() {
    let trial = trial(EXAMPLES, "Author", "authors/bob");
    assert_eq!(steps(&trial), [""; 0]);
    let blocked = &trial.preview.as_ref().expect("a preview").blocked_by;
    assert_eq!(
        blocked.iter().map(|it| (&*it.referrer.name, &*it.field)).collect::<Vec<_>>(),
        [("publishers/acme/books/one", "author")]
    );
}

#[test]
fn references_are_cleared_with_their_cause() {
    let trial = trial(EXAMPLES, "Series", "publishers/acme/seriesList/old");
    assert_eq!(
        steps(&trial),
        [
            "0 removed publishers/acme/seriesList/old",
            "0 cleared publishers/acme/books/one by series of publishers/acme/seriesList/old UNSET",
            "0 cleared publishers/acme/books/two by series of publishers/acme/seriesList/old UNSET",
        ]
    );
}

#[test]
fn what_follows_comes_in_waves_and_can_get_stuck() {
    let trial = trial(EXAMPLES, "Publisher", "publishers/acme");
    let steps = steps(&trial);
    assert_eq!(steps[0], "0 removed publishers/acme");
    assert!(
        steps.contains(
            &"1 removed publishers/acme/books/two by parent of publishers/acme ASYNC_CASCADE_DELETE".into()
        ),
        "{steps:#?}"
    );
    let stuck = &trial.preview.as_ref().expect("a preview").stuck;
    let stuck: Vec<_> = stuck.iter().map(|it| (&*it.target.name, &*it.referrer.name, &*it.field)).collect();
    assert_eq!(stuck, [("publishers/acme/books/one", "readers/ann/loans/first", "book")]);
}

#[test]
fn what_is_wrong_with_an_example_is_said_with_its_place() {
    let text = "- {name: publishers/acme}\n- {name: publishers/acme/books/one}\n- {name: publishers/acme/boks/one}\n- {nam: x}\n- {name: readers/ann/loans/first, book: publishers/x/books/one}\n";
    let trial = trial(text, "Publisher", "publishers/acme");
    let problems: Vec<_> =
        trial.problems.iter().map(|it| (&*it.code, it.location.line, it.location.column)).collect();
    assert_eq!(
        problems,
        [
            ("names/surplus", 3, 10),
            ("services/no-name", 4, 3),
            ("fields/required", 2, 3),
            ("integrity/broken-references", 5, 41),
            ("integrity/broken-references", 5, 3),
        ]
    );
    assert_eq!(steps(&trial), ["0 removed publishers/acme"]);
}

#[test]
fn what_is_no_list_is_said() {
    let trial = trial("a: 1\n", "Publisher", "publishers/acme");
    assert_eq!(trial.problems[0].code, "services/no-list");
    assert_eq!(trial.resources, []);
}

#[test]
fn fixtures_of_a_workspace_need_a_host_that_reads_them() {
    let trial = workspace(&[("v2.yaml", NEW)]).deletion_trial(None, None);
    assert_eq!((trial.resources.len(), trial.problems.len()), (0, 0));
}
