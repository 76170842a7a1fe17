//! Creates resources and their dependencies from items whose references are resolved.

mod beside;
mod links;
mod naming;
mod reuse;

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Severity, Span, order};
use model::{
    Address, Data, Dependency, Desired, DesiredResource, EdgeKind, Map, Origin, PackageUse, Pointer, Value,
};
use types::{Edge, Field, OnChange, TypeDefinition, normalize};

use crate::{
    Cache, Linking, Lowered, PackageRequest,
    cache::CachedItem,
    codes::{UNKNOWN_KEY, UNUSED},
    declare::Declarations,
    linking::SiteMap,
    resolve::is_address_list,
};
pub(crate) use naming::NamedItem;
use naming::{Naming, collect_all, look_up};

/// Creates the resources.
pub(crate) fn build(
    mut declarations: Declarations<'_>,
    linking: Linking,
    map: &SiteMap,
    package_requests: Vec<PackageRequest>,
    cache: &mut Cache,
) -> Lowered {
    let items = 0..declarations.items.len();
    let cached: Vec<Option<&CachedItem>> =
        declarations.items.iter().map(|it| cache.item(it.kind, &it.name)).collect();
    let is_same = |it: usize| cached[it].is_some_and(|cached| declarations.share_attributes(it, cached));
    let is_same: Vec<bool> = items.clone().map(is_same).collect();
    let names = collect_all(&declarations, &cached, &is_same);
    let namings: Vec<_> = items.map(|it| look_up(&mut declarations, &names[it], it)).collect();
    report_unused(&mut declarations, &namings);
    let deployment = deployment(&declarations);
    let links = links::links_of(&declarations, &linking, map);
    let builder = Builder::new(&declarations, namings, links, &package_requests);
    let settled = builder.settled(&cached, is_same);
    let Built { resources, weak, kept } = builder.resources(&settled, &cached);
    let declared = builder.namings.iter().map(Vec::len).zip(builder.counts).collect();
    reuse::keep(&mut declarations, names, declared, kept, cache);
    let mut desired = Desired { deployment, resources, moved: Vec::new() };
    add_weak(&mut desired, weak);
    Lowered {
        desired,
        inferred: declarations.inferred,
        uses: declarations.uses,
        unread_accessor: declarations.unread_accessor,
        linking,
        package_requests,
        diagnostics: declarations.diagnostics,
    }
}

/// The `name` of a singleton, if one has it; or else the deployment that its layers declare.
pub(crate) fn deployment(declarations: &Declarations<'_>) -> Option<Arc<str>> {
    let singletons = (0..declarations.items.len()).filter(|item| declarations.definition(*item).singleton);
    let values = singletons.filter_map(|item| declarations.items[item].attributes.get("name"));
    // The name of a deployment is shown everywhere, so one that contains a secret is not used.
    let names = values.filter(|it| !it.sensitive).filter_map(|it| it.as_str());
    let name = names.filter(|name| !name.is_empty()).map(Arc::from).next();
    name.or_else(|| declarations.deployment.clone())
}

/// Hints at items that others could name and none does. An invalid part may be where they are named, so if
/// there is an error or an unknown key there is no hint.
fn report_unused(declarations: &mut Declarations<'_>, namings: &[Vec<Naming>]) {
    let may_hide = |it: &Diagnostic| it.severity == Severity::Error || it.code == UNKNOWN_KEY;
    if declarations.diagnostics.iter().any(may_hide) {
        return;
    }
    let named = namings.iter().flatten().map(|it| it.target);
    let referred = declarations.items.iter().flat_map(|it| &it.references).map(|it| it.target);
    let used = order::set(named.chain(referred));
    for item in 0..declarations.items.len() {
        let definition = declarations.definition(item);
        let declared = &declarations.items[item];
        if definition.singleton
            || used.contains(&item)
            || declared.node.is_none()
            || !is_for_others(declarations, item)
        {
            continue;
        }
        let message = format!("nothing uses the {} `{}`", definition.kind, declared.name);
        let help = if definition.tangible { "it is created nevertheless" } else { "it has no effect" };
        let diagnostic = Diagnostic::hint(UNUSED, declared.span, message).help(help);
        declarations.diagnostics.push(diagnostic);
    }
}

