//! Changes between two small specifications, and laws about all of them.

use std::{collections::BTreeSet, fmt::Write as _};

use diag::{FileId, Severity, Span};
use fields::schema::Schema;
use planloom_spec as spec;
use proptest::prelude::*;
use spec::{Change, ChangeClass, ChangeKind, Input, Services, Side};
use syntax::Limits;

const IMPORTED: &str = "name: iam.example.com
proto: {package: {name: example.iam, currentVersion: v1}}
resources:
- name: Project
- name: Organization
";

/// A specification and its messages. `rest` are the keys after the header.
struct Version {
    services: Services,
    schema: Schema,
}

fn read(at: u32, text: &str, is_import: bool) -> Input {
    let parse = syntax::parse(FileId(at), text, &Limits::default());
    assert!(parse.diagnostics.is_empty(), "{text}\n{:#?}", parse.diagnostics);
    let (skeleton, problems) = spec::read(&parse.document, Span::at(FileId(at), 0));
    assert!(problems.iter().all(|it| it.severity != Severity::Error), "{text}\n{problems:#?}");
    Input { skeleton: skeleton.expect("it is a map"), is_import }
}

fn version(version: &str, next: &str, rest: &str) -> Version {
    let package = format!("{{name: example.library, currentVersion: {version}{next}}}");
    let text = format!("name: library.example.com\nproto: {{package: {package}}}\n{rest}");
    let imports = ["v1", "v2"].iter().zip(1..);
    let imports = imports.map(|(it, at)| read(at, &IMPORTED.replace("v1", it), true));
    let inputs: Vec<Input> = std::iter::once(read(0, &text, false)).chain(imports).collect();
    let (services, problems) = spec::resolve(&inputs);
    assert!(problems.iter().all(|it| it.severity != Severity::Error), "{text}\n{problems:#?}");
    let (schema, problems) = spec::schema(&services, 0, &Schema::default());
    assert!(problems.iter().all(|it| it.severity != Severity::Error), "{text}\n{problems:#?}");
    Version { services, schema }
}

impl Version {
    fn side(&self) -> Side<'_> {
        Side { services: &self.services, service: 0, schema: Some(&self.schema) }
    }
}

fn line(change: &Change) -> String {
    let arrow = if change.old.is_empty() && change.new.is_empty() { "" } else { ": " };
    let values = if arrow.is_empty() { String::new() } else { format!("{} -> {}", change.old, change.new) };
    format!("{:?} {:?} {}{arrow}{values}", change.class, change.kind, change.item)
}

/// Both are versions of the same number, so that only what is written differs.
fn check(old: &str, new: &str, expected: &[&str]) {
    let (old, new) = (version("v1", "", old), version("v1", "", new));
    let changes = spec::compare(old.side(), new.side());
    let found: Vec<String> = changes.iter().map(line).collect();
    assert_eq!(found, expected);
    for change in changes {
        assert!(!change.reason().is_empty() && !change.help().is_empty(), "{change:?}");
        assert!(change.old_span.is_some() || change.new_span.is_some(), "{change:?}");
    }
}

/// One resource `Book` with these keys.
fn book(keys: &str) -> String {
    format!("resources:\n- {{name: Book{}{keys}}}\n", if keys.is_empty() { "" } else { ", " })
}

fn check_book(old: &str, new: &str, expected: &[&str]) {
    check(&book(old), &book(new), expected);
}

/// One action of the API `Desk` with these keys.
fn check_action(old: &str, new: &str, expected: &[&str]) {
    let actions = |keys: &str| {
        format!(
            "apis:\n- name: Desk\n  actions:\n  - {{name: Lend, withStoreHandle: {{transaction: NONE}}{}{keys}}}\n",
            if keys.is_empty() { "" } else { ", " }
        )
    };
    check(&actions(old), &actions(new), expected);
}

