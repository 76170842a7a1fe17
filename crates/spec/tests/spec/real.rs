//! Specifications of real services against what their toolchain generated: `../shared/data/goten` beside the repository, or
//! in the folder that `PLANLOOM_SHARED` names.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use diag::{Diagnostic, FileId, Severity, Span};
use planloom_spec as spec;
use serde_json::{Value, json};
use spec::{Input, KindId, Method, Services, skeleton::Text};
use syntax::Limits;

const NAMES: [&str; 13] = [
    "ai-v1",
    "alerting-v1",
    "applications-v1",
    "applications-v1alpha2",
    "audit-v1",
    "audit-v1alpha2",
    "cellular-api-v1",
    "limits-v1",
    "limits-v1alpha2",
    "logging-v1",
    "logging-v1alpha2",
    "meta-v1alpha2",
    "ztp-v1",
];

/// Resource protos are generated once and then edited by hand (source: Goten's tools): that of the service `meta` gives the
/// ids of its kinds patterns of their own.
const IDS_OF_META: &str = "the id pattern of meta's kinds is in a `.proto` file only";
/// The same for some kinds of older versions.
const ID_IN_PROTO: &str = "the id pattern is in a `.proto` file only";
const SYNC_IN_PROTO: &str = "the sync type differs in the `.proto` file";
const OPT_OUT_IN_PROTO: &str = "the opt-out is in the `.proto` file only";

/// All that differs, with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("ai-v1", "Conversation.sync_type", SYNC_IN_PROTO),
    ("audit-v1", "ActivityLog.name_regexes", IDS_OF_META),
    ("audit-v1", "AuditedResourceDescriptor.name_regexes", IDS_OF_META),
    ("audit-v1", "MethodDescriptor.name_regexes", IDS_OF_META),
    ("audit-v1", "ResourceChangeLog.name_regexes", IDS_OF_META),
    ("audit-v1alpha2", "ActivityLog.name_regexes", ID_IN_PROTO),
    ("audit-v1alpha2", "ActivityLog.has_metadata", OPT_OUT_IN_PROTO),
    ("audit-v1alpha2", "ActivityLog.disable_standard_access", OPT_OUT_IN_PROTO),
    ("audit-v1alpha2", "AuditedResourceDescriptor.name_regexes", ID_IN_PROTO),
    ("audit-v1alpha2", "MethodDescriptor.name_regexes", ID_IN_PROTO),
    ("audit-v1alpha2", "ResourceChangeLog.name_regexes", ID_IN_PROTO),
    ("audit-v1alpha2", "ResourceChangeLog.has_metadata", OPT_OUT_IN_PROTO),
    ("audit-v1alpha2", "ResourceChangeLog.disable_standard_access", OPT_OUT_IN_PROTO),
    ("limits-v1", "AcceptedPlan.name_regexes", IDS_OF_META),
    ("limits-v1", "LimitPool.name_regexes", IDS_OF_META),
    ("limits-v1", "Plan.name_regexes", IDS_OF_META),
    ("limits-v1", "PlanAssignment.name_regexes", IDS_OF_META),
    ("limits-v1alpha2", "PlanAssignment.sync_type", SYNC_IN_PROTO),
    ("logging-v1", "Bucket.name_regexes", IDS_OF_META),
    ("logging-v1", "Log.name_regexes", IDS_OF_META),
    ("logging-v1", "LogDescriptor.name_regexes", IDS_OF_META),
    ("meta-v1alpha2", "Deployment.name_regexes", IDS_OF_META),
    ("meta-v1alpha2", "Resource.name_regexes", IDS_OF_META),
    ("meta-v1alpha2", "Service.name_regexes", IDS_OF_META),
];

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

fn read(path: &Path, file: u32) -> (Input, Vec<Diagnostic>) {
    let text = fs::read_to_string(path).expect("the specification can be read");
    let parse = syntax::parse(FileId(file), &text, &Limits::default());
    let (skeleton, diagnostics) = spec::read(&parse.document, Span::at(FileId(file), 0));
    (Input { skeleton: skeleton.expect("it is a map"), is_import: true }, diagnostics)
}

