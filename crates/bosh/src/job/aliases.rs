use std::sync::Arc;

use diag::Diagnostic;
use links::{DnsAlias, Named};
use syntax::{Entry, Node};

use super::Job;
use crate::{
    codes,
    dns::{self, Criteria, GroupDomain, HealthCheck, Status},
    manifest::Reader,
    value::is_open,
};

/// The values of each key of an alias that has only some.
const VALUES: [(&str, &[&str]); 3] = [
    ("health_filter", &["smart", "healthy", "unhealthy", "all"]),
    ("initial_health_check", &["asynchronous", "synchronous"]),
    ("placeholder_type", &["uuid", "index", "az", "network"]),
];

impl Reader<'_> {
    /// Reads the names that DNS has for a provided link besides those of its instance group.
    pub(super) fn aliases(&mut self, job: &Job<'_>, entry: &Entry) -> Vec<DnsAlias> {
        let aliases = self.reporter.maps(&entry.value, "aliases");
        aliases.into_iter().filter_map(|it| self.alias_of_dns(job, it)).collect()
    }

    fn alias_of_dns(&mut self, job: &Job<'_>, node: &Node) -> Option<DnsAlias> {
        let Some(domain) = self.reporter.text(node, "domain").filter(|it| !it.text.is_empty()) else {
            let found = Diagnostic::error(codes::PROVIDER, node.span, "an alias has no `domain`");
            self.reporter.push(found.help("add `domain:` with the name that DNS is to have"));
            return None;
        };
        let [filter, check, placeholder] = VALUES.map(|(key, values)| self.one_of(node, key, values));
        let placeholder = placeholder.map(|it| it.text);
        self.check_placeholder(&domain, placeholder.as_deref());
        let criteria = Criteria {
            status: filter.map_or(Status::Default, |it| Status::named(&it.text)),
            initial_health_check: check.map(|it| match &*it.text {
                "synchronous" => HealthCheck::Synchronous,
                _ => HealthCheck::Asynchronous,
            }),
            ..Criteria::default()
        };
        Some(DnsAlias { domain, placeholder, target: self.queried(job, &criteria) })
    }

    /// The value of a key that has only some.
    fn one_of(&mut self, node: &Node, key: &str, values: &[&str]) -> Option<Named> {
        let value = self.reporter.text(node, key)?;
        if !values.contains(&&*value.text) && !is_open(&value.text) {
            let words = values.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
            self.reporter.strictly(|| {
                let message = format!("unknown `{key}` `{}`", value.text);
                Diagnostic::error(codes::PROVIDER, value.span, message).help(format!("write one of {words}"))
            });
        }
        Some(value)
    }

    /// A placeholder is put in place of the `_` that a domain begins with.
    fn check_placeholder(&mut self, domain: &Named, placeholder: Option<&str>) {
        let (has_place, has_type) = (domain.text.starts_with("_."), placeholder.is_some());
        if has_place == has_type || is_open(&domain.text) {
            return;
        }
        self.reporter.strictly(|| {
            let (message, help) = if has_type {
                (
                    "the domain has no place for the placeholder",
                    "begin the domain with `_.`, or remove `placeholder_type`",
                )
            } else {
                ("a domain that begins with `_.` needs a `placeholder_type`", "add `placeholder_type: uuid`")
            };
            Diagnostic::error(codes::PROVIDER, domain.span, message).help(help)
        });
    }

    /// The name that DNS has for the instances of the job's group that meet criteria; `None` if it is in no network, or a name
    /// cannot be part of one, which has been reported.
    fn queried(&self, job: &Job<'_>, criteria: &Criteria) -> Option<Arc<str>> {
        let group = self.deployment.groups.get(job.group)?;
        let network = group.networks.get(group.default_network?)?;
        let (label, net) = (dns::label(&group.name).ok()?, dns::label(&network.name).ok()?);
        let domain = &self.deployment.dns.domain;
        let place = GroupDomain { group: &label, network: &net, deployment: &self.label, domain };
        Some(place.of_query(criteria).into())
    }
}
