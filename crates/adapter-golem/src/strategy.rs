use std::cmp::Reverse;

use crate::{folder::Failures, offer::Offer, spec::Strategy};

/// The time for which a failure of a provider counts, in milliseconds.
const REMEMBERED: u64 = 24 * 3600 * 1000;

/// The number of failures of a provider that count.
pub(crate) fn failures(all: &Failures, provider: &str, now: u64) -> u32 {
    all.get(provider)
        .filter(|(_, last)| now.saturating_sub(*last) < REMEMBERED)
        .map_or(0, |(times, _)| *times)
}

/// Sorts offers, the best one first: fewer failures, then what the strategy prefers, then by identity, so that
/// the order does not depend on that of their arrival.
pub(crate) fn rank<T>(offers: &mut [(Offer, T)], strategy: Strategy, all: &Failures, now: u64) {
    offers.sort_by_cached_key(|(offer, _)| {
        let price = offer.prices.start.saturating_add(offer.prices.hour());
        let first = match strategy {
            Strategy::Cheapest => (Reverse(0), price, Reverse(offer.prices.threads)),
            Strategy::Fastest => (Reverse(offer.prices.threads), price, Reverse(0)),
        };
        (failures(all, &offer.provider_id, now), first, offer.provider_id.clone())
    });
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;
    use crate::prices::Prices;

    fn offer(id: &str, hour: u32, threads: u32) -> (Offer, ()) {
        let second = Decimal::from(hour) / Decimal::from(3600);
        let prices = Prices { start: Decimal::ZERO, second, cpu_second: Decimal::ZERO, threads };
        (Offer { provider_id: id.into(), provider_name: id.into(), prices }, ())
    }

    #[track_caller]
    fn check(strategy: Strategy, all: &Failures, now: u64, expected: &[&str]) {
        let mut offers = [offer("b", 2, 1), offer("c", 1, 2), offer("a", 2, 8), offer("d", 1, 2)];
        rank(&mut offers, strategy, all, now);
        assert_eq!(offers.iter().map(|it| &*it.0.provider_id).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_best_offer_is_first() {
        let none = Failures::new();
        check(Strategy::Cheapest, &none, 0, &["c", "d", "a", "b"]);
        check(Strategy::Fastest, &none, 0, &["a", "c", "d", "b"]);
    }

    #[test]
    fn who_failed_is_last_until_that_is_forgotten() {
        let failed = Failures::from([("c".to_owned(), (2, 1000)), ("a".to_owned(), (1, 1000))]);
        check(Strategy::Cheapest, &failed, 2000, &["d", "b", "a", "c"]);
        check(Strategy::Cheapest, &failed, 1000 + REMEMBERED, &["c", "d", "a", "b"]);
    }
}
