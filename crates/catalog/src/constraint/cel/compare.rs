use std::cmp::Ordering;

use super::value::Value;

impl Value {
    /// True if two values are equal; numbers of different types may be, other values of different types are
    /// not.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| a.same(b))
            }
            (Self::Map(a), Self::Map(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(key, value)| other.get(key).is_some_and(|it| it.same(value)))
            }
            _ => self.order(other) == Some(Ordering::Equal),
        }
    }

    /// The order of two values; `None` if they cannot be compared.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            _ => match (self.integer(), other.integer()) {
                (Some(a), Some(b)) => Some(a.cmp(&b)),
                _ => self.number()?.partial_cmp(&other.number()?),
            },
        }
    }

    /// An integer of either type.
    fn integer(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(i128::from(*value)),
            Self::Uint(value) => Some(i128::from(*value)),
            _ => None,
        }
    }

    /// A number of any type.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(*value as f64),
            Self::Uint(value) => Some(*value as f64),
            Self::Double(value) => Some(*value),
            _ => None,
        }
    }
}