/// All services of the folder, the requested one first.
fn resolve(folder: &Path, name: &str) -> (Services, Vec<Diagnostic>) {
    let mut paths: Vec<PathBuf> = ["skeletons", "stubs"]
        .iter()
        .flat_map(|it| fs::read_dir(folder.join(it)).expect("the folder can be read"))
        .map(|it| it.expect("an entry").path())
        .collect();
    paths.sort();
    let (mut inputs, mut diagnostics) = (Vec::new(), Vec::new());
    for (at, path) in paths.iter().enumerate() {
        let (mut input, problems) = read(path, u32::try_from(at).expect("few files"));
        input.is_import = path.file_stem().expect("a name") != name;
        inputs.push(input);
        diagnostics.extend(problems);
    }
    let (services, problems) = spec::resolve(&inputs);
    diagnostics.extend(problems);
    (services, diagnostics)
}

fn texts(texts: &[Text]) -> Vec<&str> {
    texts.iter().map(|it| &*it.value).collect()
}

fn paths(paths: &spec::skeleton::Paths) -> Value {
    let all = [
        ("resource_name", &paths.resource_name),
        ("resource_body", &paths.resource_body),
        ("resource_parent", &paths.resource_parent),
    ];
    all.iter()
        .filter(|(_, it)| !it.is_empty())
        .map(|(key, it)| ((*key).to_owned(), json!(texts(it))))
        .collect()
}

fn routing(method: &Method) -> Value {
    let mut routing = json!({});
    if method.routing.execute_on_owning_region {
        routing["execute_on_owning_region"] = json!(true);
    }
    if method.routing.skip_generated {
        routing["skip_code_gen_based_routing"] = json!(true);
    }
    if !method.routing.region_paths.is_empty() {
        routing["region_id_field_paths"] = json!(method.routing.region_paths);
    }
    routing
}

fn name_in(services: &Services, id: KindId) -> String {
    match id.service {
        0 => services.kind(id).expect("a kind").name.to_string(),
        _ => services.type_name(id),
    }
}

fn method(services: &Services, it: &Method) -> Value {
    let http: Vec<Value> =
        it.routes.iter().map(|it| json!({"method": it.method, "path": it.path, "body": it.body})).collect();
    json!({
        "name": it.name, "request": it.request, "response": it.response,
        "client_streaming": it.client_streaming, "server_streaming": it.server_streaming,
        "http": http, "permission": it.permission,
        "resource": it.kind.map_or_else(String::new, |it| name_in(services, it)),
        "verb": it.verb, "is_collection": it.is_collection, "is_plural": it.is_plural,
        "request_paths": paths(&it.request_paths), "response_paths": paths(&it.response_paths),
        "transaction": it.transaction.as_str(), "read_only": it.read_only, "routing": routing(it),
    })
}

fn kind(services: &Services, at: usize) -> Value {
    let it = &services.services[0].kinds[at];
    let parents: Vec<String> =
        it.parents.iter().map(|it| it.map_or_else(String::new, |it| name_in(services, it))).collect();
    let patterns = it.patterns.0.iter();
    json!({
        "name": it.name, "plural": it.plural, "collection": it.collection, "parents": parents,
        "patterns": patterns.clone().map(|it| it.text()).collect::<Vec<_>>(),
        "name_regexes": patterns.map(|it| it.regex_text()).collect::<Vec<_>>(),
        "type": services.type_name(KindId { service: 0, kind: at }),
        "is_policy_holder": it.features.policy_holder,
        "sync_type": it.sync_type.as_str(),
        "has_metadata": it.features.metadata_field, "has_name": it.features.name_field,
        "disable_standard_access": !it.features.standard_access,
        "disable_db_constraints": !it.features.constraints,
    })
}

/// Differences of the fields that we have, by their place.
fn compare(place: &str, expected: &Value, found: &Value, differences: &mut Vec<(String, String)>) {
    for (key, value) in found.as_object().expect("an object") {
        if expected.get(key) != Some(value) {
            let wanted = expected.get(key).unwrap_or(&Value::Null);
            differences.push((format!("{place}.{key}"), format!("{value} instead of {wanted}")));
        }
    }
}

fn by_name<'a>(
    list: &'a Value,
    differences: &mut Vec<(String, String)>,
    place: &str,
) -> BTreeMap<&'a str, &'a Value> {
    let list = list.as_array().expect("a list");
    let map: BTreeMap<&str, &Value> =
        list.iter().map(|it| (it["name"].as_str().expect("a name"), it)).collect();
    if map.len() != list.len() {
        differences.push((place.to_owned(), "two have one name".to_owned()));
    }
    map
}