/// True if items of this kind are only useful when others embed them or live in them.
fn is_for_others(declarations: &Declarations<'_>, item: usize) -> bool {
    let kind = &declarations.definition(item).kind;
    let fields = declarations.types.kinds.iter().flat_map(|it| &it.fields);
    fields
        .filter_map(|field| field.shape.refers_to())
        .any(|(to, edge)| *to == **kind && matches!(edge, Edge::Embed | Edge::Needs(EdgeKind::Attachment)))
}

/// The highest nesting depth of embedded items.
const MAX_DEPTH: usize = 8;

struct Builder<'b, 'a> {
    declarations: &'b Declarations<'a>,
    /// By item.
    namings: Vec<Vec<Naming>>,
    /// By item: the number of its instances, if it counts them.
    counts: Vec<Option<u32>>,
    /// By kind: the fields that are not sent to an adapter.
    unsent: Vec<Vec<&'a str>>,
    /// By item: its links.
    links: Vec<Vec<links::TypedLink>>,
    /// The packages that are required.
    package_requests: &'b [PackageRequest],
}

/// The resources of all items.
struct Built {
    resources: Vec<Arc<DesiredResource>>,
    weak: Vec<WeakEdge>,
    /// By item: its resources, if the next lowering may take them over.
    kept: Vec<Vec<Arc<DesiredResource>>>,
}

/// An edge that need not order: the value that it takes is known already.
struct WeakEdge {
    from: Address,
    dependency: Dependency,
}

impl<'b, 'a> Builder<'b, 'a> {
    fn new(
        declarations: &'b Declarations<'a>,
        namings: Vec<Vec<Naming>>,
        links: Vec<Vec<links::TypedLink>>,
        package_requests: &'b [PackageRequest],
    ) -> Self {
        let counts = (0..namings.len()).map(|item| declarations.count(item)).collect();
        let unsent = declarations.types.kinds.iter().map(unsent).collect();
        Self { declarations, namings, counts, unsent, links, package_requests }
    }

    /// All resources; those that are the same as in the last lowering are taken from there.
    fn resources(&self, settled: &[bool], cached: &[Option<&CachedItem>]) -> Built {
        let mut built =
            Built { resources: Vec::new(), weak: Vec::new(), kept: vec![Vec::new(); self.counts.len()] };
        for item in self.in_kind_order() {
            if !self.declarations.definition(item).tangible {
                continue;
            }
            if let Some(reused) = self.reusable(item, settled, cached) {
                built.resources.extend(reused.iter().cloned());
                built.kept[item] = reused.to_vec();
            } else if self.declarations.items[item].beside.is_empty() {
                self.resources_of(item, &mut built);
            } else {
                self.resources_beside(item, &mut built);
            }
        }
        built
    }

    fn resources_of(&self, item: usize, built: &mut Built) {
        let attributes = Map::clone(&self.declarations.items[item].attributes);
        let resource = self.resource(item, attributes);
        let known = self.written_references(item, &resource.dependencies);
        for from in self.instances(item).filter(|_| !known.is_empty()) {
            built.weak.extend(known.iter().map(|it| WeakEdge { from: from.clone(), dependency: it.clone() }));
        }
        let resources: Vec<_> = match self.counts[item] {
            None => vec![Arc::new(resource)],
            Some(_) => self.instances(item).map(|it| Arc::new(self.instance(item, &resource, it))).collect(),
        };
        built.resources.extend(resources.iter().cloned());
        // Weak edges depend on the edges of all others.
        if known.is_empty() {
            built.kept[item] = resources;
        }
    }

