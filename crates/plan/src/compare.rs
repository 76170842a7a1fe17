use std::{cmp::Ordering, ops::Range};

use model::{Data, Map, Origin, Value};
use types::{Edge, OnChange, SchemaNode, Shape, Trail, same_set};

use crate::action::Change;
use crate::field_states::{FieldStates, Observation};
use crate::secret::{self, Secrets};
use crate::trace::{Segment, Trace};

/// The values that differ between what is desired and what is there, keys and indices in order.
///
/// - Fields whose change asks for nothing are not compared, nor are values that only exist at run time and that
///   no file has.
/// - Observed values win over recorded ones. Attributes that only it knows are its own business. It reports
///   fields of a kind whole or leaves them out; inside a field, what is missing is gone.
/// - A field that is null and one that is not there are the same.
pub(crate) fn compare<'a>(
    secrets: Secrets<'a>,
    sides: FieldStates<'a>,
    trail: Option<Trail<'a>>,
    declared: Origin,
) -> Vec<Change> {
    run(
        Comparison { secrets, creating: false, trace: Trace::default(), changes: Vec::new() },
        sides,
        trail,
        declared,
    )
}

/// All values that are sent when the resource is made; none of a resource without attributes.
pub(crate) fn contents<'a>(
    secrets: Secrets<'a>,
    desired: &'a Value,
    trail: Option<Trail<'a>>,
    declared: Origin,
) -> Vec<Change> {
    if desired.as_map().is_some_and(Map::is_empty) {
        return Vec::new();
    }
    let sides = FieldStates {
        desired: Some(desired),
        persisted: None,
        observed: Observation::NotLooked,
        template: None,
    };
    run(
        Comparison { secrets, creating: true, trace: Trace::default(), changes: Vec::new() },
        sides,
        trail,
        declared,
    )
}

fn run<'a>(
    mut comparison: Comparison<'a>,
    sides: FieldStates<'a>,
    trail: Option<Trail<'a>>,
    origin: Origin,
) -> Vec<Change> {
    comparison.walk(sides, InheritedContext { trail, origin, tainted: false });
    comparison.changes
}

struct Comparison<'a> {
    secrets: Secrets<'a>,
    creating: bool,
    trace: Trace<'a>,
    changes: Vec<Change>,
}

/// The context that a place inherits from what lies around it.
#[derive(Clone, Copy)]
struct InheritedContext<'a> {
    trail: Option<Trail<'a>>,
    /// The innermost origin in a file.
    origin: Origin,
    tainted: bool,
}

impl<'a> Comparison<'a> {
    fn walk(&mut self, sides: FieldStates<'a>, spot: InheritedContext<'a>) {
        let spot = spot.at(sides);
        if spot.tainted {
            return self.leaf(sides, spot);
        }
        match (sides.desired.map(|it| &it.data), sides.actual().map(|it| &it.data)) {
            (Some(Data::Map(_)), Some(Data::Map(_))) => self.map(sides, spot),
            (Some(Data::Map(map)), None) | (None, Some(Data::Map(map))) if !map.is_empty() => {
                self.map(sides, spot)
            }
            (Some(Data::List(desired)), Some(Data::List(actual)))
                if spot.trail.is_some_and(Trail::is_set) =>
            {
                if !same_set(desired, actual) {
                    self.leaf(sides, spot);
                }
            }
            (Some(Data::List(desired)), Some(Data::List(actual))) => self.list(sides, spot, desired, actual),
            (Some(Data::List(items)), None) | (None, Some(Data::List(items))) if needs_room(items) => {
                self.items(sides, spot, 0..items.len());
            }
            _ => self.leaf(sides, spot),
        }
    }

    fn map(&mut self, sides: FieldStates<'a>, spot: InheritedContext<'a>) {
        let partial = match spot.trail {
            Some(trail) => reports_fields(trail.place()),
            None => self.trace.is_root(),
        };
        for key in keys(sides.desired, sides.persisted) {
            let sides = sides.key(key, partial);
            if !sides.agree() {
                self.trace.enter(Segment::Key(key));
                self.field(sides, spot.step(key));
                self.trace.leave();
            }
        }
    }