/// A book with these fields.
fn check_fields(old: &[&str], new: &[&str], expected: &[&str]) {
    let fields = |list: &[&str]| {
        let lines: String = list.iter().map(|it| format!("  - {{{it}}}\n")).collect();
        format!("resources:\n- name: Shelf\n- name: Book\n  fields:\n{lines}")
    };
    check(&fields(old), &fields(new), expected);
}

/// Checks the reasons why these resources cannot be the same in two versions.
fn check_apart(old: &str, new: &str, expected: &[&str]) {
    let resources = |it: &str| format!("imports: [iam.example.com]\nresources:\n{it}");
    let (old, new) = (version("v1", "", &resources(old)), version("v2", "", &resources(new)));
    assert_eq!(spec::check_coexistence(old.side(), new.side()), expected);
}

#[test]
fn versions_whose_resources_can_be_the_same() {
    let book = |keys: &str| format!("- name: Shelf\n- {{name: Book, parents: [Shelf], {keys}}}\n");
    let fields = |fields: &str| book(&format!("fields: [{fields}]"));
    let values = |values: &str| fields(&format!("{{path: state, type: enum, values: [{values}]}}"));
    let reference = |to: &str| {
        fields(&format!("{{path: owner, type: reference, resource: {to}, targetDeleteBehavior: BLOCK}}"))
    };
    for (old, new, expected) in [
        (book(""), book(""), &[][..]),
        (book(""), "- name: Shelf\n".to_owned(), &[]),
        (book(""), "- name: Shelf\n- {name: Book, parents: [Shelf, '']}\n".to_owned(), &[]),
        (
            "- name: Shelf\n- {name: Book, parents: [Shelf, '']}\n".to_owned(),
            book(""),
            &["`books/{book}` is no name of `Book` in v2"],
        ),
        (book("plural: Bookes"), book(""), &["`shelfs/{shelf}/bookes/{book}` is no name of `Book` in v2"]),
        (
            book("versioning: {replacement: Volume}"),
            "- name: Shelf\n- name: Volume\n".to_owned(),
            &["`Book` of v1 is `Volume` in v2"],
        ),
        // Numbers do not count, but for names that have changed.
        (fields("{path: a, number: 7}, {path: b}"), fields("{path: b}, {path: c, type: int32}"), &[]),
        (fields("{path: a, number: 7}"), fields("{path: z, number: 7}"), &["`Book.a` of v1 is `z` in v2"]),
        (fields("{path: a, number: 7}"), fields("{path: z, number: 7, type: bool}"), &[]),
        (
            fields("{path: a}"),
            fields("{path: 'a[]'}"),
            &["`Book.a` is string in v1 and repeated string in v2"],
        ),
        (
            fields("{path: 'm{}', type: int32}"),
            fields("{path: 'm{}', type: int64}"),
            &["`Book.m` is map<string, int32> in v1 and map<string, int64> in v2"],
        ),
        (
            fields("{path: 's[].a.x', type: bool}, {path: 's[].b'}"),
            fields("{path: 's[].a.x', type: timestamp}, {path: 's[].b', type: object}"),
            &[
                "`Book.s.a.x` is bool in v1 and .google.protobuf.Timestamp in v2",
                "`Book.s.b` is string in v1 and Book.S.B in v2",
            ],
        ),
        (values("UNKNOWN, IN"), values("UNKNOWN, OUT, IN"), &[]),
        (values("UNKNOWN, IN"), values("UNKNOWN, OUT"), &["`IN` is no value of `Book.state` in v2"]),
        (reference("Shelf"), fields("{path: owner}"), &[]),
        (
            reference("Shelf"),
            reference("iam.example.com/Project"),
            &["`Book.owner` is a reference to `library.example.com/Shelf` in v1 and one to \
               `iam.example.com/Project` in v2"],
        ),
    ] {
        check_apart(&old, &new, expected);
    }
}

