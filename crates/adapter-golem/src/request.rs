use std::{collections::BTreeSet, fmt};

use rust_decimal::Decimal;
use serde::Serialize;

use crate::{
    constraint::Constraint,
    spec::{Market, ServiceSpec, Strategy},
};

/// The rental that is requested for a service, with the highest prices, for plans. Its text is a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RentalRequest {
    strategy: Strategy,
    /// The only providers that are requested, by name or identity; all if there are none.
    providers: BTreeSet<String>,
    /// The conditions that an offer has to meet.
    conditions: Vec<String>,
    max_price: MaxPrice,
    lifetime_seconds: u64,
}

/// The highest prices, in the token of the payment network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct MaxPrice {
    start: Decimal,
    hour: Decimal,
}

impl ServiceSpec {
    /// The rental that is requested for this service.
    pub fn request(&self) -> RentalRequest {
        let Market { strategy, max_start, max_hour, providers } = &self.market;
        RentalRequest {
            strategy: *strategy,
            providers: providers.clone(),
            conditions: self.constraints.iter().map(Constraint::plain).collect(),
            max_price: MaxPrice { start: max_start.normalize(), hour: max_hour.normalize() },
            lifetime_seconds: self.timeouts.lifetime.as_secs(),
        }
    }
}

impl fmt::Display for RentalRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strategy = match self.strategy {
            Strategy::Cheapest => "the cheapest offer",
            Strategy::Fastest => "the offer with the most CPU threads",
        };
        write!(f, "rents {strategy}")?;
        if !self.providers.is_empty() {
            write!(f, " of {}", self.providers.iter().cloned().collect::<Vec<_>>().join(", "))?;
        }
        let (conditions, MaxPrice { start, hour }) = (self.conditions.join(", "), &self.max_price);
        let lifetime = in_words(self.lifetime_seconds);
        write!(f, " with {conditions}; at most {start} to start and {hour} an hour, for {lifetime}")
    }
}

/// A time in its largest unit.
fn in_words(seconds: u64) -> String {
    match seconds {
        _ if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        _ if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        _ => format!("{seconds} s"),
    }
}
