use diag::order;
use types::MergeBehavior;

use crate::{
    Layer,
    fold::{appends, replaces},
    merge::{MergeContext, Merger},
    report,
    source::{Kind, Piece},
};

/// The layers in the order in which they are merged: as given, except that those of one package swap places until
/// they are in the order of their files. So the order of a package's entries decides nothing.
pub(crate) fn in_order(layers: &[Layer]) -> Vec<&Layer> {
    let mut ordered: Vec<&Layer> = layers.iter().collect();
    for package in layers.iter().filter_map(|layer| layer.package.as_ref()) {
        let belongs = |layer: &Layer| layer.package.as_ref() == Some(package);
        let places: Vec<usize> = (0..layers.len()).filter(|at| belongs(&layers[*at])).collect();
        let mut members: Vec<&Layer> = places.iter().map(|at| &layers[*at]).collect();
        order::by_key(&mut members, |layer| layer.root.as_ref().map(|root| root.span));
        for (at, layer) in places.into_iter().zip(members) {
            ordered[at] = layer;
        }
    }
    ordered
}

impl<'a> Merger<'a> {
    /// The latest of `others` that a file of the same package wrote and that says something: an empty list, which
    /// adds nothing to one, is taken only where there is nothing else.
    pub(crate) fn peer<'p>(
        &self,
        others: impl Iterator<Item = &'p Piece<'a>>,
        piece: &Piece<'a>,
    ) -> Option<Piece<'a>>
    where
        'a: 'p,
    {
        let package = self.sources[piece.source].package.as_ref()?;
        let same = |other: &&Piece<'a>| {
            other.source != piece.source && self.sources[other.source].package.as_ref() == Some(package)
        };
        let mut peers = others.copied().filter(|other| same(&other));
        let latest = peers.next()?;
        let telling = |other: &Piece<'a>| !adds_nothing(other);
        Some(Some(latest).filter(telling).or_else(|| peers.find(telling)).unwrap_or(latest))
    }

    /// True if nothing is left to do for `piece` because a file of the same package has the same value, or another one
    /// where only an order could decide; the latter is reported.
    pub(crate) fn settled_among_peers(
        &mut self,
        peer: &Piece<'a>,
        piece: &Piece<'a>,
        context: MergeContext<'_>,
    ) -> bool {
        let options = context.schema.merge_options();
        let rule = &options.rule;
        let same_kind = peer.kind() == piece.kind();
        let scalars = matches!(piece.kind(), Kind::Scalar | Kind::Null);
        let asks = |it: &Piece<'_>| match it.node.tag {
            syntax::Tag::Reset => 2,
            // On a scalar the tag says what happens anyway.
            syntax::Tag::Override => u8::from(it.kind() != Kind::Scalar),
            syntax::Tag::None => 0,
        };
        if asks(peer) == asks(piece) && peer.node.same_value(piece.node) && (scalars || replaces(rule)) {
            return true;
        }
        let joins = asks(peer) + asks(piece) == 0 && !replaces(rule) && !needs_order(options.behavior);
        match piece.kind() {
            Kind::Map if same_kind && joins => false,
            Kind::List if same_kind && joins => {
                let orders = appends(rule) && !is_empty_list(peer) && !is_empty_list(piece);
                if orders {
                    self.diagnostics.push(report::list_without_order(&self.pointer(), peer, piece));
                }
                false
            }
            Kind::Map | Kind::List | Kind::Scalar | Kind::Null if asks(peer) == 2 && asks(piece) == 2 => true,
            Kind::Map | Kind::List | Kind::Scalar | Kind::Null => {
                let null = peer.kind() == Kind::Null;
                let report = if same_kind || scalars || null || asks(peer) + asks(piece) > 0 {
                    report::package_conflict
                } else {
                    report::kind_mismatch_in_package
                };
                let diagnostic = report(&self.pointer(), peer, piece);
                self.diagnostics.push(diagnostic);
                true
            }
        }
    }
}

/// True if the result depends on which of two layers comes first, although each key or item is written once.
const fn needs_order(behavior: MergeBehavior) -> bool {
    match behavior {
        MergeBehavior::DiscardOnlyInDest | MergeBehavior::DiscardOnlyInSource => true,
        MergeBehavior::Default | MergeBehavior::And | MergeBehavior::Xor => false,
    }
}

/// True if `piece` is an empty list without a tag.
fn adds_nothing(piece: &Piece<'_>) -> bool {
    piece.node.tag == syntax::Tag::None && is_empty_list(piece)
}

fn is_empty_list(piece: &Piece<'_>) -> bool {
    piece.node.as_sequence().is_some_and(<[_]>::is_empty)
}
