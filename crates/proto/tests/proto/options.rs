//! The options of messages, files and methods, where real files have no example.

use fields::schema::FieldClass;
use serde_json::{Value, json};

use crate::{
    fields::package,
    support::{expected, folder, read_all},
};

#[test]
fn who_sees_fields_and_how_they_are_logged() {
    let read = package(
        "message A {
           option (google.api.resource) = { type: \"a.b/A\" };
           option (annotations.iam.auth_checks) = {
             read_checks : [ {permission : \"mask_encrypted_data\" paths : \"enc_data\"},
                             {permission : \"secrets.sensitiveData\" paths : [\"data\", \"inner.key\"]} ]
             set_checks { permission: \"secrets.set\" paths: \"data\" }
           };
           option (ntt.annotations.audit.fields) = {
             spec_fields: [\"name\", \"data\"] state_fields: \"state\" meta_fields: [\"metadata\"] hidden_fields: [\"inner.key\", \"enc_data\"]
             labels: { path: \"name\" key: \"id\" } promoted_labels < label_keys: \"id\" >
           };
           string name = 1; string data = 2; string enc_data = 3; string state = 4; B inner = 5; x.Meta metadata = 6; string other = 7;
         }
         message B { string key = 1; }",
    );
    let resource = &read.resources[0];
    assert_eq!(
        serde_json::to_value(&resource.iam_checks).expect("JSON"),
        json!({
            "read_checks": [
                {"permission": "mask_encrypted_data", "paths": ["enc_data"]},
                {"permission": "secrets.sensitiveData", "paths": ["data", "inner.key"]},
            ],
            "set_checks": [{"permission": "secrets.set", "paths": ["data"]}],
        })
    );
    let audit = json!({
        "spec_fields": ["name", "data"], "state_fields": ["state"], "meta_fields": ["metadata"],
        "hidden_fields": ["inner.key", "enc_data"],
        "labels": [{"path": "name", "key": "id"}], "promoted_labels": [{"label_keys": ["id"]}],
    });
    assert_eq!(serde_json::to_value(&resource.audit).expect("JSON"), audit);
    let class = |message: &str, field: &str| {
        let field = read.schema.messages[message].field(field).expect("a field");
        (field.class, field.sensitive)
    };
    assert_eq!(class("A", "name"), (Some(FieldClass::Spec), false));
    assert_eq!(class("A", "data"), (Some(FieldClass::Spec), true));
    assert_eq!(class("A", "enc_data"), (Some(FieldClass::Hidden), true));
    assert_eq!(class("A", "state"), (Some(FieldClass::State), false));
    assert_eq!(class("A", "metadata"), (Some(FieldClass::Meta), false));
    assert_eq!(class("A", "other"), (None, false));
    assert_eq!(class("B", "key"), (Some(FieldClass::Hidden), true));
}

/// Real files have been stripped of audit options. The toolchain's data about each resource are written as an option into its
/// file, and read again.
#[test]
fn audit_fields_of_real_resources_are_read_back() {
    let (Some(files), Some(expected)) = (folder("protos/annotated", ".proto"), expected()) else { return };
    let mut count = 0;
    for resource in expected.iter().flat_map(|it| it["resources"].as_array().expect("resources")) {
        let (name, audit) = (resource["name"].as_str().expect("a name"), &resource["audit"]);
        let start = format!("\nmessage {name} {{\n");
        let file = format!(
            "{}.proto",
            resource["file"].as_str().expect("a file").trim_end_matches(".proto").replace('/', "__")
        );
        let Some((file, text)) = files.iter().find(|it| it.0 == file) else { continue };
        let option = format!("{start}option (annotations.audit.fields) = {{ {} }};\n", in_text_format(audit));
        let (protos, found) = read_all(&[(file.clone(), text.replace(&start, &option))]);
        assert_eq!(found, [""; 0], "{name}");
        let package = protos.packages.values().next().expect("a package");
        let actual = &package.resource(name).expect("a resource").audit;
        assert_eq!(serde_json::to_value(actual).expect("JSON"), *audit, "{name}");
        for (list, class) in [
            ("spec_fields", FieldClass::Spec),
            ("state_fields", FieldClass::State),
            ("meta_fields", FieldClass::Meta),
        ] {
            for field in audit[list].as_array().into_iter().flatten() {
                let field =
                    package.schema.messages[name].field(field.as_str().expect("a path")).expect("a field");
                assert_eq!(field.class, Some(class), "{name} {}", field.name);
            }
        }
        count += 1;
    }
    assert_eq!(count, 11);
}

fn in_text_format(audit: &Value) -> String {
    let lists = audit.as_object().expect("an object").iter();
    lists.map(|(name, paths)| format!("{name}: {paths} ")).collect()
}

#[test]
fn services_and_their_imports() {
    let read = package(
        "option (goten.annotations.service_pkg) = {
           name : \"ServiceName\"  domain : \"service-name.edgelq.com\"  version : \"v1\" next_version_pkg: \"ntt.x.v2\"
           imported_services : { domain : \"imported.edgelq.com\" version : \"v1\" proto_pkg : \"ntt.imported.v1\" }
           imported_services : < domain : \"iam.edgelq.com\", version : \"v2\", proto_pkg : \"ntt.iam.v2\" >
         };",
    );
    assert_eq!(read.domain(), Some("service-name.edgelq.com"));
    assert_eq!(
        serde_json::to_value(&read.service).expect("JSON"),
        json!({
            "name": "ServiceName", "domain": "service-name.edgelq.com", "version": "v1",
            "next_version_pkg": "ntt.x.v2", "disable_multi_region": false,
            "imported_services": [
                {"domain": "imported.edgelq.com", "proto_pkg": "ntt.imported.v1", "version": "v1"},
                {"domain": "iam.edgelq.com", "proto_pkg": "ntt.iam.v2", "version": "v2"},
            ],
        })
    );
}

#[test]
fn http_rules_of_a_method() {
    fn check(rule: &str, expected: &Value) {
        let read = package(&format!(
            "service S {{ rpc M(A) returns (stream google.protobuf.Empty) {{ option (google.api.http) = {{ {rule} }}; }} }} message A {{}}"
        ));
        let method = serde_json::to_value(&read.apis[0].methods[0]).expect("JSON");
        assert_eq!(method["http"], *expected, "{rule}");
        assert_eq!((&method["request"], &method["response"]), (&json!("A"), &json!("google.protobuf.Empty")));
        assert_eq!((&method["client_streaming"], &method["server_streaming"]), (&json!(false), &json!(true)));
    }
    let rule = |method: &str, path: &str, body: &str| json!({"method": method, "path": path, "body": body});
    for method in ["get", "put", "post", "delete", "patch"] {
        check(&format!("{method}: \"/a\""), &json!([rule(&method.to_uppercase(), "/a", "")]));
    }
    check("custom { kind: \"HEAD\" path: \"/a\" }", &json!([rule("HEAD", "/a", "")]));
    check(
        "post : \"/v1/a\" body : \"*\" additional_bindings : < get : \"/v1/b\" > additional_bindings : < put : \"/v1/c\", body: \"x\" >",
        &json!([rule("POST", "/v1/a", "*"), rule("GET", "/v1/b", ""), rule("PUT", "/v1/c", "x")]),
    );
    check(
        "additional_bindings: [ { get: \"/b\" }, { get: \"/c\" } ] get: \"/a\"",
        &json!([rule("GET", "/a", ""), rule("GET", "/b", ""), rule("GET", "/c", "")]),
    );
}

/// The examples of the guide to Goten, with and without commas.
#[test]
fn indices_and_caches() {
    let read = package(
        "message Device {
           option (goten.annotations.resource) = { creation_id_pattern: \"[a-z]\" disable_db_constraints: true pager { default_page_size: 5 max_page_size: 50 } };
           option (goten.annotations.indices) = {
             composite : {
               sorting_groups : [
                 { name : \"byDisplayName\", order_by : \"display_name\", scopes : [ \"projects/{project}/devices/-\" ] },
                 { name : \"bySerialNumber\" order_by : \"info.serial_number\"
                   scopes : [ \"projects/-/devices/-\", \"projects/{project}/devices/-\" ] } ]
               filters : [
                 { field_path : \"info.model\" required : true restricted_sorting_groups : [ \"bySerialNumber\" ] },
                 { field_path : \"info.maintainer_group\"
                   reference_patterns : [ \"projects/{project}/maintanenceGroups/{maintanenceGroup}\" ] } ]
             }
             single : [ {field_path : \"machine_type\" is_wildcard: true} ]
           };
           option (goten.annotations.cache) = {
             disable_caching_by_name: true
             queries : [ {eq_field_paths : [\"name\"]}, {eq_field_paths : [\"name\", \"machine_type\"]} ]
             query_reference_patterns : [{ field_path : \"name\", patterns : [ \"messages/-/comments/-\", \"topics/{topic}/messages/-/comments/-\" ] }]
           };
           string name = 1; string display_name = 2; Info info = 3; string machine_type = 4;
           message Info { string serial_number = 1; string model = 2; string maintainer_group = 3; }
         }",
    );
    let actual = serde_json::to_value(&read.resources[0]).expect("JSON");
    assert_eq!(
        actual["indices"],
        json!({
            "composite": {
                "sorting_groups": [
                    {"name": "byDisplayName", "order_by": "display_name", "scopes": ["projects/{project}/devices/-"]},
                    {"name": "bySerialNumber", "order_by": "info.serial_number",
                     "scopes": ["projects/-/devices/-", "projects/{project}/devices/-"]},
                ],
                "filters": [
                    {"field_path": "info.model", "required": true, "restricted_sorting_groups": ["bySerialNumber"]},
                    {"field_path": "info.maintainer_group",
                     "reference_patterns": ["projects/{project}/maintanenceGroups/{maintanenceGroup}"]},
                ],
            },
            "single": [{"field_path": "machine_type", "is_wildcard": true}],
        })
    );
    assert_eq!(
        actual["cache"],
        json!({
            "disable_caching_by_name": true,
            "queries": [{"eq_field_paths": ["name"]}, {"eq_field_paths": ["name", "machine_type"]}],
            "query_reference_patterns": [{"field_path": "name",
                "patterns": ["messages/-/comments/-", "topics/{topic}/messages/-/comments/-"]}],
        })
    );
    assert_eq!(actual["pager"], json!({"default_page_size": 5, "max_page_size": 50}));
    assert_eq!(
        (&actual["creation_id_pattern"], &actual["disable_db_constraints"]),
        (&json!("[a-z]"), &json!(true))
    );
    assert_eq!(actual["on_parent_deleted_behavior"], json!("UNDEFINED"));
}
