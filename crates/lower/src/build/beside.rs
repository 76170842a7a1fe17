//! References between instances that run beside each other.

use model::{Data, Expression, Map, Origin, Part, Pointer, Reference, Step, Value};

use crate::{declare::Declarations, resolve::Parts};

/// Inserts the known values of the instances beside an item's own, of which there are `n` before it.
pub(super) struct ColocatedInstances<'b, 'a> {
    pub(super) declarations: &'b Declarations<'a>,
    pub(super) item: usize,
    pub(super) attributes: &'b Map,
    pub(super) n: usize,
}

impl ColocatedInstances<'_, '_> {
    pub(super) fn put(&self, value: &mut Value) {
        match &mut value.data {
            Data::Unknown(expression) => {
                if let Some(found) = self.expression(expression) {
                    (value.data, value.sensitive) = (found.data, value.sensitive || found.sensitive);
                }
            }
            Data::List(items) => items.iter_mut().for_each(|it| self.put(it)),
            Data::Map(map) => map.iter_mut().for_each(|(_, it)| self.put(it)),
            _ => {}
        }
    }

    /// An expression without references to the instance beside; `None` if it has none.
    fn expression(&self, expression: &Expression) -> Option<Value> {
        let origin = Origin::Inferred(self.declarations.items[self.item].span);
        if let [Part::Reference(whole)] = &expression.parts[..] {
            return self.find(whole).cloned();
        }
        let mut parts = Parts::default();
        let (mut sensitive, mut is_any) = (false, false);
        for part in &expression.parts {
            match part {
                Part::Text(text) => parts.text(text),
                Part::Reference(reference) => match self.find(reference) {
                    Some(found) => {
                        parts.value(found);
                        (sensitive, is_any) = (sensitive || found.sensitive, true);
                    }
                    None => parts.reference(reference.clone()),
                },
            }
        }
        is_any.then(|| Value { data: parts.data(), origin, sensitive })
    }

    fn find(&self, reference: &Reference) -> Option<&Value> {
        if reference.to.declaration() != self.declarations.address(self.item) {
            return None;
        }
        let path = self.declarations.beside(self.item, &reference.path, self.n)?;
        let [Step::Key(field), rest @ ..] = &path[..] else { return None };
        self.attributes.get(field)?.at(&Pointer::root().steps(rest))
    }
}
