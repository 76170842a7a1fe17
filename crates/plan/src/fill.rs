use std::borrow::Cow;

use graph::Graph;
use model::{Data, DesiredResource, Expression, Pointer, RecordedResource, Reference, Step, Value};

use crate::PlanInput;
use crate::cause::touched;
use crate::life::{Life, life};
use crate::reconcile::Decision;
use crate::template::edited;
use crate::trace::{Segment, Trace};

/// What is known when it is one resource's turn.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k, 'a> {
    pub(crate) input: &'k PlanInput<'a>,
    pub(crate) graph: &'k Graph,
    /// By node: the desired attributes with what was known filled in. Only those that are decided are right.
    pub(crate) specs: &'k [Cow<'a, Value>],
    /// By node; `None` where it is not decided yet, which for something needed means a cycle.
    pub(crate) decisions: &'k [Option<Decision>],
}

/// The desired attributes with what is known filled in.
///
/// A value stays as recorded when it was sent from the same template and nothing that it refers to acts on it: what
/// adapters did not report (or report late) is no reason to act.
pub(crate) fn fill<'a>(
    known: Known<'_, 'a>,
    desired: &'a DesiredResource,
    recorded: Option<&RecordedResource>,
) -> Cow<'a, Value> {
    let mut filling = Filling { known, desired, recorded, trace: Trace::default() };
    filling.value(&desired.spec).map_or(Cow::Borrowed(&desired.spec), Cow::Owned)
}

struct Filling<'f, 'k, 'a> {
    known: Known<'k, 'a>,
    desired: &'a DesiredResource,
    recorded: Option<&'f RecordedResource>,
    trace: Trace<'a>,
}

impl<'a> Filling<'_, '_, 'a> {
    /// The value with what is known filled in; `None` where that changes nothing.
    fn value(&mut self, value: &'a Value) -> Option<Value> {
        let data = match &value.data {
            Data::List(items) => {
                let filled =
                    self.each(items.iter().enumerate().map(|(index, item)| (Segment::Index(index), item)))?;
                let pairs = items.iter().zip(filled);
                Data::List(pairs.map(|(item, filled)| filled.unwrap_or_else(|| item.clone())).collect())
            }
            Data::Map(map) => {
                let filled = self.each(map.iter().map(|(key, item)| (Segment::Key(key), item)))?;
                let entries = map.iter().zip(filled);
                let entries = entries
                    .map(|((key, item), filled)| (key.clone(), filled.unwrap_or_else(|| item.clone())));
                Data::Map(entries.collect())
            }
            Data::Unknown(expression) => return self.unknown(value, expression),
            _ => return None,
        };
        Some(Value { data, origin: value.origin, sensitive: value.sensitive })
    }

    /// For each item what it becomes; `None` where none of them changes. Only what stays is cloned, and only once.
    fn each(&mut self, items: impl Iterator<Item = (Segment<'a>, &'a Value)>) -> Option<Vec<Option<Value>>> {
        let filled: Vec<Option<Value>> = items.map(|(segment, item)| self.below(segment, item)).collect();
        filled.iter().any(Option::is_some).then_some(filled)
    }

    fn below(&mut self, segment: Segment<'a>, value: &'a Value) -> Option<Value> {
        if !matches!(value.data, Data::List(_) | Data::Map(_) | Data::Unknown(_)) {
            return None;
        }
        self.trace.enter(segment);
        let filled = self.value(value);
        self.trace.leave();
        filled
    }

    fn unknown(&self, value: &Value, expression: &Expression) -> Option<Value> {
        let computed = expression.evaluate(value.origin, |reference| self.known.value_of(reference));
        let computed = computed.or_else(|| self.as_recorded(value, expression))?;
        Some(Value { sensitive: computed.sensitive || value.sensitive, ..computed })
    }

    fn as_recorded(&self, value: &Value, expression: &Expression) -> Option<Value> {
        let recorded = self.recorded?;
        let path = &self.trace.pointer();
        let settled = !edited(recorded.template.as_ref()?, self.desired, path)
            && expression.references().all(|it| !self.known.may_change(it));
        let kept = recorded.spec.at(path).filter(|_| settled)?;
        let sensitive = kept.sensitive || expression.references().any(|it| it.sensitive);
        Some(Value { data: kept.data.clone(), origin: value.origin, sensitive })
    }
}

impl Known<'_, '_> {
    /// The value a reference has by now; `None` while it has none.
    fn value_of(&self, reference: &Reference) -> Option<Value> {
        let target = self.graph.find(&reference.to)?;
        let decision = self.decisions[target].as_ref()?;
        if let Some(written) = something(at(&self.specs[target], &reference.path)) {
            return Some(written.clone());
        }
        if decision.verb.makes() {
            return None;
        }
        let Life::Exists(recorded, observed) = life(self.input, &reference.to) else { return None };
        let seen = observed.and_then(|it| it.outputs.as_ref());
        let places = [seen, Some(&recorded.outputs), recorded.identity.as_ref()];
        places.into_iter().flatten().find_map(|outputs| something(at(outputs, &reference.path))).cloned()
    }

    fn may_change(&self, reference: &Reference) -> bool {
        match self.graph.find(&reference.to).and_then(|target| self.decisions[target].as_ref()) {
            Some(decision) => touched(decision, &pointer(&reference.path)),
            None => true,
        }
    }
}

fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    })
}

fn something(value: Option<&Value>) -> Option<&Value> {
    value.filter(|it| !matches!(it.data, Data::Null))
}

fn pointer(path: &[Step]) -> Pointer {
    path.iter().fold(Pointer::root(), |pointer, step| match step {
        Step::Key(key) => pointer.key(key),
        Step::Index(index) => pointer.index(*index),
    })
}
