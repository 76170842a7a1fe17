use std::sync::Arc;

use diag::{Diagnostic, Span};
use links::{Instance, Named};
use model::{Data, Map, Origin, Value};
use syntax::{Node, NodeData};

use super::networks::Net;
use crate::{
    codes,
    dns::{Criteria, GroupDomain},
    manifest::Reader,
    shape::{self, kind},
    value::{inferred, is_open},
};

type Addresses = Map;

impl Reader<'_> {
    /// The address of a group as a whole in each network.
    pub(super) fn group_addresses(&self, nets: &[Net], label: &str, span: Span) -> Addresses {
        let mut addresses = Addresses::new();
        for net in nets {
            let name = self.place(label, net).of_query(&Criteria::default());
            addresses.insert(Arc::clone(&net.network.name), inferred(name, span));
        }
        addresses
    }

    fn place<'n>(&'n self, label: &'n str, net: &'n Net) -> GroupDomain<'n> {
        let domain = &self.deployment.dns.domain;
        GroupDomain { group: label, network: &net.label, deployment: &self.label, domain }
    }

    /// The instances of a group. Zones are used in turn, as by the director.
    pub(super) fn instances(
        &mut self,
        node: &Node,
        group: &Named,
        label: &str,
        nets: &[Net],
        azs: &[Named],
    ) -> Vec<Instance> {
        let count = self.count(node, group, nets);
        self.check_static_ips(node, group, nets, count);
        let listed = count.min(self.room);
        if listed < count {
            let message = format!("`{}` has {count} instances, which are too many to list", group.text);
            let found = Diagnostic::error(codes::INSTANCES, group.span, message);
            self.reporter.push(found.help(format!("only {listed} of them are considered")));
        }
        self.room -= listed;
        let mut instances = Vec::with_capacity(listed);
        for index in 0..listed {
            let (addresses, dns_addresses) = self.addresses(group, label, nets, index);
            instances.push(Instance {
                name: Arc::clone(&group.text),
                id: None,
                index: index as u32,
                bootstrap: index == 0,
                az: azs.get(index.checked_rem(azs.len()).unwrap_or(0)).map(|it| Arc::clone(&it.text)),
                addresses,
                dns_addresses,
            });
        }
        instances
    }

    /// The number of instances. If that is filled in later, the number of static IPs, or else one: links are
    /// the same for any number, and an example of an address is better than none.
    fn count(&mut self, node: &Node, group: &Named, nets: &[Net]) -> usize {
        let Some(entry) = self.reporter.key(node, "instances") else {
            let found = Diagnostic::error(
                codes::INSTANCES,
                group.span,
                format!("the instance group `{}` has no `instances`", group.text),
            );
            self.reporter.push(found.help("add e.g. `instances: 1`"));
            return 1;
        };
        match &entry.value.data {
            NodeData::Int(count) if *count >= 0 => return usize::try_from(*count).unwrap_or(usize::MAX),
            NodeData::String(text, _) if is_open(text) => {
                let known = nets.iter().find_map(|it| usize::try_from(it.static_ips.as_ref()?.count?).ok());
                let count = known.unwrap_or(1);
                let message = format!("the number of instances of `{}` is filled in later", group.text);
                let found = Diagnostic::hint(codes::INSTANCES, entry.value.span, message);
                self.reporter.push(found.help(format!("until then, {count} is assumed")));
                return count;
            }
            _ => {}
        }
        let is_number = matches!(entry.value.data, NodeData::Int(_));
        let what = if is_number { "a negative one".to_owned() } else { kind(&entry.value) };
        let message = format!("`instances` is a whole number from 0, not {what}");
        self.reporter.push(Diagnostic::error(codes::INSTANCES, shape::place(entry), message));
        1
    }

    /// Checks that there are as many static IPs as instances.
    fn check_static_ips(&mut self, node: &Node, group: &Named, nets: &[Net], count: usize) {
        let is_number = node.get("instances").is_some_and(|it| matches!(it.data, NodeData::Int(_)));
        for net in nets.iter().filter(|_| is_number) {
            let Some(ips) = &net.static_ips else { continue };
            let Some(given) = ips.count.filter(|it| *it != count as u128) else { continue };
            let (name, network) = (&group.text, &net.network.name);
            let director = format!(
                "Instance group '{name}' has {count} instances but was allocated {given} static IPs \
                 in network '{network}'"
            );
            let own = format!("`{network}` lists {given} static IPs for the {count} instances of `{name}`");
            let found = self.reporter.error(codes::STATIC_IPS, ips.span, director, own);
            self.reporter.push(found.help("list as many IPs as there are instances, or none"));
        }
    }

    /// The addresses of an instance by network: the IP if there is one, and the name.
    fn addresses(&self, group: &Named, label: &str, nets: &[Net], index: usize) -> (Addresses, Addresses) {
        let (mut ips, mut names) = (Addresses::new(), Addresses::new());
        let id = format!("(({}.{index}.id))", group.text);
        for net in nets {
            let key = &net.network.name;
            let name = inferred(self.place(label, net).of_instance(&id), group.span);
            let fixed = net.static_ips.as_ref().and_then(|it| it.listed.get(index));
            let ip = match fixed {
                Some(ip) => Value::new(Data::String(Arc::clone(&ip.text)), Origin::Written(ip.span)),
                None if net.network.dynamic => name.clone(),
                None => inferred(format!("(({}.{index}.{key}.ip))", group.text), net.network.span),
            };
            ips.insert(Arc::clone(key), ip);
            names.insert(Arc::clone(key), name);
        }
        (ips, names)
    }
}
