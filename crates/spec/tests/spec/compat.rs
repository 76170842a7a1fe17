//! Changes between the versions of real services against a list that was derived from what their toolchain generated:
//! `../shared/data/goten/compat` beside the repository, or in the folder that `PLANLOOM_SHARED` names.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use diag::{FileId, Severity, Span};
use planloom_spec as spec;
use serde_json::Value;
use spec::{Change, ChangeClass, ChangeKind, Input, Services, Side};
use syntax::Limits;

const SERVICES: [&str; 4] = ["applications", "audit", "limits", "logging"];

/// A class, what changed, and the item, as the list has them.
type Entry = (String, String, String);

fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = env::var_os("PLANLOOM_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("data/goten");
    if !folder.is_dir() {
        eprintln!("skipped: there is no folder {}", folder.display());
        return None;
    }
    Some(folder)
}

/// All services of the folder, the requested one first.
fn resolve(folder: &Path, name: &str) -> Services {
    let mut paths: Vec<PathBuf> = ["skeletons", "stubs"]
        .iter()
        .flat_map(|it| fs::read_dir(folder.join(it)).expect("the folder can be read"))
        .map(|it| it.expect("an entry").path())
        .collect();
    paths.sort();
    let input = |(at, path): (usize, &PathBuf)| {
        let file = FileId(u32::try_from(at).expect("few files"));
        let text = fs::read_to_string(path).expect("the specification can be read");
        let parse = syntax::parse(file, &text, &Limits::default());
        let (skeleton, _) = spec::read(&parse.document, Span::at(file, 0));
        let is_import = path.file_stem().expect("a name") != name;
        Input { skeleton: skeleton.expect("it is a map"), is_import }
    };
    let inputs: Vec<Input> = paths.iter().enumerate().map(input).collect();
    let (services, problems) = spec::resolve(&inputs);
    assert!(problems.iter().all(|it| it.severity != Severity::Error), "{problems:#?}");
    services
}

fn side(services: &Services) -> Side<'_> {
    Side { services, service: 0, schema: None }
}

fn class(class: ChangeClass) -> &'static str {
    match class {
        ChangeClass::Breaking => "breaking",
        ChangeClass::Unsupported => "unsupported",
        ChangeClass::Unlisted => "unlisted",
        ChangeClass::Compatible => "compatible",
        ChangeClass::FollowsNames => "follows names",
    }
}

/// The words of the list for what a specification says; it has one for three changes of parents.
fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::ImportAdded => "import added",
        ChangeKind::ImportDropped => "import dropped",
        ChangeKind::ImportUpgraded => "import upgraded",
        ChangeKind::ResourceAdded => "resource added",
        ChangeKind::FirstParentAdded => "first parent added",
        ChangeKind::OptionalParentDropped | ChangeKind::ParentRemoved | ChangeKind::ParentReplaced => {
            "parent removed or replaced"
        }
        ChangeKind::PatternsLost => "patterns lost",
        ChangeKind::IdPatternChanged => "id pattern changed",
        ChangeKind::SearchableChanged => "searchable",
        ChangeKind::SyncTypeChanged => "syncType changed",
        ChangeKind::OnParentDeletedChanged => "on_parent_deleted changed",
        ChangeKind::ApiAdded => "api added",
        ChangeKind::MethodAdded => "method added",
        ChangeKind::HttpPaths => "http paths",
        ChangeKind::OptOutAdded => "opt-out added",
        other => panic!("{other:?} is in none of the lists"),
    }
}

fn entry(change: &Change) -> (Entry, [String; 2]) {
    let names = (class(change.class).to_owned(), kind(change.kind).to_owned(), change.item.clone());
    (names, [change.old.clone(), change.new.clone()])
}

fn expected(folder: &Path, service: &str) -> Vec<(Entry, [String; 2])> {
    let path = folder.join(format!("compat/{service}-v1alpha2-v1.json"));
    let text = fs::read_to_string(path).expect("it can be read");
    let list: Value = serde_json::from_str(&text).expect("JSON");
    let entries = list["changes"].as_array().expect("a list");
    let one = |it: &Value| {
        let text = |key: &str| it[key].as_str().expect("a text").to_owned();
        ((text("class"), text("change"), text("item")), [value(&it["old"]), value(&it["new"])])
    };
    entries.iter().map(one).collect()
}

