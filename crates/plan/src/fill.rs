use std::borrow::Cow;

use graph::Graph;
use model::{Data, DesiredResource, Expression, Pointer, RecordedResource, Reference, Step, Value};
use types::normalize;

use crate::PlanInput;
use crate::cause::touched;
use crate::existence::{Existence, existence};
use crate::field_states::same;
use crate::reconcile::Decision;
use crate::template::edited;

/// The known values when it is one resource's turn.
#[derive(Clone, Copy)]
pub(crate) struct FillContext<'k, 'a> {
    pub(crate) input: &'k PlanInput<'a>,
    pub(crate) graph: &'k Graph,
    /// By node: the desired attributes with what was known filled in. Only those that are decided are right.
    pub(crate) specs: &'k [Cow<'a, Value>],
    /// By node; `None` where it is not decided yet, which for something needed means a cycle.
    pub(crate) decisions: &'k [Option<Decision>],
}

/// The desired attributes with known values filled in. Templates with values that are not known stay.
///
/// A value stays as recorded when it was sent from the same template and nothing that it refers to acts on it: values that
/// adapters did not report (or report late) are no reason to act.
pub(crate) fn fill<'a>(
    known: FillContext<'_, 'a>,
    desired: &'a DesiredResource,
    recorded: Option<&RecordedResource>,
) -> Cow<'a, Value> {
    let filling = ResourceFiller { known, desired, recorded };
    let mut spec = Cow::Borrowed(&desired.spec);
    for path in desired.templates.keys() {
        let Some(value) = desired.spec.at(path) else { continue };
        let Data::Unknown(expression) = &value.data else { continue };
        if let Some(computed) = filling.unknown(value, expression, path)
            && let Some(place) = place(spec.to_mut(), path)
        {
            *place = computed;
        }
    }
    // Of what is known only now, nothing was in its normal form.
    let types = known.input.types;
    if let Cow::Owned(Value { data: Data::Map(map), .. }) = &mut spec
        && let Some(kind) = types.kind(&desired.kind)
    {
        normalize(types, kind, map, &|place| desired.templates.contains_key(place));
    }
    spec
}

/// True if the desired attributes, with known values filled in, are just those recorded; false if such a value is a secret: the
/// recorded value would have lost its taint.
pub(crate) fn is_as_recorded(
    known: FillContext<'_, '_>,
    desired: &DesiredResource,
    recorded: &RecordedResource,
) -> bool {
    let filling = ResourceFiller { known, desired, recorded: Some(recorded) };
    let known = desired.templates.keys().all(|path| {
        let Some(value) = desired.spec.at(path) else { return false };
        let Data::Unknown(expression) = &value.data else { return true };
        let computed = filling.unknown(value, expression, path);
        computed.is_some_and(|it| !it.sensitive && same(Some(&it), recorded.spec.at(path)))
    });
    known && same_but_unknown(&desired.spec, &recorded.spec)
}

fn same_but_unknown(desired: &Value, recorded: &Value) -> bool {
    let same = match (&desired.data, &recorded.data) {
        (Data::Unknown(_), _) => true,
        (Data::Map(desired), Data::Map(recorded)) => {
            let mut pairs = desired.iter().zip(recorded);
            desired.len() == recorded.len()
                && pairs.all(|((key, value), (other, old))| key == other && same_but_unknown(value, old))
        }
        (Data::List(desired), Data::List(recorded)) => {
            let mut pairs = desired.iter().zip(recorded);
            desired.len() == recorded.len() && pairs.all(|(value, old)| same_but_unknown(value, old))
        }
        _ => desired.same_data(recorded),
    };
    same && !desired.sensitive
}

fn place<'v>(value: &'v mut Value, path: &Pointer) -> Option<&'v mut Value> {
    path.segments().try_fold(value, |value, segment| match &mut value.data {
        Data::Map(map) => map.get_mut(&*segment),
        Data::List(items) => items.get_mut(segment.parse::<usize>().ok()?),
        _ => None,
    })
}

struct ResourceFiller<'f, 'k, 'a> {
    known: FillContext<'k, 'a>,
    desired: &'a DesiredResource,
    recorded: Option<&'f RecordedResource>,
}

impl ResourceFiller<'_, '_, '_> {
    fn unknown(&self, value: &Value, expression: &Expression, path: &Pointer) -> Option<Value> {
        let computed = expression.evaluate(value.origin, |reference| self.known.value_of(reference));
        let computed = computed.or_else(|| self.as_recorded(value, expression, path))?;
        Some(Value { sensitive: computed.sensitive || value.sensitive, ..computed })
    }

    fn as_recorded(&self, value: &Value, expression: &Expression, path: &Pointer) -> Option<Value> {
        let recorded = self.recorded?;
        let settled = !edited(recorded.template.as_ref()?, self.desired, path)
            && expression.references().all(|it| !self.known.may_change(it));
        let kept = recorded.spec.at(path).filter(|_| settled)?;
        let sensitive = kept.sensitive || expression.references().any(|it| it.sensitive);
        Some(Value { data: kept.data.clone(), origin: value.origin, sensitive })
    }
}

impl FillContext<'_, '_> {
    /// The value a reference has by now; `None` while it has none.
    fn value_of(&self, reference: &Reference) -> Option<Value> {
        let target = self.graph.find(&reference.to)?;
        let decision = self.decisions[target].as_ref()?;
        if let Some(written) = something(at(&self.specs[target], &reference.path)) {
            return Some(written.clone());
        }
        if decision.action.creates() {
            return None;
        }
        let Existence::Exists(recorded, observed) = existence(self.input, &reference.to) else { return None };
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
