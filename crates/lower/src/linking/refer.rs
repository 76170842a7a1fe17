//! References to the contents of an item's links.

use diag::{Diagnostic, nearest};
use links::{Consumer, Link, LinkModel, Outcome};
use model::Step;

use super::SiteMap;
use crate::{ReferenceUse, codes, declare::Declarations};

/// Checks that every such reference names a link that its item has.
pub(super) fn check(declarations: &mut Declarations<'_>, site: &LinkModel, links: &[Link], map: &SiteMap) {
    let mut own: Vec<Vec<(&Link, &Consumer)>> = vec![Vec::new(); declarations.items.len()];
    for link in links.iter().filter(|it| it.deployment == 0) {
        let Some((_, consumer)) = link.consumer(site) else { continue };
        if let Some(item) = consumer.owner.group().and_then(|group| map.items.get(group)) {
            own[*item].push((link, consumer));
        }
    }
    for (item, own) in own.iter().enumerate() {
        check_item(declarations, item, own);
    }
}

fn check_item(declarations: &mut Declarations<'_>, item: usize, own: &[(&Link, &Consumer)]) {
    let Some(fields) = declarations.definition(item).links.as_ref() else { return };
    let written = declarations.items[item].node.and_then(|it| it.as_mapping()?.entry(&fields.contents));
    if let Some(entry) = written {
        let message = format!("`{}` is filled in from links and cannot be written", fields.contents);
        let help = format!("declare what is consumed under `{}`", fields.consumes);
        declarations
            .diagnostics
            .push(Diagnostic::error(codes::LINK_CONTENTS, entry.key_span, message).help(help));
    }
    let references = declarations.items[item].references.iter().filter(|it| it.target == item);
    let named = references.filter_map(|it| match &it.path[..] {
        [Step::Key(field), Step::Key(name), ..] if *field == fields.contents => Some((name.clone(), it.span)),
        _ => None,
    });
    for (name, span) in named.collect::<Vec<_>>() {
        let Some((link, consumer)) = own.iter().find(|(_, it)| it.name.text == name) else {
            let known = own.iter().map(|(_, it)| &*it.name.text);
            declarations.diagnostics.push(unknown(&name, span, known));
            continue;
        };
        let address = declarations.address(item);
        declarations.uses.push(ReferenceUse { span, target: consumer.name.span, address });
        if let Outcome::Absent(_) = link.outcome {
            let message = format!("the link `{name}` has no provider, so there is nothing to refer to");
            let help = "deploy a provider, or write `${if_link(\"NAME\").p(\"KEY\").else(\"…\")}` with a \
                        default";
            let diagnostic = Diagnostic::error(codes::ABSENT_LINK, span, message).help(help);
            declarations.diagnostics.push(diagnostic.related(consumer.name.span, "requested here"));
        }
    }
}

fn unknown<'n>(name: &str, span: diag::Span, known: impl Iterator<Item = &'n str> + Clone) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::UNKNOWN_LINK, span, format!("there is no link `{name}` here"));
    let shown: Vec<_> = known.clone().map(|it| format!("`{it}`")).collect();
    diagnostic.help(match nearest(name, known) {
        Some(likely) => format!("did you mean `{likely}`?"),
        None if shown.is_empty() => "declare what is consumed under `consumes`".into(),
        None => format!("links of this resource: {}", shown.join(", ")),
    })
}
