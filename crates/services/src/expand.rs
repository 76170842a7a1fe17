//! Services as plain data.

use diag::{Sources, Span};
use fields::schema::Schema;
use spec::{
    Api, Kind, KindId, Method, RoutingRule, Service, Services,
    skeleton::{Paths, Text},
};
use workspace::{
    capability::location,
    view::{
        ApiView, ImportView, LocationView, MethodView, PathsView, ResourceTypeView, RouteView, RoutingView,
        ServiceView,
    },
};

use crate::{storage, vocabulary};

/// Services with what places in their files need.
#[derive(Clone, Copy)]
pub(crate) struct Expansion<'a> {
    pub(crate) services: &'a Services,
    pub(crate) schemas: &'a [Schema],
    pub(crate) sources: &'a Sources,
}

impl Expansion<'_> {
    pub(crate) fn views(self) -> Vec<ServiceView> {
        (0..self.services.services.len()).filter_map(|it| self.service(it)).collect()
    }

    fn service(self, at: usize) -> Option<ServiceView> {
        let service = self.services.services.get(at)?;
        let kinds = service.kinds.iter().enumerate();
        Some(ServiceView {
            name: service.name.to_string(),
            version: service.version.to_string(),
            package: service.package.to_string(),
            default_host: service.default_host.to_string(),
            next_version: service.next_version.as_ref().map(ToString::to_string),
            is_import: service.is_import,
            imports: service.imports.iter().filter_map(|it| self.import(*it)).collect(),
            resources: kinds.map(|(kind, it)| self.kind(KindId { service: at, kind }, it)).collect(),
            apis: service.apis.iter().map(|it| self.api(at, service, it)).collect(),
            permissions: spec::permissions(service).into_iter().collect(),
        })
    }

    fn import(self, at: usize) -> Option<ImportView> {
        let service = self.services.services.get(at)?;
        Some(ImportView { service: service.name.to_string(), version: service.version.to_string() })
    }

    fn kind(self, id: KindId, kind: &Kind) -> ResourceTypeView {
        let parent = |it: &Option<KindId>| it.map_or_else(String::new, |it| self.name_in(id.service, it));
        ResourceTypeView {
            name: kind.name.to_string(),
            type_name: self.services.type_name(id),
            plural: kind.plural.to_string(),
            collection: kind.collection.to_string(),
            patterns: kind.patterns.0.iter().map(|it| it.text().to_owned()).collect(),
            name_regexes: kind.patterns.0.iter().map(names::Pattern::regex_text).collect(),
            parents: kind.parents.iter().map(parent).collect(),
            region: vocabulary::region(kind.region),
            id_pattern: kind.id_pattern.as_str().to_owned(),
            creation_id_pattern: kind.creation_id_pattern.as_ref().map(|it| it.as_str().to_owned()),
            sync_type: vocabulary::sync_type(kind.sync_type),
            is_policy_holder: kind.features.policy_holder,
            has_name: kind.features.name_field,
            has_metadata: kind.features.metadata_field,
            disable_standard_access: !kind.features.standard_access,
            disable_db_constraints: !kind.features.constraints,
            searchable: kind.features.searchable,
            indices: storage::index_plan(kind),
            cache: storage::cache_plan(self.services, id, self.schemas.get(id.service)),
            location: self.location(kind.span),
        }
    }

    fn api(self, at: usize, service: &Service, api: &Api) -> ApiView {
        let kind = api.kind.and_then(|it| service.kinds.get(it));
        ApiView {
            name: api.name.to_string(),
            resource: kind.map(|it| it.name.to_string()),
            methods: api.methods.iter().map(|it| self.method(at, it)).collect(),
        }
    }

    fn method(self, service: usize, method: &Method) -> MethodView {
        MethodView {
            name: method.name.to_string(),
            standard: method.standard.map(vocabulary::standard),
            request: method.request.to_string(),
            response: method.response.to_string(),
            client_streaming: method.client_streaming,
            server_streaming: method.server_streaming,
            http: method.routes.iter().map(route).collect(),
            permission: method.permission.to_string(),
            resource: method.kind.map_or_else(String::new, |it| self.name_in(service, it)),
            verb: method.verb.to_string(),
            is_collection: method.is_collection,
            is_plural: method.is_plural,
            request_paths: paths(&method.request_paths),
            response_paths: paths(&method.response_paths),
            transaction: vocabulary::transaction(method.transaction),
            read_only: method.read_only,
            routing: routing(&method.routing),
            location: self.location(method.span),
        }
    }

    /// A kind as a service names it.
    fn name_in(self, service: usize, id: KindId) -> String {
        match (self.services.kind(id), id.service == service) {
            (Some(kind), true) => kind.name.to_string(),
            _ => self.services.type_name(id),
        }
    }

    fn location(self, span: Span) -> LocationView {
        location(self.sources, span)
    }
}

fn route(route: &spec::Route) -> RouteView {
    RouteView { method: route.method.to_string(), path: route.path.to_string(), body: route.body.to_string() }
}

fn paths(paths: &Paths) -> PathsView {
    let texts = |it: &[Text]| it.iter().map(|it| it.value.to_string()).collect();
    PathsView {
        resource_name: texts(&paths.resource_name),
        resource_body: texts(&paths.resource_body),
        resource_parent: texts(&paths.resource_parent),
    }
}

fn routing(rule: &RoutingRule) -> RoutingView {
    let texts = |it: &[std::sync::Arc<str>]| it.iter().map(ToString::to_string).collect();
    RoutingView {
        execute_on_owning_region: rule.execute_on_owning_region,
        skip_code_gen_based_routing: rule.skip_generated,
        resource_field_paths: texts(&rule.resource_paths),
        scope_field_paths: texts(&rule.scope_paths),
        region_id_field_paths: texts(&rule.region_paths),
    }
}