    /// Items by kind in the order of the definitions, then as declared.
    fn in_kind_order(&self) -> Vec<usize> {
        let mut items: Vec<usize> = (0..self.declarations.items.len()).collect();
        order::by_key(&mut items, |item| self.declarations.items[*item].kind);
        items
    }

    /// The addresses of an item's instances; its own address if it does not count them.
    fn instances(&self, item: usize) -> impl Iterator<Item = Address> + use<> {
        let address = self.declarations.address(item);
        let count = self.counts[item];
        (0..count.unwrap_or(1)).map(move |n| Address { instance: count.map(|_| n), ..address.clone() })
    }

    /// The resources of an item whose instances differ in what runs beside them.
    fn resources_beside(&self, item: usize, built: &mut Built) {
        let attributes = &self.declarations.items[item].attributes;
        for (n, address) in self.instances(item).enumerate() {
            let mut own = Map::clone(attributes);
            let beside = beside::ColocatedInstances { declarations: self.declarations, item, attributes, n };
            own.iter_mut().for_each(|(_, value)| beside.put(value));
            let resource = self.resource(item, own);
            let known = self.written_references(item, &resource.dependencies).into_iter();
            built.weak.extend(known.map(|dependency| WeakEdge { from: address.clone(), dependency }));
            built.resources.push(Arc::new(self.instance(item, &resource, address)));
        }
    }

    /// The resource of an item with these fields.
    fn resource(&self, item: usize, attributes: Map) -> DesiredResource {
        let mut templates = BTreeMap::new();
        let mut spec = self.spec(item, attributes, &Pointer::root(), &mut templates, 0);
        let definition = self.declarations.definition(item);
        normalize(self.declarations.types, definition, &mut spec, &|place| templates.contains_key(place));
        let declared = self.declarations.items[item].span;
        let spec = Value::new(Data::Map(spec), Origin::Written(declared));
        templates.retain(|place, _| spec.at(place).is_some());
        let dependencies = self.dependencies(item, &spec, &templates);
        DesiredResource {
            address: self.declarations.address(item),
            kind: Arc::clone(&definition.kind),
            spec,
            templates,
            declared,
            dependencies,
            links: self.link_edges(item),
            packages: self.packages(item),
        }
    }

    /// The packages that an item requires, itself or through embedded items.
    fn packages(&self, item: usize) -> Vec<PackageUse> {
        if self.package_requests.is_empty() {
            return Vec::new();
        }
        let with_embedded = self.with_embedded(item).into_iter();
        let found = with_embedded.filter_map(|(at, item)| {
            let address = self.declarations.address(item);
            let request = self.package_requests.iter().find(|it| it.requester == address)?;
            let fields = self.declarations.definition(item).packages.as_ref()?;
            let (path, version) = (at.key(&fields.wanted).key("name"), at.key(&fields.version));
            Some(PackageUse {
                version,
                package: Arc::clone(&request.package.text),
                by: address,
                path,
                span: request.package.span,
            })
        });
        found.collect()
    }

    fn link_edges(&self, item: usize) -> Vec<Dependency> {
        let to_each = |link: &links::TypedLink| {
            let (path, span) = (link.path.clone(), link.span);
            self.instances(link.target).map(move |to| Dependency {
                to,
                kind: EdgeKind::Link,
                path: path.clone(),
                takes: None,
                span,
            })
        };
        self.links[item].iter().flat_map(to_each).collect()
    }

