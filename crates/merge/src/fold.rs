use diag::Span;
use syntax::{Node, NodeData, Tag};
use types::MergeRule;

use crate::{
    History, Rule, Shadowed,
    merge::{MergeContext, Merger},
    report,
    source::{Kind, Piece},
};

/// The result of merging a place.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It holds a node; its key is written there.
    Kept {
        /// The node.
        node: Node,
        /// The place of the key that belongs to it.
        key: Option<Span>,
    },
    /// It held something that was removed.
    Removed(History),
    /// Nothing was ever there.
    Nothing,
}

/// The intermediate result after some of the pieces: a left fold over the layers in merge order.
///
/// Invariants: all pieces in `live` are of one kind, and there are several only if all are maps or all are lists. The
/// contents of maps and lists are merged once for each set of live pieces: at the end, or when the pieces are shadowed.
#[derive(Debug)]
struct Fold<'a> {
    /// The pieces that count: several maps or several lists, or one piece of any kind.
    live: Vec<Piece<'a>>,
    /// The rule by which the first of them got there.
    rule: Rule,
    /// Earliest first.
    shadowed: Vec<Shadowed>,
    /// The last piece that removed something, as long as nothing came after it.
    reset: Option<Piece<'a>>,
    /// The last piece that the merge behavior discarded.
    discarded: Option<Piece<'a>>,
}

/// The effect of a piece on the intermediate result.
enum Effect {
    /// It has no say.
    Ignored,
    /// It is added.
    Joins,
    /// It takes the place of all.
    Replaces(Rule),
    /// It removes all.
    Removes,
}