#[test]
fn resources() {
    check(
        &book(""),
        "resources:\n- name: Book\n- {name: Shelf, plural: Shelves}\n",
        &["Compatible ResourceAdded Shelf:  -> shelves/{shelf}", "Compatible ApiAdded ShelfService"],
    );
    check(
        "resources:\n- name: Book\n- {name: Shelf, plural: Shelves}\n",
        &book(""),
        &["Breaking ResourceRemoved Shelf: shelves/{shelf} -> ", "Breaking ApiRemoved ShelfService"],
    );
    check_book(
        "idPattern: '[a-z]+'",
        "idPattern: '[a-z0-9]+'",
        &["Unlisted IdPatternChanged Book: [a-z]+ -> [a-z0-9]+"],
    );
    check_book("", "creationIdPattern: '[a-z]+'", &["Unlisted CreationIdPatternChanged Book:  -> [a-z]+"]);
    check_book("", "multiRegion: {syncType: NEVER}", &["Unlisted SyncTypeChanged Book: DEFAULT -> NEVER"]);
    check_book("", "optOuts: {paging: true}", &["Unlisted OptOutAdded Book.paging:  -> paging"]);
    check_book("optOuts: {paging: true}", "", &["Compatible OptOutRemoved Book.paging: paging -> "]);
    check_book(
        "",
        "optIns: {searchable: true}",
        &["Unlisted SearchableChanged Book: false -> true", "Compatible MethodAdded BookService/SearchBooks"],
    );
    check_book(
        "",
        "optOuts: {basicActions: ['Delete*']}",
        &["Breaking MethodRemoved BookService/DeleteBook"],
    );
}

#[test]
fn parents() {
    let below = |parents: &str| {
        format!(
            "imports: [iam.example.com]\nresources:\n- {{name: Book, {parents}, optOuts: {{basicActions: ['*']}}}}\n"
        )
    };
    let rows: [(&str, &str, &[&str]); 6] = [
        (
            "parents: []",
            "parents: [iam.example.com/Project]",
            &[
                "Breaking FirstParentAdded Book:  -> iam.example.com/Project",
                "Breaking PatternsLost Book: books/{book} -> projects/{project}/books/{book}",
            ],
        ),
        (
            "parents: [iam.example.com/Project]",
            "parents: [iam.example.com/Project, iam.example.com/Organization]",
            &[
                "Compatible ParentAdded Book: iam.example.com/Project -> iam.example.com/Project, iam.example.com/Organization",
                "Compatible PatternsAdded Book:  -> organizations/{organization}/books/{book}",
            ],
        ),
        (
            "parents: []",
            "parents: ['', iam.example.com/Project]",
            &[
                "Compatible ParentAdded Book:  -> \"\", iam.example.com/Project",
                "Compatible PatternsAdded Book:  -> projects/{project}/books/{book}",
            ],
        ),
        (
            "parents: ['', iam.example.com/Project]",
            "parents: [iam.example.com/Project]",
            &[
                "Breaking OptionalParentDropped Book: \"\", iam.example.com/Project -> iam.example.com/Project",
                "Breaking PatternsLost Book: books/{book} -> ",
            ],
        ),
        (
            "parents: ['', iam.example.com/Project]",
            "parents: [iam.example.com/Project, iam.example.com/Organization]",
            &[
                "Breaking ParentReplaced Book: \"\", iam.example.com/Project -> iam.example.com/Project, iam.example.com/Organization",
                "Breaking PatternsLost Book: books/{book} -> organizations/{organization}/books/{book}",
            ],
        ),
        (
            "parents: [iam.example.com/Project, iam.example.com/Organization]",
            "parents: [iam.example.com/Project]",
            &[
                "Breaking ParentRemoved Book: iam.example.com/Project, iam.example.com/Organization -> iam.example.com/Project",
                "Breaking PatternsLost Book: organizations/{organization}/books/{book} -> ",
            ],
        ),
    ];
    for (old, new, expected) in rows {
        check(&below(old), &below(new), expected);
    }
}

