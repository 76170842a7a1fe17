use super::{CompareOperator, Condition, Filter};

/// Brings a condition into the form that is printed and read back.
impl From<Condition> for Filter {
    fn from(root: Condition) -> Self {
        Self { root: flat(root) }
    }
}

impl Filter {
    /// The filter with `NOT` only before single tests. It is true, false and unknown for the same values.
    #[must_use]
    pub fn negation_normal(&self) -> Self {
        flat(push(self.root.clone(), false)).into()
    }
}

fn flat(condition: Condition) -> Condition {
    match condition {
        Condition::And(all) => and(all.into_iter().map(flat).collect()),
        Condition::Or(all) => or(all.into_iter().map(flat).collect()),
        Condition::Not(inner) => Condition::Not(Box::new(flat(*inner))),
        other => other,
    }
}

fn and(all: Vec<Condition>) -> Condition {
    let mut kept = Vec::with_capacity(all.len());
    for condition in all {
        match condition {
            Condition::All => {}
            Condition::And(inner) => kept.extend(inner),
            other => kept.push(other),
        }
    }
    single(kept, Condition::And).unwrap_or(Condition::All)
}

fn or(all: Vec<Condition>) -> Condition {
    let mut kept = Vec::with_capacity(all.len());
    for condition in all {
        match condition {
            Condition::All => return Condition::All,
            Condition::Or(inner) => kept.extend(inner),
            other => kept.push(other),
        }
    }
    single(kept, Condition::Or).unwrap_or_else(|| Condition::Not(Box::default()))
}

/// One condition alone, or several together; `None` for none.
fn single(mut all: Vec<Condition>, together: fn(Vec<Condition>) -> Condition) -> Option<Condition> {
    if all.len() > 1 { Some(together(all)) } else { all.pop() }
}

/// Moves negations to the tests; `negated` is whether an odd number of them is above.
fn push(condition: Condition, negated: bool) -> Condition {
    let each = |all: Vec<Condition>| all.into_iter().map(|it| push(it, negated)).collect();
    match (condition, negated) {
        (Condition::Not(inner), _) => push(*inner, !negated),
        (Condition::And(all), false) | (Condition::Or(all), true) => Condition::And(each(all)),
        (Condition::Or(all), false) | (Condition::And(all), true) => Condition::Or(each(all)),
        (other, true) => negate(other),
        (other, false) => other,
    }
}

/// The negation of a test. An order has none: if a value is not less, the result may be unknown, or there are several values.
fn negate(test: Condition) -> Condition {
    match test {
        Condition::Compare { path, operator: CompareOperator::Equal, value } => {
            Condition::Compare { path, operator: CompareOperator::NotEqual, value }
        }
        Condition::Compare { path, operator: CompareOperator::NotEqual, value } => {
            Condition::Compare { path, operator: CompareOperator::Equal, value }
        }
        Condition::In { path, values, negated } => Condition::In { path, values, negated: !negated },
        Condition::Is { path, special, negated } => Condition::Is { path, special, negated: !negated },
        other => Condition::Not(Box::new(other)),
    }
}
