//! Generated certificates that contain the addresses of links.

use std::sync::Arc;

use diag::Diagnostic;
use links::{Consumer, ConsumerSpec, Named, Owner, ProviderSelector, Request, Scope};
use syntax::{Entry, Node, NodeData};

use crate::{
    codes,
    manifest::Reader,
    shape::{self, kind},
};

/// The fields of a certificate that can be taken from a link.
const ACCEPTED: [&str; 2] = ["alternative_name", "common_name"];

impl Reader<'_> {
    /// The links that variables consume.
    pub(crate) fn variables(&mut self) {
        let root = self.root;
        for node in self.reporter.maps(root, "variables") {
            let Some(consumes) = self.reporter.key(node, "consumes") else { continue };
            let Some(name) = self.reporter.name(node, "a variable") else { continue };
            if self.is_certificate(node, &name, consumes) {
                for entry in &self.reporter.map(node, "consumes").entries {
                    self.variable(node, &name, entry);
                }
            }
        }
    }

    fn is_certificate(&mut self, node: &Node, name: &Named, consumes: &Entry) -> bool {
        let given = self.reporter.text(node, "type").map(|it| it.text);
        let given = given.as_deref().unwrap_or_default();
        if given == "certificate" {
            return true;
        }
        let director = format!("Variable '{}' can not define 'consumes' key for type '{given}'", name.text);
        let own = format!("only certificates can consume links, and `{}` is a {given}", name.text);
        let found = self.reporter.error(codes::VARIABLE, consumes.key_span, director, own);
        self.reporter.push(found.help("remove `consumes`, or write `type: certificate`"));
        false
    }

    fn variable(&mut self, node: &Node, variable: &Named, entry: &Entry) {
        if !ACCEPTED.contains(&&*entry.key) {
            let director = format!(
                "Consumer name '{}' is not a valid consumer for variable '{}'. \
                 Acceptable consumer types are: alternative_name, common_name",
                entry.key, variable.text
            );
            let own = format!("a certificate cannot take `{}` from a link", entry.key);
            let found = self.reporter.error(codes::VARIABLE, entry.key_span, director, own);
            let found = self.reporter.help(found, &entry.key, ACCEPTED, "supported names");
            self.reporter.push(found);
            return;
        }
        let is_empty = matches!(entry.value.data, NodeData::Null);
        if entry.value.as_mapping().is_none() && !is_empty {
            let message = format!("`{}` is a map, not {}", entry.key, kind(&entry.value));
            self.reporter.push(Diagnostic::error(codes::VARIABLE, shape::place(entry), message));
            return;
        }
        let name = Named::new(Arc::clone(&entry.key), entry.key_span);
        let link_type = self.reporter.text(&entry.value, "link_type");
        let from = self.reporter.text(&entry.value, "from");
        let written = from.is_some();
        let by = ProviderSelector::Name { name: from.unwrap_or_else(|| name.clone()), written };
        let span = Some(shape::place(entry));
        self.deployment.consumers.push(Consumer {
            owner: Owner::Variable { name: Arc::clone(&variable.text) },
            declared: variable.span,
            body: node.span,
            said: None,
            link_type: link_type.unwrap_or_else(|| Named::new("address", entry.key_span)),
            name,
            optional: false,
            scope: Scope::Deployment,
            spec: ConsumerSpec::Ask(Request {
                by,
                deployment: None,
                network: None,
                ip_addresses: None,
                span,
            }),
        });
    }
}
