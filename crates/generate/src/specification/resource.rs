//! Resources.

use serde_json::{Value, json};
use spec::skeleton::SyncType;

use super::{actions, choice, flag, list, object, reference, storage, text, texts, upper_camel};

pub(super) fn schema() -> Value {
    object(
        "A kind of resources.",
        &["name"],
        &[
            ("name", upper_camel("Its name in the singular: `Secret`.")),
            ("plural", upper_camel("Its name in the plural; by default with an `s`.")),
            (
                "parents",
                texts(
                    "Its parents: a resource of this service, `service/Kind`, or `\"\"` where it needs none.",
                ),
            ),
            (
                "scopeAttributes",
                list("What names have between parent and id.", choice("The only one.", ["Region"])),
            ),
            ("scopeAttributeOverrides", overrides()),
            ("idPattern", text("The regular expression of its ids.")),
            ("creationIdPattern", text("The regular expression of ids of new resources.")),
            ("optOuts", opt_outs()),
            (
                "optIns",
                object("What it has besides.", &[], &[("searchable", flag("A method that searches."))]),
            ),
            ("multiRegion", multi_region()),
            ("versioning", versioning()),
            ("actions", actions()),
            ("onParentDeleted", on_parent_deleted()),
            ("asyncDeletion", flag("It is kept, marked as deleted, until no reference leads to it.")),
            ("fields", list("Its fields. Without any, values may have all fields.", reference("field"))),
            ("views", views()),
            ("authChecks", auth_checks()),
            ("indices", storage::indices()),
            ("cache", storage::cache()),
        ],
    )
}

fn overrides() -> Value {
    let optional = object("", &[], &[("isOptional", flag("Names with and without it are valid."))]);
    object("What differs for a scope attribute.", &[], &[("Region", optional)])
}

fn opt_outs() -> Value {
    object(
        "What it does not have.",
        &[],
        &[
            ("nameField", flag("No field `name`, and no standard methods.")),
            ("metadataField", flag("No field `metadata`.")),
            ("paging", flag("No pages.")),
            ("resourceChange", flag("No message of changes, and so no watching.")),
            ("standardCrudAccess", flag("None of the standard methods.")),
            ("dbConstraints", flag("References are not checked.")),
            (
                "basicActions",
                texts("Standard methods that it does not have: `CreateSecret`, `{Update,Delete}*`, `*`."),
            ),
        ],
    )
}

fn multi_region() -> Value {
    object(
        "Where it is stored and copied to.",
        &[],
        &[
            ("syncType", choice("Where copies are kept.", SyncType::NAMES.map(|(name, _)| name))),
            ("isPolicyHolder", flag("It has the policy of regions for what is below it.")),
            (
                "skipCodeGenBasedRoutingBasicActions",
                texts("Standard methods whose requests are not routed by generated code."),
            ),
        ],
    )
}

pub(super) fn versioning() -> Value {
    object(
        "What becomes of it in the next version.",
        &[],
        &[
            ("replacement", text("What replaces it.")),
            ("skipTransformersBasicActions", texts("Standard methods that are not transformed.")),
            ("skipAccessTransformer", flag("Access is not transformed.")),
            ("skipResourceChangeTransformers", flag("Changes are not transformed.")),
        ],
    )
}

fn on_parent_deleted() -> Value {
    json!({
        "description": "What happens to it when its parent is deleted.",
        "allOf": [reference("deleteBehavior"), {"not": {"enum": ["UNSET", "ASYNC_UNSET"]}}],
    })
}

fn auth_checks() -> Value {
    let check = || {
        let permission = text("The permission, without `services/SERVICE/permissions/`.");
        let keys = [("permission", permission), ("paths", texts("Paths of fields."))];
        object("A permission, and the fields that need it.", &["permission", "paths"], &keys)
    };
    let keys = [
        ("readChecks", list("To read fields: without it, responses do not have them.", check())),
        ("setChecks", list("To set fields: without it, requests that change them are refused.", check())),
    ];
    object("Permissions that callers need for some fields, besides that of the method.", &[], &keys)
}

fn views() -> Value {
    let paths = || texts("Paths of fields.");
    let views = ["NAME", "BASIC", "DETAIL", "FULL"].map(|name| (name, paths()));
    object("The fields of its views.", &[], &views)
}
