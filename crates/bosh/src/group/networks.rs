use diag::{Diagnostic, Span};
use links::{Named, Network};
use syntax::{Node, NodeData};

use super::ips::{self, Ips};
use crate::{cloud::NetworkType, codes, manifest::Reader, reporter::Reporter, value::is_open};

/// A network of a group, with what determines addresses.
#[derive(Debug)]
pub(super) struct Net {
    pub(super) network: Network,
    /// Its name in DNS names.
    pub(super) label: String,
    pub(super) static_ips: Option<Ips>,
    /// The settings it is the default for, with the place of each.
    defaults: Vec<Named>,
}

impl Net {
    fn is_default_for(&self, what: &str) -> bool {
        self.defaults.iter().any(|it| &*it.text == what)
    }
}

/// The settings that need a default network if there are several networks.
const REQUIRED: [&str; 2] = ["dns", "gateway"];

const ADDRESSABLE: &str = "addressable";

/// The network whose addresses are used: the addressable one, else that of the gateway, else the only one.
pub(super) fn default(nets: &[Net]) -> Option<usize> {
    let of = |what: &str| nets.iter().position(|it| it.is_default_for(what));
    of(ADDRESSABLE).or_else(|| of("gateway")).or_else(|| (nets.len() == 1).then_some(0))
}

impl Reader<'_> {
    /// The networks that a group declares.
    pub(super) fn networks(&mut self, node: &Node, group: &Named) -> Vec<Net> {
        let items = self.reporter.maps(node, "networks");
        if items.is_empty() && self.reporter.list(node, "networks").is_empty() {
            let place = self.reporter.key(node, "networks").map_or(group.span, |it| it.key_span);
            let is_list =
                self.reporter.key(node, "networks").is_none_or(|it| it.value.as_sequence().is_some());
            if is_list {
                let director = format!("Instance group '{}' must specify at least one network", group.text);
                let own = format!("the instance group `{}` is in no network", group.text);
                let found = self.reporter.error(codes::NETWORK, place, director, own);
                self.reporter.push(found.help("add `networks` with `- name: …`"));
            }
        }
        let nets: Vec<Net> = items.into_iter().filter_map(|it| self.net(it, group)).collect();
        check_defaults(&nets, group, self.reporter);
        nets
    }

    fn net(&mut self, node: &Node, group: &Named) -> Option<Net> {
        let name = self.reporter.name(node, "a network")?;
        let sort = self.context.cloud.network(&name.text);
        if self.context.cloud.is_given && sort.is_none() && !is_open(&name.text) {
            self.unknown_network(&name, group);
        }
        let defaults = self.reporter.names(node, "default");
        for it in defaults.iter().filter(|it| !REQUIRED.contains(&&*it.text) && &*it.text != ADDRESSABLE) {
            let found = invalid_default(it, group, self.reporter);
            self.reporter.push(found);
        }
        if let (Some(NetworkType::Vip), Some(first)) = (sort, defaults.first()) {
            let director = "Can't provide any defaults since this is a VIP network";
            let own = format!("`{}` is a VIP network, which cannot be the default for anything", name.text);
            let found = self.reporter.error(codes::NETWORK_DEFAULT, first.span, director, own);
            self.reporter.push(found.help("move `default` to another network"));
        }
        let static_ips = ips::read(node, group, self.reporter);
        let label = self.dns_label(&name.text, name.span);
        let network =
            Network { dynamic: sort == Some(NetworkType::Dynamic), span: name.span, name: name.text };
        Some(Net { network, label, static_ips, defaults })
    }

    fn unknown_network(&mut self, name: &Named, group: &Named) {
        let director =
            format!("Instance group '{}' references an unknown network '{}'", group.text, name.text);
        let own = format!("the cloud config has no network `{}`", name.text);
        let found = self.reporter.error(codes::NETWORK, name.span, director, own);
        let names = self.context.cloud.names();
        let found = self.reporter.help(found, &name.text, names, "networks");
        self.reporter.push(found);
    }
}

fn invalid_default(name: &Named, group: &Named, reporter: &mut Reporter) -> Diagnostic {
    let director = format!(
        "Instance group '{}' specified an invalid default network property '{}', \
         valid properties are: dns, gateway",
        group.text, name.text
    );
    let own = format!("a network cannot be the default for `{}`", name.text);
    let found = reporter.error(codes::NETWORK_DEFAULT, name.span, director, own);
    reporter.help(found, &name.text, ["dns", "gateway", ADDRESSABLE], "defaults")
}

/// Checks that, if there are several networks, each default is set for exactly one of them.
fn check_defaults(nets: &[Net], group: &Named, reporter: &mut Reporter) {
    let of = |what: &str| -> Vec<&Net> { nets.iter().filter(|it| it.is_default_for(what)).collect() };
    let several: Vec<(&str, Vec<&Net>)> = REQUIRED
        .into_iter()
        .chain([ADDRESSABLE])
        .map(|it| (it, of(it)))
        .filter(|it| it.1.len() > 1)
        .collect();
    if let [(what, first), ..] = &several[..] {
        let found = several_defaults(&several, group, reporter);
        let spans = first.iter().map(|it| default_span(it, what));
        let found = spans.take(first.len() - 1).fold(found, |it, span| it.related(span, "one of them"));
        reporter.push(found.help(format!("remove `{what}` from all but one")));
    }
    let missing: Vec<&str> = REQUIRED.into_iter().filter(|it| of(it).is_empty()).collect();
    if nets.len() > 1 && !missing.is_empty() {
        let names = missing.join(", ");
        let director = format!(
            "Instance group '{}' must specify which network is default for {names}, \
             since it has more than one network configured",
            group.text
        );
        let own = format!(
            "the instance group `{}` has several networks, and none is the default for {}",
            group.text,
            missing.join(" and ")
        );
        let found = reporter.error(codes::NETWORK_DEFAULT, nets[0].network.span, director, own);
        reporter.push(found.help(format!("add `default: [{names}]` to one of them")));
    }
}

fn several_defaults(several: &[(&str, Vec<&Net>)], group: &Named, reporter: &Reporter) -> Diagnostic {
    let quoted = |nets: &[&Net], quote: &str| -> String {
        let names: Vec<String> = nets.iter().map(|it| format!("{quote}{}{quote}", it.network.name)).collect();
        names.join(", ")
    };
    let reported: Vec<String> = several
        .iter()
        .map(|(what, nets)| format!("'{what}' has default networks: {}.", quoted(nets, "'")))
        .collect();
    let director = format!(
        "Instance group '{}' specified more than one network to contain default. {}",
        group.text,
        reported.join(" ")
    );
    let own: Vec<String> = several
        .iter()
        .map(|(what, nets)| format!("several networks are the default for {what}: {}", quoted(nets, "`")))
        .collect();
    let (what, nets) = &several[0];
    let span = nets.last().map_or(group.span, |it| default_span(it, what));
    reporter.error(codes::NETWORK_DEFAULT, span, director, own.join("; "))
}

fn default_span(net: &Net, what: &str) -> Span {
    net.defaults.iter().find(|it| &*it.text == what).map_or(net.network.span, |it| it.span)
}

/// True if a list is filled in later.
pub(super) fn is_open_node(node: &Node) -> bool {
    matches!(&node.data, NodeData::String(text, _) if is_open(text))
}
