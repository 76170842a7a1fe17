use ::fields::schema::DeleteBehavior;

use super::{action, fields, keys::Keys, storage};
use crate::skeleton::{
    AuthCheck, AuthChecks, Flag, MultiRegion, OptOuts, Resource, ScopeOverride, SyncType, Text, Versioning,
};

pub(super) fn read(mut keys: Keys<'_>) -> Resource {
    let resource = Resource {
        span: keys.span,
        name: keys.required("name", "a resource"),
        plural: keys.text("plural"),
        parents: keys.texts("parents"),
        scope_attributes: keys.texts("scopeAttributes"),
        scope_overrides: read_overrides(&mut keys),
        id_pattern: keys.text("idPattern"),
        creation_id_pattern: keys.text("creationIdPattern"),
        opt_outs: keys.map("optOuts").map(read_opt_outs).unwrap_or_default(),
        searchable: read_opt_ins(&mut keys),
        multi_region: keys.map("multiRegion").map(read_multi_region).unwrap_or_default(),
        versioning: keys.map("versioning").map(read_versioning).unwrap_or_default(),
        actions: keys.list("actions").into_iter().map(action::read).collect(),
        on_parent_deleted: keys.choice("onParentDeleted", &BEHAVIORS),
        async_deletion: keys.flag("asyncDeletion"),
        fields: keys.list("fields").into_iter().map(fields::read).collect(),
        views: read_views(&mut keys),
        auth_checks: keys.map("authChecks").map(read_auth_checks).unwrap_or_default(),
        indices: keys.map("indices").map(storage::read_indices),
        cache: keys.map("cache").map(storage::read_cache),
    };
    keys.finish("a resource");
    resource
}

pub(super) const BEHAVIORS: [(&str, DeleteBehavior); 6] = {
    let mut names = [("", DeleteBehavior::Block); 6];
    let mut at = 0;
    while at < names.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            names[at] = (DeleteBehavior::ALL[at].as_str(), DeleteBehavior::ALL[at]);
        }
        at += 1;
    }
    names
};

fn read_overrides(keys: &mut Keys<'_>) -> Vec<ScopeOverride> {
    let named = keys.named("scopeAttributeOverrides");
    let read = |(attribute, node): (Text, _)| {
        let mut value = keys.map_of("scopeAttributeOverrides", node)?;
        let is_optional = value.flag("isOptional");
        value.finish("an override of a scope attribute");
        Some(ScopeOverride { attribute, is_optional })
    };
    named.into_iter().filter_map(read).collect()
}

fn read_opt_outs(mut keys: Keys<'_>) -> OptOuts {
    let opt_outs = OptOuts {
        name_field: keys.flag("nameField"),
        metadata_field: keys.flag("metadataField"),
        paging: keys.flag("paging"),
        resource_change: keys.flag("resourceChange"),
        standard_crud_access: keys.flag("standardCrudAccess"),
        db_constraints: keys.flag("dbConstraints"),
        basic_actions: keys.texts("basicActions"),
    };
    keys.finish("`optOuts`");
    opt_outs
}

fn read_opt_ins(keys: &mut Keys<'_>) -> Flag {
    let mut opt_ins = keys.map("optIns")?;
    let searchable = opt_ins.flag("searchable");
    opt_ins.finish("`optIns`");
    searchable
}

fn read_multi_region(mut keys: Keys<'_>) -> MultiRegion {
    let multi_region = MultiRegion {
        sync_type: keys.choice("syncType", &SyncType::NAMES),
        is_policy_holder: keys.flag("isPolicyHolder"),
        skip_routing: keys.texts("skipCodeGenBasedRoutingBasicActions"),
    };
    keys.finish("`multiRegion`");
    multi_region
}

pub(super) fn read_versioning(mut keys: Keys<'_>) -> Versioning {
    let versioning = Versioning {
        replacement: keys.text("replacement"),
        skip_transformers: keys.texts("skipTransformersBasicActions"),
        skip_access_transformer: keys.flag("skipAccessTransformer"),
        skip_change_transformers: keys.flag("skipResourceChangeTransformers"),
    };
    keys.finish("`versioning`");
    versioning
}

fn read_auth_checks(mut keys: Keys<'_>) -> AuthChecks {
    let checks = AuthChecks {
        read_checks: keys.list("readChecks").into_iter().filter_map(read_auth_check).collect(),
        set_checks: keys.list("setChecks").into_iter().filter_map(read_auth_check).collect(),
    };
    keys.finish("`authChecks`");
    checks
}

fn read_auth_check(mut keys: Keys<'_>) -> Option<AuthCheck> {
    let (permission, paths) = (keys.required("permission", "a check"), keys.texts("paths"));
    keys.missing("paths", "a check");
    keys.finish("a check");
    Some(AuthCheck { permission: permission?, paths })
}

fn read_views(keys: &mut Keys<'_>) -> Vec<(Text, Vec<Text>)> {
    let Some(mut views) = keys.map("views") else { return Vec::new() };
    let named = views.all();
    named.into_iter().map(|(name, node)| (name, views.texts_of("views", node))).collect()
}