    /// The attributes that are sent: relevant fields, with embedded items in place of their names.
    fn spec(
        &self,
        item: usize,
        mut spec: Map,
        at: &Pointer,
        templates: &mut BTreeMap<Pointer, Arc<str>>,
        depth: usize,
    ) -> Map {
        let declaration = &self.declarations.items[item];
        let unsent = &self.unsent[declaration.kind];
        if spec.keys().any(|key| unsent.contains(&&**key)) {
            spec.retain(|key, _| !unsent.contains(&&**key));
        }
        for naming in self.namings[item].iter().filter(|it| it.edge == Edge::Embed && depth < MAX_DEPTH) {
            let Some(value) = field_at(&mut spec, &naming.pointer) else { continue };
            let attributes = Map::clone(&self.declarations.items[naming.target].attributes);
            let place = at.join(&naming.pointer);
            value.data = Data::Map(self.spec(naming.target, attributes, &place, templates, depth + 1));
        }
        for (pointer, text) in declaration.templates.iter() {
            if pointer.parts().next().is_some_and(|key| spec.contains_key(&*key)) {
                templates.insert(at.join(pointer), Arc::clone(text));
            }
        }
        spec
    }

    /// The dependencies of a resource: the items that its fields name, and those whose run-time values it
    /// takes.
    fn dependencies(
        &self,
        item: usize,
        spec: &Value,
        templates: &BTreeMap<Pointer, Arc<str>>,
    ) -> Vec<Dependency> {
        let mut dependencies = Vec::new();
        for (at, item) in self.with_embedded(item) {
            for naming in &self.namings[item] {
                let Edge::Needs(kind) = naming.edge else { continue };
                if !self.declarations.definition(naming.target).tangible {
                    continue;
                }
                let takes = (kind == EdgeKind::Attachment).then(Pointer::root);
                dependencies.extend(self.instances(naming.target).map(|to| Dependency {
                    to,
                    kind,
                    path: at.join(&naming.pointer),
                    takes: takes.clone(),
                    span: naming.span,
                }));
            }
        }
        for place in templates.keys() {
            if let Some(value) = spec.at(place) {
                run_time_references(value, place, &mut dependencies);
            }
        }
        if !dependencies.is_sorted_by_key(|it| it.span) {
            order::by_key(&mut dependencies, |it| it.span);
        }
        dependencies.dedup();
        dependencies
    }

    /// An item and its embedded items, each with its place.
    fn with_embedded(&self, item: usize) -> Vec<(Pointer, usize)> {
        let mut all = vec![(Pointer::root(), item)];
        let mut next = 0;
        while next < all.len() && all.len() < 64 {
            let (at, item) = all[next].clone();
            let embeds = self.namings[item].iter().filter(|naming| naming.edge == Edge::Embed);
            all.extend(embeds.map(|naming| (at.join(&naming.pointer), naming.target)));
            next += 1;
        }
        all
    }

    /// References to values of other resources that are written in the descriptors.
    fn written_references(&self, item: usize, strong: &[Dependency]) -> Vec<Dependency> {
        let mut known = Vec::new();
        for (at, owner) in self.with_embedded(item) {
            for reference in &self.declarations.items[owner].references {
                let target = reference.target;
                if target == item || !self.declarations.definition(target).tangible {
                    continue;
                }
                let same_span = at_span(strong, reference.span);
                let instances = self.instances(target).filter(|to| {
                    reference.instance.is_none_or(|n| to.instance == Some(n))
                        && !same_span.iter().any(|it| it.to == *to)
                });
                known.extend(instances.map(|to| Dependency {
                    to,
                    kind: EdgeKind::Reference,
                    path: at.join(&reference.pointer),
                    takes: Some(Pointer::root().steps(&reference.path)),
                    span: reference.span,
                }));
            }
        }
        known
    }

    /// One instance: of a list of fixed addresses it has its own.
    fn instance(&self, item: usize, resource: &DesiredResource, address: Address) -> DesiredResource {
        let mut resource = DesiredResource { address, ..resource.clone() };
        let (Some(n), Data::Map(spec)) = (resource.address.instance, &mut resource.spec.data) else {
            return resource;
        };
        let beside = &self.declarations.items[item].beside;
        if !beside.is_empty() {
            let is_own = |it: &Dependency| it.to.instance.is_none_or(|other| other == n);
            resource.links.retain(|it| is_own(it) || beside.iter().all(|beside| beside.span != it.span));
        }
        let fields = self.declarations.definition(item).fields.iter();
        for field in fields.filter(|field| is_address_list(&field.shape)) {
            if let Some(Data::List(addresses)) = spec.get_mut(&field.name).map(|value| &mut value.data) {
                *addresses = addresses.get(n as usize).cloned().into_iter().collect();
            }
        }
        resource
    }
}

