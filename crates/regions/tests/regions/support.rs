//! Policies and regions from short texts.

use std::{collections::BTreeSet, sync::Arc};

use planloom_regions::{CriteriaForDisabledSync, MultiRegionPolicy, Ownership, Placement, SyncType, Unowned};
use proptest::prelude::ProptestConfig;

pub(crate) const DEVICE: &str = "custom.edgelq.com/EdgeDevice";

/// Ids that are separated by spaces.
pub(crate) fn regions(text: &str) -> BTreeSet<Arc<str>> {
    text.split_whitespace().map(Into::into).collect()
}

/// A policy of these regions, of which the first is the default.
pub(crate) fn policy(text: &str) -> MultiRegionPolicy {
    MultiRegionPolicy {
        enabled_regions: regions(text),
        default_control_region: text.split_whitespace().next().unwrap_or_default().into(),
        criteria_for_disabled_sync: Vec::new(),
    }
}

/// A policy with rules: kind, source and destination each, where `*` is a blank.
pub(crate) fn policy_with(text: &str, rules: &[[&str; 3]]) -> MultiRegionPolicy {
    let part = |it: &str| (it != "*").then(|| it.into());
    let rule = |[kind, source, destination]: &[&str; 3]| CriteriaForDisabledSync {
        resource_type_name: part(kind),
        source_region: part(source),
        dest_region: part(destination),
    };
    MultiRegionPolicy { criteria_for_disabled_sync: rules.iter().map(rule).collect(), ..policy(text) }
}

/// The policy of `custom.edgelq.com` in Goten's guide.
pub(crate) fn custom() -> MultiRegionPolicy {
    policy("us-west2 eastus2 japaneast")
}

/// The regions of a resource of the kind [`DEVICE`] with the default type.
pub(crate) fn device<'a>(
    region: Option<&'a str>,
    holder: Option<&'a MultiRegionPolicy>,
    service: &'a MultiRegionPolicy,
) -> Placement<'a> {
    Placement { region, holder, service, kind: DEVICE, sync: SyncType::Default }
}

/// `owner -> copies`, or the message of the refusal.
pub(crate) fn written(ownership: Result<Ownership, Unowned>) -> String {
    match ownership {
        Ok(it) => {
            let copies: Vec<_> = it.copies.iter().map(|it| &**it).collect();
            format!("{} -> {}", it.owner, copies.join(" ")).trim_end().to_owned()
        }
        Err(it) => it.to_string(),
    }
}

/// So many cases, or more if `PROPTEST_CASES` says so.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok());
    ProptestConfig {
        cases: requested.map_or(cases, |it: u32| it.max(cases)),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