#[test]
fn scope_attributes_break_only_if_a_pattern_is_lost() {
    let out = "parents: [Shelf], optOuts: {basicActions: ['*']}";
    let with = |keys: &str| {
        format!("resources:\n- {{name: Shelf, plural: Shelves}}\n- {{name: Book, {out}{keys}}}\n")
    };
    let (none, required) = (with(""), with(", scopeAttributes: [Region]"));
    let optional = with(", scopeAttributes: [Region], scopeAttributeOverrides: {Region: {isOptional: true}}");
    let regional = "shelves/{shelf}/regions/{region}/books/{book}";
    let plain = "shelves/{shelf}/books/{book}";
    let lost = format!("Breaking PatternsLost Book: {plain} -> {regional}");
    check(&none, &required, &[&lost, "Breaking ScopeAttributeAdded Book:  -> Region"]);
    let gained = format!("Compatible PatternsAdded Book:  -> {regional}");
    check(&none, &optional, &[&gained, "Compatible ScopeAttributeAdded Book:  -> Region, optional"]);
    let dropped = format!("Breaking PatternsLost Book: {plain} -> ");
    check(
        &optional,
        &required,
        &[&dropped, "Breaking ScopeAttributeChanged Book: Region, optional -> Region"],
    );
    let swapped = format!("Breaking PatternsLost Book: {regional} -> {plain}");
    check(&required, &none, &[&swapped, "Breaking ScopeAttributeRemoved Book: Region -> "]);
}

#[test]
fn names_are_counted_once() {
    let old = "resources:\n- {name: Book, versioning: {replacement: Volume}, fields: [{path: title}, {path: spec.size}]}\n";
    let new = "resources:\n- {name: Volume, fields: [{path: title}, {path: spec.size}]}\n";
    let (old, new) = (version("v1", "", old), version("v2", "", new));
    let changes = spec::compare(old.side(), new.side());
    let counted: Vec<String> =
        changes.iter().filter(|it| it.class != ChangeClass::FollowsNames).map(line).collect();
    let expected = [
        "Breaking ResourceRenamed Book: Book -> Volume",
        "Breaking PatternsLost Book: books/{book} -> volumes/{volume}",
    ];
    assert_eq!(counted, expected);
    let follows = changes.iter().filter(|it| it.class == ChangeClass::FollowsNames);
    let kinds: BTreeSet<ChangeKind> = follows.map(|it| it.kind).collect();
    let expected = [
        ChangeKind::PluralChanged,
        ChangeKind::MethodRenamed,
        ChangeKind::PermissionChanged,
        ChangeKind::HttpPaths,
        ChangeKind::HttpBodyChanged,
    ];
    assert_eq!(kinds, expected.into());
}

#[test]
fn merging_and_splitting_are_unsupported() {
    let out = "optOuts: {basicActions: ['*']}";
    check(
        &format!(
            "resources:\n- {{name: Book, {out}, versioning: {{replacement: Item}}}}\n\
             - {{name: Film, {out}, versioning: {{replacement: Item}}}}\n"
        ),
        &format!("resources:\n- {{name: Item, {out}}}\n"),
        &[
            "Breaking ResourceRenamed Book: Book -> Item",
            "FollowsNames PluralChanged Book: Books, books -> Items, items",
            "Breaking PatternsLost Book: books/{book} -> items/{item}",
            "Unsupported ResourcesMerged Item: Book, Film -> Item",
        ],
    );
    check(
        &format!("resources:\n- {{name: Book, {out}, versioning: {{replacement: Film}}}}\n"),
        &format!("resources:\n- {{name: Book, {out}}}\n- {{name: Film, {out}}}\n"),
        &[
            "Unsupported ResourceSplit Book: Book -> Book, Film",
            "Compatible ResourceAdded Film:  -> films/{film}",
        ],
    );
}