fn check_names<'a>(
    place: &str,
    expected: impl Iterator<Item = &'a str>,
    found: impl Iterator<Item = &'a str>,
    differences: &mut Vec<(String, String)>,
) {
    let (expected, found): (Vec<_>, Vec<_>) = (expected.collect(), found.collect());
    if expected != found {
        differences.push((place.to_owned(), format!("{found:?} instead of {expected:?}")));
    }
}

#[derive(Default)]
struct Counts {
    kinds: usize,
    methods: usize,
    routes: usize,
    permissions: usize,
}

fn differences(folder: &Path, name: &str, counts: &mut Counts) -> Vec<(String, String)> {
    let (services, _) = resolve(folder, name);
    let text = fs::read_to_string(folder.join(format!("expected/{name}.json"))).expect("it can be read");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let service = &services.services[0];
    let mut found = Vec::new();
    let header = json!({"name": service.name, "version": service.version, "package": service.package,
        "next_version": service.next_version.as_deref().unwrap_or_default()});
    compare("", &expected, &header, &mut found);
    let imports = expected["imports"].as_array().expect("a list").iter();
    let imports =
        imports.map(|it| (it["service"].as_str().expect("a name"), it["version"].as_str().expect("one")));
    let mut own: Vec<(&str, &str)> = service
        .imports
        .iter()
        .map(|it| &services.services[*it])
        .map(|it| (&*it.name, &*it.version))
        .collect();
    own.sort_unstable();
    if own != imports.collect::<Vec<_>>() {
        found.push(("imports".to_owned(), format!("{own:?}")));
    }
    let kinds: Value = (0..service.kinds.len()).map(|it| kind(&services, it)).collect();
    let (theirs, ours) =
        (by_name(&expected["resources"], &mut found, "resources"), by_name(&kinds, &mut found, "resources"));
    check_names("resources", theirs.keys().copied(), ours.keys().copied(), &mut found);
    for (name, kind) in &ours {
        counts.kinds += 1;
        compare(name, theirs.get(name).unwrap_or(&&Value::Null), kind, &mut found);
    }
    let theirs = by_name(&expected["apis"], &mut found, "apis");
    check_names(
        "apis",
        theirs.keys().copied().filter(|it| !theirs[it]["methods"].as_array().expect("a list").is_empty()),
        {
            let mut names: Vec<&str> = service.apis.iter().map(|it| &*it.name).collect();
            names.sort_unstable();
            names.into_iter()
        },
        &mut found,
    );
    for api in &service.apis {
        let Some(wanted) = theirs.get(&*api.name) else { continue };
        let methods: Value = api.methods.iter().map(|it| method(&services, it)).collect();
        let (theirs, ours) =
            (by_name(&wanted["methods"], &mut found, &api.name), by_name(&methods, &mut found, &api.name));
        check_names(&api.name, theirs.keys().copied(), ours.keys().copied(), &mut found);
        for (name, method) in &ours {
            counts.methods += 1;
            counts.routes += method["http"].as_array().map_or(0, Vec::len);
            compare(
                &format!("{}.{name}", api.name),
                theirs.get(name).unwrap_or(&&Value::Null),
                method,
                &mut found,
            );
        }
    }
    if let Some(permissions) = expected["permissions"].as_array() {
        let permissions: Vec<&str> = permissions.iter().filter_map(Value::as_str).collect();
        let own = spec::permissions(service);
        counts.permissions += own.len();
        check_names("permissions", permissions.into_iter(), own.iter().map(String::as_str), &mut found);
    }
    found
}

#[test]
fn real_specifications_expand_to_what_was_generated() {
    let Some(folder) = data() else { return };
    let mut unexpected = Vec::new();
    let mut unused: Vec<_> = EXCEPTIONS.to_vec();
    let mut counts = Counts::default();
    for name in NAMES {
        for (place, what) in differences(&folder, name, &mut counts) {
            match unused.iter().position(|(service, at, _)| *service == name && *at == place) {
                Some(known) => drop(unused.remove(known)),
                None => unexpected.push(format!("{name} {place}: {what}")),
            }
        }
    }
    assert!(unexpected.is_empty(), "{} differences:\n{}", unexpected.len(), unexpected.join("\n"));
    assert!(unused.is_empty(), "these do not differ: {unused:?}");
    let counts = (counts.kinds, counts.methods, counts.routes, counts.permissions);
    assert_eq!(counts, (64, 505, 720, 35), "what was compared");
}

#[test]
fn real_specifications_have_no_errors() {
    let Some(folder) = data() else { return };
    for name in NAMES {
        let (_, diagnostics) = resolve(&folder, name);
        let errors: Vec<_> = diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}
