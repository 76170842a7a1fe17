//! The check that a provider has the properties that its type promises.

use model::{Data, Value};

use crate::{LinkProperty, LinkType, Profile, Provider, expose};

/// A property of a link type that a provider lacks, or provides with another type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractViolation<'t> {
    /// The property.
    pub property: &'t LinkProperty,
    /// The kind of the value, for messages; `None` if there is no value.
    pub is: Option<&'static str>,
}

/// In which properties a provider breaks the contract of its type, as the contract lists them.
///
/// Values that are only known later, or filled in later (`((var))`), are assumed to be valid.
pub fn contract_violations<'t>(
    link_type: &'t LinkType,
    provider: &Provider,
    profile: Profile,
) -> Vec<ContractViolation<'t>> {
    check(link_type, &expose(&provider.exposure, profile).properties)
}

/// In which properties a link's `properties` break the contract of a type.
pub fn check<'t>(link_type: &'t LinkType, properties: &Value) -> Vec<ContractViolation<'t>> {
    let breach = |property: &'t LinkProperty| match at(properties, &property.path.text) {
        Some(value) if !matches!(value.data, Data::Null) => {
            let is = Some(value.kind_name());
            (!fits(value, &property.kind)).then_some(ContractViolation { property, is })
        }
        _ => (!property.optional).then_some(ContractViolation { property, is: None }),
    };
    link_type.properties.iter().filter_map(breach).collect()
}

/// The value at a dotted path. Below a value that is not known yet, every value is not known yet.
pub(crate) fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| if is_open(value) { Some(value) } else { value.get(key) })
}

/// True if a value is filled in later.
pub(crate) fn is_open(value: &Value) -> bool {
    match &value.data {
        Data::Unknown(_) => true,
        Data::String(text) => text.starts_with("((") && text.ends_with("))"),
        _ => false,
    }
}

fn fits(value: &Value, kind: &str) -> bool {
    is_open(value)
        || match kind {
            "text" => matches!(value.data, Data::String(_)),
            "integer" => matches!(value.data, Data::Int(_)),
            "number" => matches!(value.data, Data::Int(_) | Data::Float(_)),
            "boolean" => matches!(value.data, Data::Bool(_)),
            "list" => matches!(value.data, Data::List(_)),
            "map" => matches!(value.data, Data::Map(_)),
            _ => true,
        }
}
