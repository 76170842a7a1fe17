use std::{fmt, time::Duration};

use rust_decimal::{Decimal, prelude::FromPrimitive};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::market::Properties;

const COEFFICIENTS: &str = "golem.com.pricing.model.linear.coeffs";
const COUNTERS: &str = "golem.com.usage.vector";
const DURATION: &str = "golem.usage.duration_sec";
const CPU: &str = "golem.usage.cpu_sec";
const THREADS: &str = "golem.inf.cpu.threads";
const CORES: &str = "golem.inf.cpu.cores";

const HOUR: u32 = 3600;

/// An amount of the token of a payment platform, exactly.
pub type Amount = Decimal;

/// The amount of a text; `None` if it is none, or not above zero.
pub fn amount(text: &str) -> Option<Amount> {
    text.trim().parse().ok().filter(|it: &Amount| *it > Decimal::ZERO)
}

/// The prices of a provider, in the token of the payment platform (GLM or tGLM).
///
/// Golem's linear model: a fixed amount for an activity, and an amount for each second of its time and of its CPU time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prices {
    /// For the start of an activity.
    pub start: Decimal,
    /// For a second of its time.
    pub second: Decimal,
    /// For a second of CPU time.
    pub cpu_second: Decimal,
    /// The maximum number of CPU threads that it has, and so of seconds of CPU time in a second.
    pub threads: u32,
}

impl Prices {
    /// The prices of an offer.
    ///
    /// # Errors
    /// The reason why they cannot be understood, in words that follow `the offer`.
    pub(crate) fn of(offer: &Properties) -> Result<Self, String> {
        let model = offer.get("golem.com.pricing.model").and_then(Json::as_str);
        if model != Some("linear") {
            return Err("does not have linear prices".into());
        }
        let list = |name: &str| offer.get(name).and_then(Json::as_array).cloned().unwrap_or_default();
        let coefficients: Option<Vec<Decimal>> = list(COEFFICIENTS).iter().map(price).collect();
        let counters: Vec<String> =
            list(COUNTERS).iter().map(|it| it.as_str().unwrap_or_default().to_owned()).collect();
        let mut amounts = coefficients.ok_or("has a price that is no amount")?;
        if amounts.len() != counters.len() + 1 {
            return Err("does not have one price for each counter and a fixed one".into());
        }
        let start = amounts.pop().unwrap_or_default();
        let mut prices =
            Self { start, second: Decimal::ZERO, cpu_second: Decimal::ZERO, threads: threads(offer) };
        for (counter, price) in counters.iter().zip(amounts) {
            match &**counter {
                DURATION => prices.second = price,
                CPU => prices.cpu_second = price,
                _ if price.is_zero() => {}
                other => return Err(format!("charges for `{other}`")),
            }
        }
        Ok(prices)
    }

    /// The highest price of an hour: with all CPU threads busy, without the start.
    pub fn hour(&self) -> Decimal {
        let second = self.cpu_second.saturating_mul(Decimal::from(self.threads)).saturating_add(self.second);
        second.saturating_mul(Decimal::from(HOUR))
    }

    /// The highest amount that an activity can have cost after that time.
    pub(crate) fn most_after(&self, time: Duration) -> Decimal {
        let seconds = Decimal::from_f64(time.as_secs_f64()).unwrap_or(Decimal::MAX);
        (self.hour() / Decimal::from(HOUR)).saturating_mul(seconds).saturating_add(self.start)
    }
}

impl fmt::Display for Prices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |amount: Decimal| amount.round_dp(6).normalize();
        write!(f, "{} to start, at most {} an hour", shown(self.start), shown(self.hour()))
    }
}

/// An amount that is neither negative nor not a number.
fn price(value: &Json) -> Option<Decimal> {
    // By its digits: a binary number in between would add some.
    let text = value.as_number()?.to_string();
    let number = text.parse().or_else(|_| Decimal::from_scientific(&text)).ok()?;
    (number >= Decimal::ZERO).then_some(number)
}

fn threads(offer: &Properties) -> u32 {
    let number = |name: &str| offer.get(name).and_then(Json::as_f64);
    let threads = number(THREADS).or_else(|| number(CORES)).unwrap_or(1.0);
    Decimal::from_f64(threads.ceil()).and_then(|it| it.try_into().ok()).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn offer(coefficients: Json, counters: Json) -> Properties {
        let offer = json!({
            "golem.com.pricing.model": "linear", COEFFICIENTS: coefficients, COUNTERS: counters,
            THREADS: 4,
        });
        offer.as_object().cloned().unwrap_or_default()
    }

    #[track_caller]
    fn check(offer: &Properties, expected: Result<&str, &str>) {
        let read = Prices::of(offer).map(|it| it.to_string());
        assert_eq!(read.as_deref().map_err(|it| &**it), expected);
    }

    #[test]
    fn prices_are_by_counter() {
        check(
            &offer(json!([0.0, 0.001, 0.5]), json!([DURATION, CPU])),
            Ok("0.5 to start, at most 14.4 an hour"),
        );
        check(&offer(json!([0.001, 0.0, 0]), json!([CPU, DURATION])), Ok("0 to start, at most 14.4 an hour"));
        check(&offer(json!([0.0002, 0]), json!([DURATION])), Ok("0 to start, at most 0.72 an hour"));
        check(&offer(json!([1]), json!([])), Ok("1 to start, at most 0 an hour"));
    }

    #[test]
    fn prices_that_are_not_understood_are_not_accepted() {
        let unknown = json!([DURATION, "golem.usage.storage_gib"]);
        check(&offer(json!([0.1, 0.1, 0]), unknown.clone()), Err("charges for `golem.usage.storage_gib`"));
        check(&offer(json!([0.1, 0.0, 0]), unknown), Ok("0 to start, at most 360 an hour"));
        check(&offer(json!([0.1, -0.1]), json!([DURATION])), Err("has a price that is no amount"));
        let huge = "0 to start, at most 79228162514264337593543950335 an hour";
        check(&offer(json!([1e27, 0]), json!([CPU])), Ok(huge));
        check(&offer(json!([1e30, 0]), json!([CPU])), Err("has a price that is no amount"));
        check(&Properties::new(), Err("does not have linear prices"));
        assert!(Prices::of(&offer(json!([0.1]), json!([DURATION]))).is_err());
    }

    #[test]
    fn time_bounds_what_can_be_billed() {
        let prices = Prices::of(&offer(json!([0.01, 0.01, 0.5]), json!([DURATION, CPU]))).unwrap();
        assert_eq!(prices.most_after(Duration::from_secs(10)), Decimal::new(10, 1));
        assert_eq!(prices.most_after(Duration::ZERO), Decimal::new(5, 1));
    }
}
