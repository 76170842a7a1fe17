//! The overview of services that hosts show: versions, dependences, names and requests.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

use crate::library::{NEW, OLD, workspace};
use planloom_services::Questions as _;
use workspace::view::{DeleteBehavior, DependenceView, ServiceChangeClass};

fn shown(it: &DependenceView) -> String {
    let short = |kind: &str| kind.rsplit('/').next().unwrap_or_default().to_owned();
    let field = it.field.as_deref().unwrap_or("in");
    format!("{} {field} {} {} {}", short(&it.from), short(&it.to), it.behavior, it.location.line)
}

#[test]
fn older_versions_are_listed_and_do_not_count() {
    let view = workspace(&[("v1.yaml", OLD), ("v2.yaml", NEW)]).service_overview();
    let versions: Vec<_> =
        view.versions.iter().map(|it| (&*it.version, &*it.location.file, it.is_older)).collect();
    assert_eq!(versions, [("v1", "v1.yaml", true), ("v2", "v2.yaml", false)]);
    let services: Vec<_> = view.specification.services.iter().map(|it| &*it.version).collect();
    assert_eq!(services, ["v2"]);
    assert_eq!(view.fixtures, [""; 0]);
}

#[test]
fn what_depends_on_what_has_its_behaviour_and_place() {
    let view = workspace(&[("v2.yaml", NEW)]).service_overview();
    let all: Vec<_> = view.dependences.iter().map(shown).collect();
    assert_eq!(
        all,
        [
            "Book in Publisher ASYNC_CASCADE_DELETE 6",
            "Book author Author BLOCK 8",
            "Book series Series UNSET 9",
            "Loan in Reader ASYNC_CASCADE_DELETE 11",
            "Loan book Book BLOCK 14",
            "Series in Publisher ASYNC_CASCADE_DELETE 5",
        ]
    );
}

#[test]
fn a_stuck_deletion_has_its_way_and_what_blocks_it() {
    let view = workspace(&[("v2.yaml", NEW)]).service_overview();
    assert_eq!(view.stuck.len(), 1);
    let stuck = &view.stuck[0];
    assert_eq!(
        stuck.path.iter().map(shown).collect::<Vec<_>>(),
        ["Book in Publisher ASYNC_CASCADE_DELETE 6"]
    );
    assert_eq!(shown(&stuck.blocker), "Loan book Book BLOCK 14");
    assert_eq!(stuck.blocker.behavior, DeleteBehavior::Block);
}

#[test]
fn the_example_has_each_kind_after_what_it_needs() {
    let view = workspace(&[("v2.yaml", NEW)]).service_overview();
    assert_eq!(
        view.example,
        "- {name: publishers/publisher-1}\n\
         - {name: publishers/publisher-1/seriesList/series-1}\n\
         - {name: authors/author-1}\n\
         - {name: publishers/publisher-1/books/book-1, title: title, author: authors/author-1, series: publishers/publisher-1/seriesList/series-1}\n\
         - {name: readers/reader-1}\n\
         - {name: readers/reader-1/loans/loan-1, book: publishers/publisher-1/books/book-1}\n"
    );
}

#[test]
fn a_text_is_a_name_or_a_request_or_neither() {
    let mut it = workspace(&[("v1.yaml", OLD), ("v2.yaml", NEW)]);
    let name = it.name_or_request(" publishers/a/books/b");
    assert_eq!(name.names[0].type_name, "library.example.com/Book");
    let full = it.name_or_request("//library.example.com/readers/r/loans/l");
    assert_eq!((&*full.names[0].type_name, full.problem), ("library.example.com/Loan", None));
    let other = it.name_or_request("//other.example.com/readers/r").problem.expect("a problem");
    assert_eq!((&*other.code, other.byte), ("services/unknown-service", 2));

    let request = it.name_or_request("https://host/v2/publishers/a/books/b?view=NAME");
    let methods: Vec<_> =
        request.methods.iter().map(|it| format!("{} {} {}", it.http, it.method, it.permission)).collect();
    assert_eq!(
        methods,
        [
            "GET BookService/GetBook books.get",
            "PUT BookService/UpdateBook books.update",
            "DELETE BookService/DeleteBook books.delete"
        ]
    );
    assert_eq!(request.names[0].ids[1].id, "b");
    let one = it.name_or_request("POST /v2/publishers/a/books");
    assert_eq!(
        one.methods.iter().map(|it| &*it.path).collect::<Vec<_>>(),
        ["/v2/{parent=publishers/*}/books"]
    );
}

#[test]
fn why_a_path_has_no_method_is_said_with_its_place() {
    let mut it = workspace(&[("v2.yaml", NEW)]);
    let mut why = |text: &str| {
        let problem = it.name_or_request(text).problem.expect("a problem");
        (problem.code, problem.byte as usize)
    };
    assert_eq!(why("/v2/publishers/a/boks/b"), ("names/surplus".into(), "/v2/publishers/a/".len()));
    assert_eq!(why("GET /v1/publishers/a"), ("services/no-prefix".into(), "GET ".len()));
    assert_eq!(why("DELETE /v2/publishers"), ("services/http-method".into(), 0));
    assert_eq!(why("/v2/publishers/a:sell"), ("services/no-verb".into(), "/v2/publishers/a:".len()));
    assert_eq!(why("publishers/"), ("names/trailing-slash".into(), "publishers".len()));
}

#[test]
fn two_files_are_compared_whatever_their_order() {
    let mut it = workspace(&[("v2.yaml", NEW), ("v1.yaml", OLD)]);
    let diff = it.changes_between("v1.yaml", "v2.yaml");
    assert_eq!((&*diff.old, &*diff.new), ("v1", "v2"));
    let place = |it: &Option<workspace::view::LocationView>| it.as_ref().map(|it| it.file.clone());
    let added = diff.changes.iter().find(|it| it.item == "Series").expect("a new kind");
    assert_eq!(
        (added.class, place(&added.new_location)),
        (ServiceChangeClass::Compatible, Some("v2.yaml".into()))
    );
    let back = it.changes_between("v2.yaml", "v1.yaml");
    assert_eq!((&*back.old, &*back.new), ("v2", "v1"));
    assert!(back.is_breaking());
}
