use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use store::Glob;

/// Which calls an order is for: of those that fit, `times` after the first `skip`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallMatcher {
    /// What is called, e.g. `create`, `update`, `destroy`, `read`, `batch_read`; left out for everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The address of the resource, `*` standing for any run of characters; left out for all, and for calls that are
    /// about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// How many are let pass first.
    pub skip: u32,
    /// How many it is for; left out for all that follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

impl CallMatcher {
    /// Every call of that name.
    pub fn call(call: impl Into<String>) -> Self {
        Self { call: Some(call.into()), ..Self::default() }
    }

    /// Only about resources of that address.
    #[must_use]
    pub fn at(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// Only after so many have passed.
    #[must_use]
    pub const fn after(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }

    /// Only so many.
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

/// Orders, with how many calls each has met.
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

    /// Those that are still to be met.
    pub(crate) fn all(&self) -> Vec<T> {
        self.orders.values().map(|(order, _)| order.clone()).collect()
    }

    /// The first order that is for this call. Each that fits counts it; one that has had all of its calls goes away.
    pub(crate) fn next(
        &mut self,
        matcher: impl Fn(&T) -> &CallMatcher,
        call: &str,
        address: Option<&str>,
    ) -> Option<T> {
        let mut chosen = None;
        self.orders.retain(|_, (order, met)| {
            let wanted = matcher(order);
            if chosen.is_some() || wanted.times == Some(0) || !wanted.fits(call, address) {
                return true;
            }
            *met = met.saturating_add(1);
            if *met <= wanted.skip {
                return true;
            }
            chosen = Some(order.clone());
            wanted.times.is_none_or(|times| *met - wanted.skip < times)
        });
        chosen
    }
}
