//! Reads which resources have another name than when they were created.

use diag::{Diagnostic, Diagnostics, Span};
use model::{Address, Moved};
use syntax::Node;
use types::Types;

use crate::codes;
use crate::{codes::WRONG_KIND, declare::Declarations};

/// The root key that lists them.
pub(crate) const MOVED: &str = "moved";

/// The moves that the layers list, in their order. Those that say nothing clear are reported and left out.
pub(crate) fn read(declarations: &mut Declarations<'_>, root: &Node) -> Vec<Moved> {
    let Some(list) = root.get(MOVED) else { return Vec::new() };
    let items = list.as_sequence().unwrap_or_default();
    let mut reader = Reader { declarations, items, moved: Vec::new(), found: Vec::new() };
    match list.as_sequence() {
        Some(items) => items.iter().for_each(|item| reader.item(item)),
        None => {
            let message = format!("`moved` must be a list of `from` and `to`, not a {}", list.kind_name());
            let help = "write `moved: [{from: services.old, to: services.new}]`";
            reader.found.push(Diagnostic::error(WRONG_KIND, list.span, message).help(help));
        }
    }
    let Reader { moved, mut found, .. } = reader;
    declarations.diagnostics.append(&mut found);
    moved
}

struct Reader<'r, 'a> {
    declarations: &'r Declarations<'a>,
    /// All that are listed.
    items: &'r [Node],
    moved: Vec<Moved>,
    found: Diagnostics,
}

impl Reader<'_, '_> {
    fn item(&mut self, item: &Node) {
        let (Some(from), Some(to)) = (self.address(item, "from"), self.address(item, "to")) else { return };
        let moved = Moved { from: from.0, to: to.0, span: item.span };
        if self.fits(&moved, from.1, to.1) {
            self.moved.push(moved);
        }
    }

    fn address(&mut self, item: &Node, key: &str) -> Option<(Address, Span)> {
        let Some(node) = item.get(key) else {
            let message = format!("this move has no `{key}`");
            let help =
                "it needs the address that the resource had (`from`) and the one that it has now (`to`)";
            self.found.push(Diagnostic::error(WRONG_KIND, item.span, message).help(help));
            return None;
        };
        let address: Option<Address> = node.as_str().and_then(|text| text.parse().ok());
        match address.filter(|it| is_collection(self.declarations.types, it)) {
            Some(address) => Some((address, node.span)),
            None => {
                let what =
                    node.as_str().map_or_else(|| format!("a {}", node.kind_name()), |it| format!("`{it}`"));
                let message = format!("{what} is not the address of a resource");
                let help = "write the collection and the name, as in `services.web`";
                self.found.push(Diagnostic::error(codes::NOT_AN_ADDRESS, node.span, message).help(help));
                None
            }
        }
    }

    fn fits(&mut self, moved: &Moved, from: Span, to: Span) -> bool {
        let Moved { from: old, to: new, .. } = moved;
        let found = if old.collection != new.collection {
            let message =
                format!("`{old}` and `{new}` are of different kinds, so one cannot have become the other");
            Diagnostic::error(codes::MOVED_TO_ANOTHER_KIND, to, message)
                .help("remove this move: the one is destroyed, the other created")
        } else if let Some(place) = self.declared(old).filter(|_| !is_counted(old, new)) {
            let message = format!("`{old}` is still declared, so it has not moved to `{new}`");
            let help = "remove the declaration, or this move";
            Diagnostic::error(codes::MOVED_STILL_DECLARED, from, message)
                .help(help)
                .related(place, format!("`{old}` is declared here"))
        } else if let Some(other) = self.moved.iter().find(|it| it.from == *old) {
            let message = format!("`{old}` moves to both `{}` and `{new}`", other.to);
            let found =
                Diagnostic::error(codes::MOVED_TWICE, from, message).help("keep the one that is right");
            found.related(other.span, format!("to `{}` here", other.to))
        } else if let Some(other) = self.moved.iter().find(|it| it.to == *new) {
            let message = format!("both `{}` and `{old}` move to `{new}`", other.from);
            let found = Diagnostic::error(codes::MOVED_TOGETHER, from, message)
                .help("keep the move of the one that became it; the other is destroyed if it exists");
            found.related(other.span, format!("`{}` moves here", other.from))
        } else if self.declared(new).is_none() && !self.moves_on(new) {
            let message = format!("`{new}` is not declared, so nothing can have moved to it");
            Diagnostic::error(codes::MOVED_TO_NOTHING, to, message).help("declare it, or remove this move")
        } else {
            return true;
        };
        self.found.push(found);
        false
    }

    /// The place where an address is declared. An address with an index is one instance, one without stands for all.
    fn declared(&self, address: &Address) -> Option<Span> {
        let kinds = &self.declarations.types.kinds;
        let kind = kinds.iter().position(|it| it.collection == address.collection)?;
        let item = self.declarations.find_at(kind, &address.name)?;
        let count = self.declarations.count(item);
        let is_there = address.instance.is_none_or(|it| count.is_some_and(|count| it < count));
        self.declarations.items.get(item).filter(|_| is_there).map(|it| it.span)
    }

    /// True if a later or earlier move goes on from there.
    fn moves_on(&self, address: &Address) -> bool {
        let from = |item: &Node| item.get("from")?.as_str()?.parse::<Address>().ok();
        self.items.iter().any(|it| from(it).as_ref() == Some(address))
    }
}

/// True if a resource becomes an instance of its own declaration, or the other way round.
fn is_counted(old: &Address, new: &Address) -> bool {
    old.declaration() == new.declaration() && old.instance.is_some() != new.instance.is_some()
}

fn is_collection(types: &Types, address: &Address) -> bool {
    types.kinds.iter().any(|it| it.collection == address.collection && !it.singleton)
}