#[test]
fn methods() {
    check_action(
        "",
        "verb: borrow",
        &[
            "Breaking VerbChanged DeskService/Lend: lend -> borrow",
            "FollowsNames PermissionChanged DeskService/Lend: lend -> borrow",
            "FollowsNames HttpPaths DeskService/Lend: :lend -> :borrow",
        ],
    );
    check_action(
        "",
        "streamingResponse: true",
        &["Breaking ServerStreamingChanged DeskService/Lend: false -> true"],
    );
    check_action(
        "",
        "streamingRequest: true",
        &["Breaking ClientStreamingChanged DeskService/Lend: false -> true"],
    );
    check_action(
        "",
        "requestName: Loan",
        &["Breaking RequestTypeChanged DeskService/Lend: LendRequest -> Loan"],
    );
    check_action(
        "",
        "responseName: Loan",
        &["Breaking ResponseTypeChanged DeskService/Lend: LendResponse -> Loan"],
    );
    check_action(
        "",
        "multiRegionRouting: {skipCodeGenBasedRouting: true}",
        &["Unlisted RoutingChanged DeskService/Lend:  -> skip generated"],
    );
    check_action(
        "",
        "grpcTranscoding: {httpMethod: get}",
        &["Breaking HttpPaths DeskService/Lend: POST :lend -> GET :lend"],
    );
    check_action(
        "grpcTranscoding: {httpPathOverrides: ['/v1/a']}",
        "grpcTranscoding: {httpPathOverrides: ['/v1/a', '/v1/b']}",
        &["Compatible HttpPaths DeskService/Lend: /a -> /a, /b"],
    );
    check_action(
        "grpcTranscoding: {httpPathOverrides: ['/v1/a', '/v1/b']}",
        "grpcTranscoding: {httpPathOverrides: ['/v1/b', '/v1/a']}",
        &["Unlisted HttpPaths DeskService/Lend: /a, /b -> /b, /a"],
    );
    check_action(
        "",
        "grpcTranscoding: {httpBodyField: loan}",
        &["Breaking HttpBodyChanged DeskService/Lend:  -> loan"],
    );
}

#[test]
fn transactions_are_behaviour_only() {
    let action = |store: &str| {
        format!("apis:\n- name: Desk\n  actions:\n  - {{name: Lend, withStoreHandle: {{{store}}}}}\n")
    };
    check(
        &action("transaction: SNAPSHOT"),
        &action("transaction: MANUAL, readOnly: true"),
        &[
            "Unlisted TransactionChanged DeskService/Lend: SNAPSHOT -> MANUAL",
            "Unlisted ReadOnlyChanged DeskService/Lend: false -> true",
        ],
    );
}

#[test]
fn methods_are_renamed_by_their_replacement() {
    let action = |name: &str, keys: &str| {
        format!(
            "apis:\n- name: Desk\n  actions:\n  - {{name: {name}, withStoreHandle: {{transaction: NONE}}, verb: lend{keys}}}\n"
        )
    };
    let old = action("Lend", ", versioning: {replacement: Desk/Borrow}");
    check(
        &old,
        &action("Borrow", ""),
        &[
            "Breaking MethodRenamed DeskService/Lend: DeskService/Lend -> DeskService/Borrow",
            "FollowsNames RequestTypeChanged DeskService/Lend: LendRequest -> BorrowRequest",
            "FollowsNames ResponseTypeChanged DeskService/Lend: LendResponse -> BorrowResponse",
        ],
    );
    check(
        &action("Lend", ""),
        &action("Borrow", ""),
        &["Compatible MethodAdded DeskService/Borrow", "Breaking MethodRemoved DeskService/Lend"],
    );
}

#[test]
fn imports() {
    let (none, some) = ("", "imports: [iam.example.com]\n");
    check(none, some, &["Compatible ImportAdded iam.example.com:  -> v1"]);
    check(some, none, &["Unlisted ImportDropped iam.example.com: v1 -> "]);
    let (old, new) = (version("v1", "", some), version("v2", "", some));
    let lines = |old: &Version, new: &Version| -> Vec<String> {
        spec::compare(old.side(), new.side()).iter().map(line).collect()
    };
    assert_eq!(lines(&old, &new), ["Breaking ImportUpgraded iam.example.com: v1 -> v2"]);
    assert_eq!(lines(&new, &old), ["Breaking ImportDowngraded iam.example.com: v2 -> v1"]);
}

