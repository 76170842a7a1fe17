use std::collections::BTreeSet;

use diag::{Diagnostic, Span, Speller};
use syntax::{Node, NodeData, Style};

use super::reader::{Reader, written};
use crate::{Id, Variable, check};

/// A variable that a constraint mentions.
#[derive(Debug)]
pub(super) struct Mention {
    id: Id,
    span: Span,
    /// The style in which it is written.
    style: Style,
}

impl Reader {
    /// The name of a variable.
    pub(super) fn mention(&mut self, node: &Node, what: &str) -> Option<Id> {
        let id = self.text(node, what)?;
        let style = if let NodeData::String(_, style) = node.data { style } else { Style::Plain };
        self.mentions.push(Mention { id: id.clone(), span: node.span, style });
        Some(id)
    }

    /// The names of variables.
    pub(super) fn mentions(&mut self, node: &Node, what: &str) -> Vec<Id> {
        let item = format!("an item of {what}");
        self.sequence(node, what).iter().filter_map(|it| self.mention(it, &item)).collect()
    }

    /// Reports mentioned variables that do not exist.
    pub(super) fn check_mentions(&mut self, variables: &[Variable]) {
        let known: BTreeSet<&str> = diag::order::set(variables.iter().map(|it| &*it.id));
        let mut speller = Speller::default();
        for mention in &self.mentions {
            if known.contains(&*mention.id) {
                continue;
            }
            let near = speller.nearest(&mention.id, variables.iter().map(|it| &*it.id));
            let found: Diagnostic = check::unknown(&mention.id, mention.span, near);
            self.diagnostics.push(match near {
                Some(near) => {
                    found.replace(format!("Change to `{near}`"), mention.span, written(mention.style, near))
                }
                None => found,
            });
        }
    }
}