    /// Compares the values of a key that are not identical.
    fn field(&mut self, sides: FieldStates<'a>, spot: InheritedContext<'a>) {
        let Some(trail) = spot.trail else { return self.walk(sides, spot) };
        let unwritten_output = trail.is_output() && sides.desired.is_none();
        if trail.on_change() == OnChange::Nothing || unwritten_output {
            return;
        }
        let sides = if matches!(trail.place(), SchemaNode::Field(_)) { sides.without_nulls() } else { sides };
        self.walk(sides, spot);
    }

    fn list(
        &mut self,
        sides: FieldStates<'a>,
        spot: InheritedContext<'a>,
        desired: &[Value],
        actual: &[Value],
    ) {
        let (shorter, longer) = (desired.len().min(actual.len()), desired.len().max(actual.len()));
        if shorter == longer {
            self.items(sides, spot, 0..longer);
        } else if desired.iter().zip(actual).all(|(desired, actual)| desired.same_data(actual)) {
            self.items(sides, spot, shorter..longer);
        } else {
            self.leaf(sides, spot);
        }
    }

    fn items(&mut self, sides: FieldStates<'a>, spot: InheritedContext<'a>, range: Range<usize>) {
        for index in range {
            let sides = sides.index(index);
            if !sides.agree() {
                self.trace.enter(Segment::Index(index));
                // Type definitions know items, not which one.
                self.walk(sides, spot.step("0"));
                self.trace.leave();
            }
        }
    }

    fn leaf(&mut self, sides: FieldStates<'a>, spot: InheritedContext<'a>) {
        if sides.agree() {
            return;
        }
        let on_change = spot.trail.map_or(OnChange::Rebuild, Trail::on_change);
        self.changes.push(Change {
            path: self.trace.pointer(),
            desired: sides.desired.cloned(),
            persisted: sides.persisted.cloned(),
            observed: sides.seen().cloned(),
            unknown: sides.desired.is_some_and(Value::has_unknown),
            sensitive: spot.tainted || self.hides(sides),
            forces_rebuild: !self.creating && on_change == OnChange::Rebuild,
            origin: spot.origin,
        });
    }

    fn hides(&self, sides: FieldStates<'_>) -> bool {
        sides.values().any(secret::holds) || sides.template.is_some_and(|it| self.secrets.refers(it))
    }
}

impl<'a> InheritedContext<'a> {
    /// This place, now that what stands there is known.
    fn at(self, sides: FieldStates<'_>) -> Self {
        let written = sides.desired.map(|it| it.origin).filter(|it| it.span().is_some());
        let tainted = self.tainted
            || self.trail.is_some_and(Trail::is_sensitive)
            || sides.values().any(|value| value.sensitive);
        Self { origin: written.unwrap_or(self.origin), tainted, ..self }
    }

    fn step(self, segment: &str) -> Self {
        Self { trail: self.trail.map(|trail| trail.step(segment)), ..self }
    }
}

/// The keys of both maps in order, each once.
fn keys<'a>(one: Option<&'a Value>, other: Option<&'a Value>) -> impl Iterator<Item = &'a str> {
    let keys =
        |value: Option<&'a Value>| value.and_then(Value::as_map).into_iter().flat_map(Map::keys).peekable();
    let (mut one, mut other) = (keys(one), keys(other));
    std::iter::from_fn(move || {
        let order = match (one.peek(), other.peek()) {
            (Some(one), Some(other)) => one.cmp(other),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let behind = if order == Ordering::Equal { other.next() } else { None };
        let next = if order == Ordering::Greater { other.next() } else { one.next() };
        next.or(behind).map(|key| &**key)
    })
}

/// True if the keys here are fields of a kind: of the resource itself, or of what is embedded in it. An adapter reports
/// each of them whole or leaves it out; inside a field, what is missing is gone.
pub fn reports_fields(place: SchemaNode<'_>) -> bool {
    matches!(place, SchemaNode::Object(_))
        || matches!(place.shape(), Some(Shape::Reference { edge: Edge::Embed, .. }))
}

/// True if a list is too much for one line, or some items must be distinguished from the others.
fn needs_room(items: &[Value]) -> bool {
    items
        .iter()
        .any(|item| item.sensitive || matches!(item.data, Data::Map(_) | Data::List(_) | Data::Unknown(_)))
}
