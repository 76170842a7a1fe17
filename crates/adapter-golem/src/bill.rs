use std::time::{Duration, SystemTime};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{prices::Prices, timestamp};

/// Time that is allowed besides the measured one, because clocks differ and counters are read late.
const ALLOWANCE: Duration = Duration::from_secs(60);

/// The terms under which debit notes and invoices of an agreement are accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bill {
    pub(crate) agreement: String,
    /// The lineage of the deployment.
    pub(crate) deployment: String,
    /// The id of the resource.
    pub(crate) resource: String,
    pub(crate) provider_id: String,
    pub(crate) provider_name: String,
    pub(crate) allocation: String,
    /// The amount of the allocation.
    pub(crate) budget: Decimal,
    pub(crate) prices: Prices,
    /// The time at which it began, in milliseconds since 1970.
    pub(crate) began: u64,
    /// The time at which it expires, in milliseconds since 1970.
    #[serde(default)]
    pub(crate) expires: Option<u64>,
    /// The time at which it was ended, in milliseconds since 1970, if it was.
    pub(crate) ended: Option<u64>,
}

/// The part of a bill that was accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Payments {
    /// The total so far.
    pub(crate) accepted: Decimal,
    /// True if the invoice was accepted, which is the last.
    #[serde(default)]
    pub(crate) is_invoiced: bool,
    /// The reason why a debit note or an invoice was not accepted.
    #[serde(default)]
    pub(crate) refused: Option<String>,
}

impl Payments {
    /// True if nothing more will be accepted.
    pub(crate) const fn is_settled(&self) -> bool {
        self.is_invoiced || self.refused.is_some()
    }
}

impl Bill {
    /// True if its agreement has to be ended, because its time is over.
    pub(crate) fn is_over(&self, now: SystemTime) -> bool {
        self.ended.is_none() && self.expires.is_some_and(|it| timestamp::of_millis(it) <= now)
    }

    /// Checks that an amount, which is the total of the agreement so far, is acceptable. `others` is the amount that was
    /// accepted of the deployment's other agreements.
    ///
    /// # Errors
    /// The reason why it is not.
    pub(crate) fn check(&self, amount: Decimal, others: Decimal, now: SystemTime) -> Result<(), String> {
        let most = self.most(now);
        if amount > most {
            return Err(format!(
                "{} bills {}, but under the agreed prices ({}) it can be {} at most so far",
                self.provider_name,
                amount.normalize(),
                self.prices,
                most.round_dp(6).normalize(),
            ));
        }
        let total = amount.saturating_add(others);
        if total > self.budget {
            return Err(format!(
                "{} bills {} in all, so the services would cost {}, more than the {} that is set aside",
                self.provider_name,
                amount.normalize(),
                total.normalize(),
                self.budget.normalize(),
            ));
        }
        Ok(())
    }

    /// The time at which it was ended, or expires; `None` if neither is known.
    pub(crate) fn end(&self) -> Option<SystemTime> {
        [self.ended, self.expires].into_iter().flatten().min().map(timestamp::of_millis)
    }

    /// The highest amount that the agreement can have cost.
    fn most(&self, now: SystemTime) -> Decimal {
        let until = self.end().map_or(now, |it| it.min(now));
        let time = until.duration_since(timestamp::of_millis(self.began)).unwrap_or_default();
        self.prices.most_after(time + ALLOWANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bill() -> Bill {
        let prices = Prices {
            start: Decimal::new(5, 1),
            second: Decimal::new(1, 2),
            cpu_second: Decimal::ZERO,
            threads: 1,
        };
        let text = String::new;
        Bill {
            agreement: text(),
            deployment: text(),
            resource: text(),
            provider_id: text(),
            provider_name: "anna".into(),
            allocation: text(),
            budget: Decimal::from(3),
            prices,
            began: 1_000_000,
            expires: None,
            ended: None,
        }
    }

    #[track_caller]
    fn check(bill: &Bill, amount: &str, others: &str, seconds: u64, expected: Result<(), &str>) {
        let now = timestamp::of_millis(bill.began + seconds * 1000);
        let checked = bill.check(amount.parse().unwrap(), others.parse().unwrap(), now);
        assert_eq!(checked.as_ref().map_err(|it| &**it), expected.as_ref().map(|()| &()).map_err(|it| &**it));
    }

    #[test]
    fn an_amount_is_explained_by_prices_and_time() {
        check(&bill(), "1.1", "0", 0, Ok(()));
        check(
            &bill(),
            "1.11",
            "0",
            0,
            Err(
                "anna bills 1.11, but under the agreed prices (0.5 to start, at most 36 an hour) it can be 1.1 at most so far",
            ),
        );
        check(&bill(), "1.11", "0", 1, Ok(()));
        let ended = Bill { ended: Some(1_010_000), ..bill() };
        check(&ended, "1.2", "0", 3600, Ok(()));
        assert!(ended.check(Decimal::new(13, 1), Decimal::ZERO, timestamp::of_millis(9_000_000)).is_err());
    }

    #[test]
    fn an_amount_is_within_the_budget() {
        check(&bill(), "2", "1", 3600, Ok(()));
        check(
            &bill(),
            "2.01",
            "1",
            3600,
            Err("anna bills 2.01 in all, so the services would cost 3.01, more than the 3 that is set aside"),
        );
        check(
            &bill(),
            "0.01",
            "4",
            3600,
            Err("anna bills 0.01 in all, so the services would cost 4.01, more than the 3 that is set aside"),
        );
    }
}