#[test]
fn fields() {
    let title = "path: title, number: 3";
    check_fields(
        &[title],
        &[title, "path: pages, number: 4, type: int32"],
        &["Compatible FieldAdded Book.pages = 4:  -> int32"],
    );
    check_fields(
        &[title, "path: pages, number: 4, type: int32"],
        &[title],
        &["Compatible FieldRemoved Book.pages = 4: int32 -> "],
    );
    check_fields(
        &[title],
        &["path: caption, number: 3"],
        &["Compatible FieldRenamed Book = 3: title -> caption"],
    );
    check_fields(&[title], &["path: title, number: 5"], &["Breaking FieldRenumbered Book.title: 3 -> 5"]);
    check_fields(
        &[title],
        &["path: title, number: 3, type: int32"],
        &["Breaking FieldTypeChanged Book.title = 3: string -> int32"],
    );
    check_fields(
        &[title],
        &["path: pages, number: 3, type: int32"],
        &["Breaking FieldNumberReused Book = 3: string title -> int32 pages"],
    );
    check_fields(
        &[title],
        &["path: 'titles[]', number: 3"],
        &["Breaking FieldCardinalityChanged Book.title = 3: string -> repeated string"],
    );
    check_fields(
        &["path: a, number: 3", "path: b, number: 4"],
        &["path: b, number: 3", "path: a, number: 4"],
        &["Breaking FieldRenumbered Book.a: 3 -> 4", "Breaking FieldRenumbered Book.b: 4 -> 3"],
    );
    check_fields(
        &["path: a, number: 3"],
        &["path: a, number: 4", "path: b, number: 3"],
        &[
            "Breaking FieldNumberReused Book = 3: string a -> string b",
            "Breaking FieldRenumbered Book.a: 3 -> 4",
        ],
    );
    check_fields(
        &[title],
        &[title, "path: spec.pages, number: 1, type: int32"],
        &["Compatible MessageAdded Book.Spec", "Compatible FieldAdded Book.spec = 4:  -> Book.Spec"],
    );
}

#[test]
fn enumerations() {
    let with = |values: &str| format!("path: state, number: 3, type: enum, values: [{values}]");
    check_fields(
        &[&with("A, B")],
        &[&with("A, B, C")],
        &["Compatible EnumValueAdded Book.State.C = 2:  -> C"],
    );
    check_fields(
        &[&with("A, B, C")],
        &[&with("A, B")],
        &["Unlisted EnumValueRemoved Book.State.C = 2: C -> "],
    );
    check_fields(&[&with("A, B")], &[&with("A, D")], &["Compatible EnumValueRenamed Book.State = 1: B -> D"]);
    check_fields(
        &[&with("A, B")],
        &[&with("B, A")],
        &[
            "Breaking EnumValueRenumbered Book.State.A: 0 -> 1",
            "Breaking EnumValueRenumbered Book.State.B: 1 -> 0",
        ],
    );
}

#[test]
fn references() {
    let to = |kind: &str, behavior: &str| {
        format!("path: place, number: 3, type: reference, resource: {kind}, targetDeleteBehavior: {behavior}")
    };
    let plain = "path: title, number: 4";
    let block = to("Shelf", "BLOCK");
    check_fields(
        &[plain, &block],
        &[plain],
        &[
            "Compatible FieldRemoved Book.place = 3: string -> ",
            "Compatible ReferenceRemoved Book.place: Shelf BLOCK -> ",
        ],
    );
    check_fields(
        &[&block],
        &[&to("Book", "BLOCK")],
        &["Breaking ReferenceTargetChanged Book.place: Shelf -> Book"],
    );
    check_fields(
        &[&block],
        &[&to("Shelf", "UNSET")],
        &["Unlisted DeleteBehaviorChanged Book.place: BLOCK -> UNSET"],
    );
    check_fields(
        &[&block],
        &["path: place, number: 3, type: name, resource: Shelf"],
        &[
            "Unlisted FieldMeaningChanged Book.place: reference Shelf -> name Shelf",
            "Compatible ReferenceRemoved Book.place: Shelf BLOCK -> ",
        ],
    );
    check_fields(
        &[&block],
        &["path: place, number: 3, type: parentName, resource: Shelf"],
        &[
            "Breaking FieldMeaningChanged Book.place: reference Shelf -> parent_name Shelf",
            "Compatible ReferenceRemoved Book.place: Shelf BLOCK -> ",
        ],
    );
}

