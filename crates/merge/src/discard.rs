use types::MergeBehavior;

use crate::source::Piece;

/// The number of the pieces under one key, or of one item, that are left out, counted from the first: all of them if the key or
/// item is not in the result. `live` are the maps or lists of all layers, in merge order; each has at most one of the
/// pieces. Layers are taken one after the other, so the next may add again a piece that one discards.
pub(crate) fn discarded(behavior: MergeBehavior, live: &[Piece<'_>], pieces: &[Piece<'_>]) -> usize {
    let mut kept = None;
    let mut next = 0;
    for (nth, layer) in live.iter().enumerate() {
        let here = pieces.get(next).filter(|it| it.source == layer.source).map(|_| next);
        kept = if nth == 0 { here } else { after(behavior, kept, here) };
        next += usize::from(here.is_some());
    }
    kept.unwrap_or(pieces.len())
}

/// The first piece that is kept once a layer is merged, from the one before and from the layer's own piece.
fn after(behavior: MergeBehavior, kept: Option<usize>, here: Option<usize>) -> Option<usize> {
    match behavior {
        MergeBehavior::Default => kept.or(here),
        MergeBehavior::DiscardOnlyInDest => here.and(kept.or(here)),
        MergeBehavior::DiscardOnlyInSource => kept,
        MergeBehavior::And => here.and(kept),
        MergeBehavior::Xor => kept.xor(here),
    }
}
