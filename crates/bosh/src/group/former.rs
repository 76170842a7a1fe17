use diag::Diagnostic;
use links::Named;
use syntax::Node;

use crate::{codes, manifest::Reader};

impl Reader<'_> {
    /// The names that an instance group had before; its own among them only sets the zone of its instances.
    pub(super) fn former(&mut self, node: &Node, name: &Named) -> Vec<Named> {
        let groups = self.reporter.maps(node, "migrated_from");
        let names = groups.into_iter().filter_map(|it| self.reporter.name(it, "an entry of `migrated_from`"));
        names.filter(|it| it.text != name.text).collect()
    }

    /// Reports groups that were renamed according to the manifest, and are still in it.
    pub(crate) fn check_former(&mut self) {
        let groups = &self.deployment.groups;
        for (group, former) in groups.iter().flat_map(|it| it.former.iter().map(move |former| (it, former))) {
            let Some(_) = groups.iter().find(|it| it.name == former.text) else { continue };
            self.reporter.strictly(|| {
                let message = format!(
                    "`{}` is still an instance group, so `{}` is not it renamed",
                    former.text, group.name
                );
                let found = Diagnostic::error(codes::DUPLICATE, former.span, message);
                found.help(format!(
                    "remove the instance group `{}`, or this entry of `migrated_from`",
                    former.text
                ))
            });
        }
    }
}
