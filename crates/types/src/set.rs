use std::cmp::Ordering;

use diag::order;
use model::{Data, Value};

/// True if two lists hold the same set: neither order nor repetition counts.
pub fn same_set(one: &[Value], other: &[Value]) -> bool {
    let (one, other) = (sorted(one), sorted(other));
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.same_data(other))
}

fn sorted(items: &[Value]) -> Vec<&Value> {
    let mut items: Vec<&Value> = items.iter().collect();
    order::by(&mut items, |one, other| compare(one, other));
    items.dedup_by(|one, other| one.same_data(other));
    items
}

/// Puts the items of a set in order, each once.
pub(crate) fn sort(items: &mut Vec<Value>) {
    order::by(items, compare);
    items.dedup_by(|one, other| one.same_data(other));
}

/// The order of values in a set: by the kind of data, then by what they are. Equal are those with the same data.
fn compare(one: &Value, other: &Value) -> Ordering {
    match (&one.data, &other.data) {
        (Data::Bool(one), Data::Bool(other)) => one.cmp(other),
        (Data::Int(one), Data::Int(other)) => one.cmp(other),
        (Data::Int(one), Data::Float(other)) => (*one as f64).total_cmp(other),
        (Data::Float(one), Data::Int(other)) => one.total_cmp(&(*other as f64)),
        (Data::Float(one), Data::Float(other)) => one.total_cmp(other),
        (Data::String(one), Data::String(other)) => one.cmp(other),
        (Data::List(one), Data::List(other)) => {
            let pairs = one.iter().zip(other).map(|(one, other)| compare(one, other));
            pairs.fold(Ordering::Equal, Ordering::then).then(one.len().cmp(&other.len()))
        }
        (Data::Map(one), Data::Map(other)) => {
            let pairs = one.iter().zip(other);
            let orders =
                pairs.map(|((key, one), (name, other))| key.cmp(name).then_with(|| compare(one, other)));
            orders.fold(Ordering::Equal, Ordering::then).then(one.len().cmp(&other.len()))
        }
        (Data::Unknown(one), Data::Unknown(other)) => one.to_string().cmp(&other.to_string()),
        (one, other) => rank(one).cmp(&rank(other)),
    }
}

const fn rank(data: &Data) -> u8 {
    match data {
        Data::Null => 0,
        Data::Bool(_) => 1,
        Data::Int(_) | Data::Float(_) => 2,
        Data::String(_) => 3,
        Data::List(_) => 4,
        Data::Map(_) => 5,
        Data::Unknown(_) => 6,
    }
}
