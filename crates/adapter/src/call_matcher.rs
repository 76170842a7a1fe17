use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use store::Glob;

/// Selects calls: of those that match, `times` after the first `skip`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallMatcher {
    /// The name of the call, e.g. `create`, `update`, `destroy`, `read`, `batch_read`; any call if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The address of the resource, where `*` matches any run of characters. If omitted, all resources match,
    /// and also calls that are about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The number of matching calls that are skipped first.
    pub skip: u32,
    /// The number of calls that are selected; all that follow if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

impl CallMatcher {
    /// Every call of that name.
    pub fn call(call: impl Into<String>) -> Self {
        Self { call: Some(call.into()), ..Self::default() }
    }

    /// Restricts the selection to resources of that address.
    #[must_use]
    pub fn at(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// Skips that many matching calls.
    #[must_use]
    pub const fn after(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }

    /// Limits the selection to that many calls.
    #[must_use]
    pub const fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    fn fits(&self, call: &str, address: Option<&str>) -> bool {
        let is_there = |pattern: &str| address.is_some_and(|it| Glob::stars(pattern).matches(it));
        self.call.as_deref().is_none_or(|it| it == call) && self.address.as_deref().is_none_or(is_there)
    }
}

/// Orders, each with the number of calls that it has matched.
#[derive(Clone, Debug)]
pub(crate) struct Orders<T> {
    number: u64,
    orders: BTreeMap<u64, (T, u32)>,
}

impl<T> Default for Orders<T> {
    fn default() -> Self {
        Self { number: 0, orders: BTreeMap::new() }
    }
}

impl<T: Clone> Orders<T> {
    pub(crate) fn add(&mut self, order: T) {
        self.number += 1;
        self.orders.insert(self.number, (order, 0));
    }

    pub(crate) fn clear(&mut self) {
        self.orders.clear();
    }

    /// The orders that still apply to further calls.
    pub(crate) fn all(&self) -> Vec<T> {
        self.orders.values().map(|(order, _)| order.clone()).collect()
    }

    /// The first order for this call. Each order that matches counts the call; an order that has had all of
    /// its calls is removed.
    pub(crate) fn next(
        &mut self,
        matcher_of: impl Fn(&T) -> &CallMatcher,
        call: &str,
        address: Option<&str>,
    ) -> Option<T> {
        let mut chosen = None;
        self.orders.retain(|_, (order, met)| {
            let matcher = matcher_of(order);
            if chosen.is_some() || matcher.times == Some(0) || !matcher.fits(call, address) {
                return true;
            }
            *met = met.saturating_add(1);
            if *met <= matcher.skip {
                return true;
            }
            chosen = Some(order.clone());
            matcher.times.is_none_or(|times| *met - matcher.skip < times)
        });
        chosen
    }
}