/// Lists as changes have them: the empty parent in quotes.
fn value(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let text = |it: &Value| match it.as_str().expect("a text") {
                "" => "\"\"".to_owned(),
                text => text.to_owned(),
            };
            items.iter().map(text).collect::<Vec<_>>().join(", ")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// True for changes that a specification never states, so that the files of the older versions would be needed, of which none
/// is published: fields, messages, references, and the effect of a parent's deletion.
fn is_in_protos(change: &str) -> bool {
    let begins = ["field ", "message ", "reference "];
    begins.iter().any(|it| change.starts_with(it))
        || ["delete behaviour changed", "on_parent_deleted changed"].contains(&change)
}

/// The reason why a change that a specification could state differs: messages are generated once and then edited by hand
/// (source: Goten's tools).
const ID_IN_PROTO: &str = "the id pattern of v1alpha2 is in the `.proto` file only";
const OPT_OUT_IN_PROTO: &str = "v1alpha2 has the opt-out in the `.proto` file only";
const PAGING: &str = "v1alpha2 does not write the opt-out; the list does not cover paging";
const SYNC_IN_PROTO: &str =
    "both specifications say ALWAYS_IN_SCOPE; the `.proto` file of v1alpha2 says DEFAULT";

/// Listed, and not in the specifications: service, what changed, item, old value, reason.
const MISSING: &[(&str, &str, &str, &str, &str)] = &[
    ("audit", ID, "AuditedResourceDescriptor", r"[\w./-]{1,128}/[\w./-]{1,128}", ID_IN_PROTO),
    ("audit", ID, "MethodDescriptor", r"[\w./-]{1,128}/[\w./-]{1,128}", ID_IN_PROTO),
    ("limits", "syncType changed", "PlanAssignment", "DEFAULT", SYNC_IN_PROTO),
];

/// In the specifications, and not listed.
const ADDITIONAL: &[(&str, &str, &str, &str, &str)] = &[
    ("audit", ID, "ActivityLog", DEFAULT_ID, ID_IN_PROTO),
    ("audit", ID, "AuditedResourceDescriptor", DEFAULT_ID, ID_IN_PROTO),
    ("audit", ID, "MethodDescriptor", DEFAULT_ID, ID_IN_PROTO),
    ("audit", ID, "ResourceChangeLog", DEFAULT_ID, ID_IN_PROTO),
    ("audit", OUT, "ActivityLog.metadataField", "", OPT_OUT_IN_PROTO),
    ("audit", OUT, "ActivityLog.paging", "", PAGING),
    ("audit", OUT, "ActivityLog.standardCrudAccess", "", OPT_OUT_IN_PROTO),
    ("audit", OUT, "ResourceChangeLog.metadataField", "", OPT_OUT_IN_PROTO),
    ("audit", OUT, "ResourceChangeLog.paging", "", PAGING),
    ("audit", OUT, "ResourceChangeLog.standardCrudAccess", "", OPT_OUT_IN_PROTO),
];

const ID: &str = "id pattern changed";
const OUT: &str = "opt-out added";
const DEFAULT_ID: &str = r"[\w][\w.-]{0,127}";

type Row = (Entry, [String; 2]);

/// The rows of one set that are not in the other, without the exceptions, each of which has to be one.
fn unexpected(
    service: &str,
    rows: impl Iterator<Item = Row>,
    exceptions: &[(&str, &str, &str, &str, &str)],
) -> Vec<String> {
    let mut unused: Vec<_> = exceptions.iter().filter(|it| it.0 == service).collect();
    let mut found = Vec::new();
    for row in rows {
        let ((_, change, item), [old, _]) = &row;
        let is_row = |it: &&(&str, &str, &str, &str, &str)| (it.1, it.2, it.3) == (change, item, old);
        match unused.iter().position(is_row) {
            Some(at) => drop(unused.remove(at)),
            None => found.push(format!("{service} {row:?}")),
        }
    }
    found.extend(unused.iter().map(|it| format!("{service}: no exception is needed for {it:?}")));
    found
}

#[test]
fn real_versions_differ_as_listed() {
    let Some(folder) = data() else { return };
    let (mut missing, mut additional) = (Vec::new(), Vec::new());
    let (mut compared, mut in_protos) = (0, 0);
    for service in SERVICES {
        let [old, new] = ["v1alpha2", "v1"].map(|it| resolve(&folder, &format!("{service}-{it}")));
        let found: BTreeSet<Row> = spec::compare(side(&old), side(&new)).iter().map(entry).collect();
        let all = expected(&folder, service);
        let (protos, listed): (BTreeSet<Row>, BTreeSet<Row>) =
            all.into_iter().partition(|((_, change, _), _)| is_in_protos(change));
        compared += listed.intersection(&found).count();
        in_protos += protos.len();
        missing.extend(unexpected(service, listed.difference(&found).cloned(), MISSING));
        additional.extend(unexpected(service, found.difference(&listed).cloned(), ADDITIONAL));
    }
    assert!(missing.is_empty(), "listed and not found:\n{}", missing.join("\n"));
    assert!(additional.is_empty(), "found and not listed:\n{}", additional.join("\n"));
    assert_eq!((compared, in_protos), (93, 104), "how many were compared, and how many need other files");
}

#[test]
fn real_versions_name_the_next_one() {
    let Some(folder) = data() else { return };
    for service in SERVICES {
        let [old, new] = ["v1alpha2", "v1"].map(|it| resolve(&folder, &format!("{service}-{it}")));
        assert_eq!(spec::check_succession(side(&old), side(&new)), [], "{service}");
        let back = spec::check_succession(side(&new), side(&old));
        assert_eq!(
            back.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(),
            ["spec/next-version"],
            "{service}"
        );
    }
}

/// Of those whose names are other ones in the new version, resources would have to be converted.
#[test]
fn real_versions_go_together_where_names_are_kept() {
    let Some(folder) = data() else { return };
    for (service, expected) in [
        ("applications", &[][..]),
        ("audit", &["AuditedResourceDescriptor", "MethodDescriptor", "ActivityLog", "ResourceChangeLog"]),
        ("limits", &["Plan", "PlanAssignment", "AcceptedPlan", "LimitPool"]),
        ("logging", &["LogDescriptor", "Log"]),
    ] {
        let [old, new] = ["v1alpha2", "v1"].map(|it| resolve(&folder, &format!("{service}-{it}")));
        let found = spec::check_coexistence(side(&old), side(&new));
        let kinds: Vec<&str> = found.iter().filter_map(|it| it.split('`').nth(3)).collect();
        assert_eq!(kinds, expected, "{service}: {found:#?}");
    }
}
