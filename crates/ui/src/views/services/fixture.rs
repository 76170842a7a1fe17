//! Services for tests: kinds of one with parents of another one.

use serde_json::{Value, json};
use workspace::view::ServiceOverviewView;

fn kind(service: &str, name: &str, parents: &[&str], patterns: &[&str]) -> Value {
    json!({
        "name": name, "type": format!("{service}/{name}"), "plural": "", "collection": "", "patterns": patterns,
        "name_regexes": [], "parents": parents, "region": "global", "id_pattern": "", "creation_id_pattern": null,
        "sync_type": "DEFAULT", "is_policy_holder": false, "has_name": true, "has_metadata": true,
        "disable_standard_access": false, "disable_db_constraints": false, "searchable": false,
        "location": {"file": "a.yaml", "line": 1, "column": 1, "end_line": 1, "end_column": 2},
    })
}

fn service(name: &str, resources: &[Value]) -> Value {
    json!({
        "name": name, "version": "v1", "package": "", "default_host": "", "next_version": null, "is_import": false,
        "imports": [], "resources": resources, "apis": [], "permissions": [],
    })
}

/// Two services.
pub(super) fn overview() -> ServiceOverviewView {
    let author =
        ["authors/{author}", "services/{service}/authors/{author}", "projects/{project}/authors/{author}"];
    let own = [
        kind("a", "Project", &[], &["projects/{project}"]),
        kind("a", "Author", &["", "b/Service", "Project"], &author),
        kind("a", "Site", &["Project"], &["projects/{project}/regions/{region}/sites/{site}"]),
    ];
    let other = [kind("b", "Service", &[], &["services/{service}"])];
    let specification = json!({
        "format": "planloom.spec/1", "services": [service("a", &own), service("b", &other)], "diagnostics": [],
    });
    let overview = json!({
        "format": "planloom.service-overview/1", "versions": [], "specification": specification, "dependences": [],
        "stuck": [], "fixtures": [], "example": "",
    });
    serde_json::from_value(overview).expect("an overview")
}
