//! The permissions of a service.

use std::collections::BTreeSet;

use crate::Service;

/// The full name of a permission of a service: `services/secrets.edgelq.com/permissions/secrets.create`.
pub fn permission_name(service: &str, permission: &str) -> String {
    format!("services/{service}/permissions/{permission}")
}

/// All permissions of a service in one version, without `services/SERVICE/permissions/`: one for each verb of its methods,
/// one to attach resources of each kind to others, and those that fields need (source:
/// Goten's tools). Their order is that of Goten's files.
pub fn permissions(service: &Service) -> BTreeSet<String> {
    let methods = service.apis.iter().flat_map(|it| &it.methods);
    let of_methods = methods.map(|it| it.permission.to_string());
    let attach = service.kinds.iter().map(|it| format!("{}!attach", it.collection));
    let checks = service.kinds.iter().map(|it| &it.auth_checks);
    let of_fields = checks.flat_map(|it| it.read_checks.iter().chain(&it.set_checks));
    of_methods.chain(attach).chain(of_fields.map(|it| it.permission.value.to_string())).collect()
}