impl<'a> Merger<'a> {
    /// Merges what the sources write at one place. The tags `!reset` and `!override` are those of the Compose specification;
    /// lists are merged by key as by the strategic merge patch of Kubernetes. In contrast to a JSON merge patch (RFC
    /// 7396), null is a value and does not remove anything.
    pub(crate) fn node(&mut self, pieces: &[Piece<'a>], context: MergeContext<'_>) -> Outcome {
        if let [only] = pieces
            && context.discarded == 0
            && self.is_plain(only)
        {
            return Outcome::Kept { node: only.node.clone(), key: only.key };
        }
        let mut fold = Fold {
            live: Vec::with_capacity(pieces.len()),
            rule: Rule::Set,
            shadowed: Vec::new(),
            reset: None,
            discarded: None,
        };
        let (discarded, kept) = pieces.split_at(context.discarded);
        for piece in discarded {
            fold.live.push(*piece);
            self.shadow(&mut fold, context);
        }
        fold.discarded = discarded.last().copied();
        for piece in kept {
            match self.effect(&fold, piece, context) {
                Effect::Ignored => continue,
                Effect::Joins => fold.live.push(*piece),
                Effect::Replaces(rule) => {
                    self.shadow(&mut fold, context);
                    fold.live.push(*piece);
                    fold.rule = rule;
                }
                Effect::Removes => {
                    self.shadow(&mut fold, context);
                    fold.shadowed.push(reset_mark(piece));
                    fold.rule = Rule::Set;
                }
            }
            fold.reset = (piece.node.tag == Tag::Reset).then_some(*piece);
        }
        self.outcome(fold, context)
    }

    fn effect(&mut self, fold: &Fold<'a>, piece: &Piece<'a>, context: MergeContext<'_>) -> Effect {
        if let Some(peer) = self.peer(fold.live.iter().rev().chain(&fold.reset), piece)
            && self.settled_among_peers(&peer, piece, context)
        {
            return Effect::Ignored;
        }
        let Some(last) = fold.live.last() else { return self.first(piece) };
        let rule = &context.schema.merge_options().rule;
        if let Some(effect) = self.required_effect(last, piece, rule) {
            return effect;
        }
        match (last.kind(), piece.kind()) {
            (Kind::Scalar, Kind::Scalar) => {
                if last.node.same_value(piece.node) && !context.agreed {
                    self.diagnostics.push(report::same_value(&self.pointer(), last, piece));
                }
                Effect::Replaces(Rule::Override)
            }
            (Kind::Null, _) => Effect::Replaces(Rule::Override),
            (_, Kind::Null) => {
                self.diagnostics.push(report::null_over_value(&self.pointer(), last, piece));
                Effect::Replaces(Rule::Override)
            }
            _ if replaces(rule) => Effect::Replaces(Rule::Replace),
            (Kind::Map, Kind::Map) => Effect::Joins,
            (Kind::List, Kind::List) => {
                if appends(rule) && !is_empty(piece.node) && last.node.same_value(piece.node) {
                    self.diagnostics.push(report::repeated_list(&self.pointer(), last, piece));
                }
                Effect::Joins
            }
            (Kind::Map | Kind::List | Kind::Scalar, Kind::Map | Kind::List | Kind::Scalar) => {
                self.diagnostics.push(report::kind_mismatch(&self.pointer(), last, piece));
                Effect::Ignored
            }
        }
    }

    /// The effect of a piece where nothing is.
    fn first(&mut self, piece: &Piece<'_>) -> Effect {
        match piece.node.tag {
            Tag::None => Effect::Joins,
            Tag::Override => {
                if !self.sources[piece.source].handed_on.contains(&piece.node.span) {
                    self.diagnostics.push(report::nothing_to_override(&self.pointer(), piece));
                }
                Effect::Joins
            }
            Tag::Reset => {
                self.diagnostics.push(report::nothing_to_reset(&self.pointer(), piece));
                Effect::Ignored
            }
        }
    }

    /// The effect that the tag of a piece requires.
    fn required_effect(&mut self, last: &Piece<'_>, piece: &Piece<'_>, rule: &MergeRule) -> Option<Effect> {
        match piece.node.tag {
            Tag::None => None,
            Tag::Override => {
                if is_replaced_anyway(last, piece, rule) {
                    self.diagnostics.push(report::replaced_anyway(&self.pointer(), last, piece));
                }
                Some(Effect::Replaces(Rule::Replace))
            }
            Tag::Reset => {
                if piece.key.is_some() && !is_empty(piece.node) {
                    self.diagnostics.push(report::reset_with_value(piece));
                }
                Some(Effect::Removes)
            }
        }
    }

    /// Moves the live pieces to the shadowed values. They are combined without a record of their parts, because a history
    /// has paths of the merged tree only.
    fn shadow(&mut self, fold: &mut Fold<'a>, context: MergeContext<'_>) {
        if fold.live.is_empty() {
            return;
        }
        let forgotten = std::mem::replace(&mut self.forgotten, true);
        let (value, removed) = self.combine(&fold.live, context);
        self.forgotten = forgotten;
        fold.shadowed.extend(removed.into_iter().rev());
        fold.shadowed.push(Shadowed { value, rule: combined_rule(fold, context) });
        fold.live.clear();
    }

    fn outcome(&mut self, mut fold: Fold<'a>, context: MergeContext<'_>) -> Outcome {
        let Some(first) = fold.live.first().copied() else {
            fold.shadowed.reverse();
            let removed = |rule, span: Span, shadowed| {
                Outcome::Removed(History { rule, span, parts: Vec::new(), shadowed })
            };
            return match (fold.reset, fold.discarded, fold.shadowed.is_empty()) {
                (Some(reset), _, false) => removed(Rule::Reset, reset.place(), fold.shadowed.split_off(1)),
                (None, Some(discarded), _) => removed(Rule::Discard, discarded.place(), fold.shadowed),
                _ => Outcome::Nothing,
            };
        };
        let (node, removed) = self.combine(&fold.live, context);
        fold.shadowed.extend(removed.into_iter().rev());
        if fold.live.len() > 1 || !fold.shadowed.is_empty() {
            fold.shadowed.reverse();
            self.record(History {
                rule: combined_rule(&fold, context),
                span: node.span,
                parts: fold.live.iter().map(|piece| piece.node.span).collect(),
                shadowed: fold.shadowed,
            });
        }
        Outcome::Kept { node, key: first.key }
    }

    /// The pieces that count as one node, and what they removed from each other, latest first.
    fn combine(&mut self, live: &[Piece<'a>], context: MergeContext<'_>) -> (Node, Vec<Shadowed>) {
        let first = live[0];
        if live.len() == 1 && self.is_plain(&first) {
            return (first.node.clone(), Vec::new());
        }
        match first.kind() {
            Kind::Map => (self.maps(live, context), Vec::new()),
            Kind::List => self.lists(live, context.schema),
            Kind::Null | Kind::Scalar => (first.untagged(), Vec::new()),
        }
    }
}

/// True if a piece with `!override` would take the place of the one before without it, and nothing would be said of that.
fn is_replaced_anyway(last: &Piece<'_>, piece: &Piece<'_>, rule: &MergeRule) -> bool {
    match (last.kind(), piece.kind()) {
        (Kind::Null, _) | (Kind::Scalar, Kind::Scalar) => true,
        (_, Kind::Null) => false,
        _ => replaces(rule),
    }
}

/// True if the later of two nodes takes the place of the earlier one.
pub(crate) const fn replaces(rule: &MergeRule) -> bool {
    match rule {
        MergeRule::Replace => true,
        MergeRule::Standard | MergeRule::Unique | MergeRule::ByKey(_) => false,
    }
}

/// True if the items of a later list are added to those of an earlier one as they are, in the order of the layers.
pub(crate) const fn appends(rule: &MergeRule) -> bool {
    match rule {
        MergeRule::Standard => true,
        MergeRule::Replace | MergeRule::Unique | MergeRule::ByKey(_) => false,
    }
}

fn combined_rule(fold: &Fold<'_>, context: MergeContext<'_>) -> Rule {
    match (&fold.live[..], &context.schema.merge_options().rule) {
        ([] | [_], _) => fold.rule,
        ([first, ..], _) if first.kind() == Kind::Map => Rule::Deep,
        (_, MergeRule::Unique) => Rule::Unique,
        (_, MergeRule::ByKey(_)) => Rule::ByKey,
        // Lists that a rule replaces are never joined: one piece is left of them.
        (_, MergeRule::Standard | MergeRule::Replace) => Rule::Concatenate,
    }
}

fn reset_mark(piece: &Piece<'_>) -> Shadowed {
    Shadowed { value: Node::new(NodeData::Null, piece.place()), rule: Rule::Reset }
}

fn is_empty(node: &Node) -> bool {
    match &node.data {
        NodeData::Null => true,
        NodeData::Mapping(mapping) => mapping.entries.is_empty(),
        NodeData::Sequence(items) => items.is_empty(),
        NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) | NodeData::String(..) => false,
    }
}
