use diag::Diagnostic;
use syntax::{Entry, Node};

use super::{
    operation::Operation,
    path::{Step, StepTarget, escaped},
};
use crate::codes;

/// True if a step leads to settings of links, whose loss has remote effects.
pub(super) fn is_links(step: &Step) -> bool {
    matches!(&step.to, StepTarget::Key { key, .. } if matches!(&**key, "consumes" | "provides"))
}

impl Operation<'_> {
    /// The warning that a replacement drops links that were set before (a trap of go-patch: maps are not
    /// merged).
    pub(super) fn drops(&self, old: &Node, new: &Node) -> Option<Diagnostic> {
        let StepTarget::Key { key, .. } = &self.path.steps.last()?.to else { return None };
        let old = old.as_mapping()?;
        let kept = |it: &&Entry| new.get(&it.key).is_some_and(|new| new.same_value(&it.value));
        let error: Vec<&Entry> = old.entries.iter().filter(|it| !kept(it)).collect();
        let first = error.first()?;
        let names: Vec<String> = error.iter().map(|it| format!("`{}`", it.key)).collect();
        let message = format!("this replaces all of `{key}` and removes {}", names.join(", "));
        let path = self.text.trim_end_matches('?');
        let found = Diagnostic::warning(codes::OPS_DROPS, self.written.span, message);
        let found = error.iter().fold(found, |it, entry| it.related(entry.key_span, "this is removed"));
        Some(found.help(format!("to change one link only, write `{path}?/{}`", escaped(&first.key))))
    }
}