/// The fields that are not sent to an adapter.
fn unsent(kind: &TypeDefinition) -> Vec<&str> {
    let is_unsent = |field: &&Field| field.output || field.on_change == OnChange::Nothing;
    kind.fields.iter().filter(is_unsent).map(|field| &*field.name).collect()
}

/// The value of the field that a place is; `None` deeper down.
fn field_at<'m>(map: &'m mut Map, place: &Pointer) -> Option<&'m mut Value> {
    let mut parts = place.parts();
    let field = parts.next()?;
    if parts.next().is_some() { None } else { map.get_mut(&*field) }
}

/// The dependencies at a span, of a list that is sorted by spans.
fn at_span(dependencies: &[Dependency], span: Span) -> &[Dependency] {
    let from = dependencies.partition_point(|it| it.span < span);
    let rest = &dependencies[from..];
    &rest[..rest.partition_point(|it| it.span == span)]
}

fn run_time_references(value: &Value, at: &Pointer, found: &mut Vec<Dependency>) {
    match &value.data {
        Data::Unknown(expression) => found.extend(expression.references().map(|reference| Dependency {
            to: reference.to.clone(),
            kind: EdgeKind::Reference,
            path: at.clone(),
            takes: Some(Pointer::root().steps(&reference.path)),
            span: reference.span,
        })),
        Data::List(items) => {
            items.iter().enumerate().for_each(|(index, it)| run_time_references(it, &at.index(index), found));
        }
        Data::Map(map) => map.iter().for_each(|(key, it)| run_time_references(it, &at.key(key), found)),
        _ => {}
    }
}

/// Adds the edges that need not order, except those that would close a cycle: two services may contain each
/// other's written address.
fn add_weak(desired: &mut Desired, weak: Vec<WeakEdge>) {
    if weak.is_empty() {
        return;
    }
    let index = order::map(desired.resources.iter().enumerate().map(|(n, it)| (it.address.clone(), n)));
    for edge in &weak {
        if let Some(n) = index.get(&edge.from) {
            let resource = Arc::make_mut(&mut desired.resources[*n]);
            resource.dependencies.push(edge.dependency.clone());
        }
    }
    drop_closing(desired, &weak, &index);
    sort_dependencies(&mut desired.resources, weak.iter().filter_map(|it| index.get(&it.from)).copied());
}

/// Sorts the dependencies of the resources at these places, to which some were added.
pub(crate) fn sort_dependencies(
    resources: &mut [Arc<DesiredResource>],
    changed: impl Iterator<Item = usize>,
) {
    for place in order::set(changed) {
        order::by_key(&mut Arc::make_mut(&mut resources[place]).dependencies, |it| it.span);
    }
}

/// Removes the weak edges that are part of a cycle.
fn drop_closing(desired: &mut Desired, weak: &[WeakEdge], index: &BTreeMap<Address, usize>) {
    let (graph, _) = graph::Graph::build(desired);
    for edge in weak {
        let Dependency { to, span, path, .. } = &edge.dependency;
        let (Some(from), Some(end)) = (index.get(&edge.from), index.get(to)) else { continue };
        if graph.in_same_cycle(*from, *end) {
            let is_weak = |it: &Dependency| it.kind == EdgeKind::Reference && it.span == *span;
            let dependencies = &mut Arc::make_mut(&mut desired.resources[*from]).dependencies;
            dependencies.retain(|it| !(is_weak(it) && it.to == *to && it.path == *path));
        }
    }
}