#[test]
fn validation() {
    let with = |rules: &str| format!("path: title, number: 3{rules}");
    check_fields(
        &[&with("")],
        &[&with(", required: true")],
        &["Unlisted ValidationTightened Book.title:  -> required"],
    );
    check_fields(
        &[&with(", required: true")],
        &[&with("")],
        &["Compatible ValidationRelaxed Book.title: required -> "],
    );
    check_fields(
        &[&with("")],
        &[&with(", immutable: true")],
        &["Unlisted ValidationTightened Book.title:  -> immutable"],
    );
}

#[test]
fn succession() {
    let check = |next: &str, old: &str, new: &str, expected: &[&str]| {
        let (old, new) = (version("v1", next, old), version("v2", "", new));
        let found = spec::check_succession(old.side(), new.side());
        let found: Vec<String> =
            found.iter().map(|it| format!("{} {}", it.code.as_str(), it.message)).collect();
        assert_eq!(found, expected);
    };
    let action = |name: &str, replacement: &str| {
        format!(
            "apis:\n- name: Desk\n  actions:\n  - {{name: {name}, withStoreHandle: {{transaction: NONE}}, \
             versioning: {{replacement: {replacement}}}}}\n"
        )
    };
    check(", nextVersion: v2", "", "", &[]);
    check(", nextVersion: v3", "", "", &["spec/next-version the next version is `v3`, and `v2` is compared"]);
    check("", "", "", &["spec/next-version the old version does not name `v2` as its next version"]);
    let next = ", nextVersion: v2";
    let absent = "spec/replacement there is no resource `Tome` in v2, which is to replace this one";
    let tome = "resources:\n- {name: Book, versioning: {replacement: Tome}}\n";
    check(next, tome, &book(""), &[absent]);
    check(next, tome, "resources:\n- name: Tome\n", &[]);
    check(next, &action("Lend", "Borrow"), &action("Borrow", "''"), &[]);
    check(next, &action("Lend", "Desk/Borrow"), &action("Borrow", "''"), &[]);
    check(
        next,
        &action("Lend", "Hall/Borrow"),
        &action("Borrow", "''"),
        &["spec/replacement there is no method `Hall/Borrow` in v2, which is to replace this one"],
    );
    check(
        next,
        &action("Lend", "Borrow"),
        "",
        &["spec/replacement there is no method `Borrow` in v2, which is to replace this one"],
    );
}

/// Keys of a random resource: parents, scope, what it leaves out, actions, fields.
fn resource(name: &'static str) -> impl Strategy<Value = String> {
    let parents = prop::sample::select(vec![
        "",
        "iam.example.com/Project",
        "'', iam.example.com/Project",
        "iam.example.com/Project, iam.example.com/Organization",
    ]);
    let keys = prop::sample::subsequence(
        vec![
            "optIns: {searchable: true}",
            "scopeAttributes: [Region]",
            "idPattern: '[a-z]+'",
            "optOuts: {basicActions: ['{List,Delete}*'], paging: true}",
            "multiRegion: {syncType: NEVER, isPolicyHolder: true}",
            "actions: [{name: Rotate, verb: rotate, withStoreHandle: {transaction: SNAPSHOT}}]",
        ],
        0..6,
    );
    let fields = prop::collection::btree_map(1_u32..7, prop::sample::select(vec!["a", "b", "c"]), 0..4);
    let types = prop::collection::vec(prop::sample::select(vec!["string", "int32", "bytes"]), 3);
    (parents, keys, fields, types).prop_map(move |(parents, keys, fields, types)| {
        let mut text = format!("- name: {name}\n  parents: [{parents}]\n");
        keys.iter().for_each(|it| writeln!(text, "  {it}").expect("a text"));
        let mut names = BTreeSet::new();
        let distinct: Vec<_> = fields.iter().filter(|(_, name)| names.insert(**name)).collect();
        if !distinct.is_empty() {
            text.push_str("  fields:\n");
        }
        for ((number, name), ty) in distinct.iter().zip(&types) {
            writeln!(text, "  - {{path: {name}, number: {}, type: {ty}}}", *number + 2).expect("a text");
        }
        text
    })
}

