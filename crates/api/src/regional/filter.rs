use std::sync::Arc;

use fields::{CompareOperator, Condition, FieldPath, Filter, Literal, Quantifier};
use regions::SyncingFilter;

/// The conditions on `metadata.syncing` that hold for all that a filter selects: those that are parts of a conjunction.
pub(super) fn syncing_filter(filter: &Filter) -> SyncingFilter {
    let mut found = SyncingFilter::default();
    match filter.condition() {
        Condition::And(parts) => parts.iter().for_each(|it| add(&mut found, it)),
        one => add(&mut found, one),
    }
    found
}

fn add(found: &mut SyncingFilter, condition: &Condition) {
    match condition {
        Condition::Compare { path, operator: CompareOperator::Equal, value: Literal::Text(region) }
            if is_at(path, "owningRegion", "owning_region") =>
        {
            found.owning_region = Some(Arc::clone(region));
        }
        Condition::Contains { path, quantifier: Quantifier::Value, values }
            if is_at(path, "regions", "regions") =>
        {
            if let [Literal::Text(region)] = &**values {
                found.regions_contain = Some(Arc::clone(region));
            }
        }
        Condition::All
        | Condition::And(_)
        | Condition::Or(_)
        | Condition::Not(_)
        | Condition::Compare { .. }
        | Condition::In { .. }
        | Condition::Contains { .. }
        | Condition::Is { .. }
        | Condition::Like { .. } => {}
    }
}

fn is_at(path: &FieldPath, json: &str, proto: &str) -> bool {
    let text = path.to_string();
    let field = text.strip_prefix("metadata.syncing.");
    field == Some(json) || field == Some(proto)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_always_holds_counts() {
        let read = |text: &str| {
            let filter = syncing_filter(&Filter::parse(text).unwrap_or_default());
            (
                filter.owning_region.as_deref().map(str::to_owned),
                filter.regions_contain.as_deref().map(str::to_owned),
            )
        };
        let region = |it: &str| Some(it.to_owned());
        assert_eq!(read("metadata.syncing.owningRegion = \"eu\""), (region("eu"), None));
        assert_eq!(read("metadata.syncing.owning_region = \"eu\" AND title = \"a\""), (region("eu"), None));
        assert_eq!(read("title = \"a\" AND metadata.syncing.regions CONTAINS \"us\""), (None, region("us")));
        assert_eq!(read("metadata.syncing.owningRegion = \"eu\" OR title = \"a\""), (None, None));
        assert_eq!(read("NOT metadata.syncing.owningRegion = \"eu\""), (None, None));
        assert_eq!(read(""), (None, None));
    }
}
