use std::collections::{BTreeMap, BTreeSet};

use diag::Diagnostic;

use super::{Reader, fields::Fields};
use crate::{Package, codes};

impl Reader {
    /// A document `olm.package`.
    pub(super) fn package(&mut self, fields: &Fields<'_>) {
        let Some(name) = fields.text("name", &mut self.findings) else {
            let message = "config contains package with no name";
            self.findings.push(Diagnostic::error(codes::MISSING_FIELD, fields.head(), message));
            return;
        };
        let default_channel = fields.text("defaultChannel", &mut self.findings);
        let package = Package {
            name: self.names.share(name),
            default_channel: default_channel.map(|it| self.names.share(it)).unwrap_or_default(),
            description: fields.text("description", &mut self.findings).cloned(),
            channels: BTreeMap::new(),
            bundles: BTreeMap::new(),
            unread: BTreeSet::new(),
            deprecated: None,
            origin: fields.span_of("name"),
        };
        self.draft.packages.push(package);
    }
}
