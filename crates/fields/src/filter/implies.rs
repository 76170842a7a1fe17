use std::cmp::Ordering;

use super::{
    CompareOperator, Filter, Special,
    bind::{Leaf, Node, Test},
    evaluate::equals,
};
use crate::{MessageType, NameMatcher, ParseError, compare::Key};

/// Comparisons of two tests after which the answer is no.
const STEPS: usize = 10_000;

impl Filter {
    /// True if every value that this filter selects is selected by the other one too (Goten's `SatisfiesRaw`). True is
    /// certain; false may be wrong, because only the forms of both filters are compared.
    ///
    /// # Errors
    /// As [`Self::bind`].
    pub fn implies(
        &self,
        other: &Self,
        of: Option<MessageType<'_>>,
        names: &dyn NameMatcher,
    ) -> Result<bool, ParseError> {
        let (left, right) = (self.negation_normal(), other.negation_normal());
        let (left, right) = (left.bind(of, names)?, right.bind(of, names)?);
        let mut proof = Proof { names, steps: STEPS };
        Ok(proof.node(&left.root, &right.root))
    }
}

struct Proof<'a> {
    names: &'a dyn NameMatcher,
    steps: usize,
}

impl Proof<'_> {
    fn node(&mut self, left: &Node<'_>, right: &Node<'_>) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        match (left, right) {
            (_, Node::All) => true,
            (Node::Not(inner), _) if matches!(**inner, Node::All) => true,
            (_, Node::And(all)) => all.iter().all(|it| self.node(left, it)),
            (Node::Or(all), _) => all.iter().all(|it| self.node(it, right)),
            (Node::And(all), _) if all.iter().any(|it| self.node(it, right)) => true,
            (_, Node::Or(all)) => all.iter().any(|it| self.node(left, it)),
            (Node::Leaf(left), Node::Leaf(right)) => self.leaf(left, right),
            (Node::Not(left), Node::Not(right)) => match (&**left, &**right) {
                (Node::Leaf(left), Node::Leaf(right)) => left.source == right.source,
                _ => false,
            },
            (Node::All | Node::And(_) | Node::Not(_) | Node::Leaf(_), _) => false,
        }
    }

    fn leaf(&self, left: &Leaf<'_>, right: &Leaf<'_>) -> bool {
        if left.place.path != right.place.path {
            return false;
        }
        left.source == right.source || self.test(left, right)
    }

    fn test(&self, left: &Leaf<'_>, right: &Leaf<'_>) -> bool {
        match (&left.test, &right.test) {
            (test, Test::Is { special: Special::Null, negated: true }) => needs_value(test),
            (Test::Equals { keys, or_null: false, negated: false }, _) => {
                keys.iter().all(|key| self.value(left, key, right))
            }
            (
                Test::Equals { keys, or_null, negated: true },
                Test::Equals { keys: others, or_null: other_null, negated: true },
            ) => {
                let includes =
                    |other: &Key<'_>| keys.iter().any(|key| equals(self.names, &left.place, other, key));
                // Whether several values are names decides how they are compared, which is found out from all of them.
                left.place.name == right.place.name
                    && others.iter().all(includes)
                    && (*or_null || !*other_null)
            }
            (Test::Order { operator, key }, Test::Order { operator: other, key: limit }) => {
                bounds(*operator, key, *other, limit)
            }
            (Test::Contains { keys, all }, Test::Contains { keys: others, all: other_all }) => {
                left.place.name == right.place.name && contains(keys, *all, others, *other_all)
            }
            (_, _) => false,
        }
    }

    /// True if a field that equals the key passes the other test.
    fn value(&self, left: &Leaf<'_>, key: &Key<'_>, right: &Leaf<'_>) -> bool {
        let has_wildcard = matches!(key, Key::Text(text) if left.place.name.is_some() && text.contains('-'));
        match &right.test {
            Test::Equals { keys, negated: false, .. } => {
                left.place.name == right.place.name
                    && keys.iter().any(|it| equals(self.names, &right.place, key, it))
            }
            Test::Equals { keys, negated: true, or_null: false } => {
                let is_single = left.place.is_typed && left.place.many_at.is_none();
                is_single && !has_wildcard && keys.iter().all(|it| !equals(self.names, &right.place, key, it))
            }
            Test::Order { operator, key: limit } => {
                !has_wildcard && key.partial(limit).is_some_and(|it| operator.accepts(it))
            }
            Test::Equals { .. } | Test::Is { .. } | Test::Contains { .. } | Test::Like(_) => false,
        }
    }
}

/// True if a test is true only if the field has a value that is not null.
const fn needs_value(test: &Test<'_>) -> bool {
    match test {
        Test::Equals { or_null, negated, .. } => !*or_null && !*negated,
        Test::Order { .. } | Test::Like(_) => true,
        Test::Is { .. } | Test::Contains { .. } => false,
    }
}

/// True if all values within the one bound are within the other.
fn bounds(operator: CompareOperator, key: &Key<'_>, other: CompareOperator, limit: &Key<'_>) -> bool {
    use CompareOperator::{AtLeast, AtMost, Greater, Less};
    let Some(order) = key.partial(limit) else {
        return false;
    };
    match (operator, other) {
        (Less | AtMost, AtMost) | (Less, Less) => order != Ordering::Greater,
        (AtMost, Less) => order == Ordering::Less,
        (Greater | AtLeast, AtLeast) | (Greater, Greater) => order != Ordering::Less,
        (AtLeast, Greater) => order == Ordering::Greater,
        (_, _) => false,
    }
}

fn contains(keys: &[Key<'_>], all: bool, others: &[Key<'_>], other_all: bool) -> bool {
    let (all, other_all) = (all || keys.len() == 1, other_all || others.len() == 1);
    match (all, other_all) {
        (true, true) => others.iter().all(|it| keys.contains(it)),
        (true, false) => others.iter().any(|it| keys.contains(it)),
        (false, false) => keys.iter().all(|it| others.contains(it)),
        (false, true) => false,
    }
}
