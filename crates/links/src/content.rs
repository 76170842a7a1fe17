//! The content of a link, as the consumer receives it (source: BOSH's director).

use std::sync::Arc;

use model::{Data, Map, Origin, Value};

use crate::{
    ConsumerSpec, Deployment, Group, Instance, Link, LinkModel, Manual, Outcome, Owner, Profile, Provider,
    ProviderId, Request, expose,
};

/// The content of a link, as the consumer receives it: a map with `address`, `instances`, `properties`,
/// `deployment_name` and, for a provider, its networks. `None` for links without a provider.
///
/// `instances[].address` is the address in the network that was requested, else in the provider's default one; whether
/// it is an IP or a name is for the provider's deployment to say, unless the consumer asks (`ip_addresses`). The
/// `address` of the whole is never an IP. A value that is only known once the provider exists is unknown here.
pub fn content(site: &LinkModel, link: &Link, profile: Profile) -> Option<Value> {
    let (deployment, consumer) = link.consumer(site)?;
    match (&link.outcome, &consumer.spec) {
        (Outcome::Manual, ConsumerSpec::Manual(manual)) => Some(written(deployment, manual, profile)),
        (Outcome::Linked(id), ConsumerSpec::Ask(request)) => provided(site, *id, request, profile),
        _ => None,
    }
}

/// A link that is written out: exactly the known keys. Strict gives an empty list where no instances are written, for
/// consumers that iterate over them.
fn written(deployment: &Deployment, manual: &Manual, profile: Profile) -> Value {
    let mut content = Object::new(Origin::Written(manual.span));
    let none = if profile.is_strict() { Data::List(Vec::new()) } else { Data::Null };
    content.put("instances", none);
    content.put("properties", Data::Null);
    content.put("address", Data::Null);
    content.take("instances", manual.instances.as_ref());
    content.take("properties", manual.properties.as_ref());
    content.take("address", manual.address.as_ref());
    content.put("deployment_name", Data::String(Arc::clone(&deployment.name)));
    content.done()
}

fn provided(site: &LinkModel, id: ProviderId, request: &Request, profile: Profile) -> Option<Value> {
    let deployment = site.deployments.get(id.deployment)?;
    let provider = deployment.providers.get(id.provider)?;
    let mut content = Object::new(Origin::Inferred(provider.declared));
    content.put("deployment_name", text(&deployment.name));
    content.take("properties", Some(&expose(&provider.exposure, profile).properties));
    match &provider.owner {
        Owner::Job { group, .. } | Owner::Service { group, .. } => {
            let at = Addressing { deployment, group: deployment.groups.get(*group)?, request };
            at.put(provider, &mut content);
        }
        Owner::Disk { .. } | Owner::Variable { .. } => {
            content.put("networks", Data::List(Vec::new()));
            content.put("instances", Data::List(Vec::new()));
        }
    }
    Some(content.done())
}

/// The addresses of a provider's group, for one consumer.
struct Addressing<'s> {
    deployment: &'s Deployment,
    group: &'s Group,
    request: &'s Request,
}

impl Addressing<'_> {
    fn put(&self, provider: &Provider, content: &mut Object) {
        let network = self.network();
        let default = network.as_ref().map_or(Data::Null, text);
        let names = self.group.networks.iter().map(|it| content.value(text(&it.name)));
        let names = names.collect();
        content.put("networks", Data::List(names));
        content.put("default_network", default);
        let address = network.as_ref().and_then(|it| self.group.addresses.get(it));
        content.put("address", Data::Null);
        content.take("address", address);
        let instances = self.group.instances.iter().map(|it| self.instance(it, network.as_ref(), content));
        let instances = instances.collect();
        content.put("instances", Data::List(instances));
        if let Owner::Job { .. } = provider.owner {
            self.put_group(provider, content);
        }
    }

    /// Adds the keys that only links of BOSH have.
    fn put_group(&self, provider: &Provider, content: &mut Object) {
        let dns = &self.deployment.dns;
        content.put("instance_group", text(&self.group.name));
        content.put("domain", text(&dns.domain));
        content.put("use_dns_addresses", Data::Bool(dns.use_dns_addresses));
        content.put("use_short_dns_addresses", Data::Bool(dns.use_short_dns_addresses));
        content.put("use_link_dns_names", Data::Bool(dns.use_link_dns_names));
        let name = format!("{}-{}", provider.public_name().text, provider.link_type.text);
        content.put("group_name", Data::String(name.into()));
    }

    /// The network whose addresses count.
    fn network(&self) -> Option<Arc<str>> {
        let default = || Some(Arc::clone(&self.group.networks.get(self.group.default_network?)?.name));
        self.request.network.as_ref().map(|it| Arc::clone(&it.text)).or_else(default)
    }

    fn instance(&self, instance: &Instance, network: Option<&Arc<str>>, content: &Object) -> Value {
        let by_name = !self.request.ip_addresses.map_or(!self.deployment.dns.use_dns_addresses, |ip| ip);
        let addresses = if by_name { &instance.dns_addresses } else { &instance.addresses };
        let address = network.and_then(|it| addresses.get(it));
        let mut one = Object::new(content.origin);
        one.put("name", text(&instance.name));
        one.put("id", instance.id.as_ref().map_or(Data::Null, text));
        one.put("index", Data::Int(instance.index.into()));
        one.put("bootstrap", Data::Bool(instance.bootstrap));
        one.put("az", instance.az.as_ref().map_or(Data::Null, text));
        one.put("address", Data::Null);
        one.take("address", address);
        one.done()
    }
}

fn text(name: &Arc<str>) -> Data {
    Data::String(Arc::clone(name))
}

/// A map that is put together.
struct Object {
    map: Map,
    origin: Origin,
}

impl Object {
    const fn new(origin: Origin) -> Self {
        Self { map: Map::new(), origin }
    }

    const fn value(&self, data: Data) -> Value {
        Value::new(data, self.origin)
    }

    fn put(&mut self, key: &str, data: Data) {
        self.map.insert(key.into(), self.value(data));
    }

    /// Takes a value over, and with it whether it must be hidden.
    fn take(&mut self, key: &str, value: Option<&Value>) {
        if let Some(value) = value {
            self.map.insert(key.into(), Value { origin: self.origin, ..value.clone() });
        }
    }

    fn done(self) -> Value {
        Value::new(Data::Map(self.map), self.origin)
    }
}