fn specification() -> impl Strategy<Value = String> {
    let resources = (resource("Book"), resource("Shelf"), resource("Reader"));
    (resources, prop::collection::vec(any::<bool>(), 3)).prop_map(|((a, b, c), kept)| {
        let kept = [a, b, c].into_iter().zip(kept).filter(|(_, it)| *it).map(|(it, _)| it);
        let resources: String = kept.collect();
        match resources.is_empty() {
            true => "imports: [iam.example.com]\n".to_owned(),
            false => format!("imports: [iam.example.com]\nresources:\n{resources}"),
        }
    })
}

/// The kind of a change in the other direction; `None` for those that are changes of values.
fn reverse(kind: ChangeKind) -> Option<ChangeKind> {
    use ChangeKind as K;
    let pairs = [
        (K::ResourceAdded, K::ResourceRemoved),
        (K::ApiAdded, K::ApiRemoved),
        (K::MethodAdded, K::MethodRemoved),
        (K::ImportAdded, K::ImportDropped),
        (K::MessageAdded, K::MessageRemoved),
        (K::FieldAdded, K::FieldRemoved),
        (K::ReferenceAdded, K::ReferenceRemoved),
        (K::OptOutAdded, K::OptOutRemoved),
        (K::ScopeAttributeAdded, K::ScopeAttributeRemoved),
        (K::EnumAdded, K::EnumRemoved),
    ];
    pairs.iter().find_map(|(a, b)| match kind {
        kind if kind == *a => Some(*b),
        kind if kind == *b => Some(*a),
        _ => None,
    })
}

proptest! {
    #[test]
    fn a_version_does_not_differ_from_itself(text in specification()) {
        let (old, new) = (version("v1", "", &text), version("v1", "", &text));
        prop_assert_eq!(spec::compare(old.side(), new.side()), []);
        prop_assert_eq!(spec::check_succession(old.side(), new.side()), []);
    }

    #[test]
    fn what_is_added_is_removed_the_other_way(old in specification(), new in specification()) {
        let (old, new) = (version("v1", "", &old), version("v1", "", &new));
        let there = spec::compare(old.side(), new.side());
        let back = spec::compare(new.side(), old.side());
        let key = |it: &Change, kind: ChangeKind| (kind, it.item.clone());
        let turned: BTreeSet<_> = there.iter().filter_map(|it| Some(key(it, reverse(it.kind)?))).collect();
        let found: BTreeSet<_> = back.iter().filter(|it| reverse(it.kind).is_some()).map(|it| key(it, it.kind)).collect();
        prop_assert_eq!(turned, found);
    }

    /// The best single criterion of the guide: a version that has lost a pattern of names is breaking.
    #[test]
    fn a_lost_pattern_is_breaking(old in specification(), new in specification()) {
        let (old, new) = (version("v1", "", &old), version("v1", "", &new));
        let patterns = |it: &Version| -> BTreeSet<String> {
            let kinds = it.services.services[0].kinds.iter();
            kinds.flat_map(|it| it.patterns.0.iter().map(|it| it.text().to_owned())).collect()
        };
        let is_lost = !patterns(&old).is_subset(&patterns(&new));
        let changes = spec::compare(old.side(), new.side());
        let names = [ChangeKind::PatternsLost, ChangeKind::ResourceRemoved];
        let is_said = changes.iter().any(|it| names.contains(&it.kind) && it.class == ChangeClass::Breaking);
        prop_assert_eq!(is_lost, is_said);
    }
}
