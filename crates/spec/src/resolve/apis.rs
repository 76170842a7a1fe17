use std::collections::BTreeSet;

use diag::Diagnostics;

use super::{Input, custom, kinds::check_form, standard};
use crate::{Api, KindId, Service, Services};

/// Adds the methods of all services: for each resource the standard ones and its own, then the other APIs
/// (source: Goten's tools).
pub(super) fn build(inputs: &[&Input], services: &mut Services, report: &mut Diagnostics) {
    let built: Vec<Vec<Api>> =
        inputs.iter().enumerate().map(|(at, it)| apis(at, it, services, report)).collect();
    for (service, apis) in services.services.iter_mut().zip(built) {
        service.apis = apis;
    }
}

fn apis(service: usize, input: &Input, services: &Services, report: &mut Diagnostics) -> Vec<Api> {
    let Some(own) = services.services.get(service) else { return Vec::new() };
    let prefix = prefix(own);
    let (mut apis, mut names) = (Vec::new(), BTreeSet::new());
    for (at, (kind, resource)) in own.kinds.iter().zip(&input.skeleton.resources).enumerate() {
        // A second kind of one name is reported, and has no methods that could only repeat the mistake.
        if !names.insert(&kind.name) {
            continue;
        }
        let id = KindId { service, kind: at };
        let mut methods = standard::methods(id, kind, resource, &prefix);
        let custom = resource.actions.iter();
        methods
            .extend(custom.filter_map(|it| custom::method(service, Some(at), it, services, &prefix, report)));
        apis.push(Api { name: format!("{}Service", kind.name).into(), kind: Some(at), methods });
    }
    for api in &input.skeleton.apis {
        let Some(name) = &api.name else { continue };
        check_form(Some(name), report);
        let methods = api.actions.iter();
        let methods =
            methods.filter_map(|it| custom::method(service, None, it, services, &prefix, report)).collect();
        apis.push(Api { name: format!("{}Service", name.value).into(), kind: None, methods });
    }
    apis.retain(|it| !it.methods.is_empty());
    apis
}

/// The beginning of all paths of a service.
fn prefix(service: &Service) -> String {
    let version = &service.version;
    service.http_prefix.as_ref().map_or_else(|| format!("/{version}"), |it| format!("/{it}/{version}"))
}
