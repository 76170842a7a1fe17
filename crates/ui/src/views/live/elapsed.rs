//! The time that something has been going on, and the time since something was.

use gloo::timers::callback::Interval;
use yew::prelude::*;

use super::ApplyStatus;
use crate::IconName;

const SECOND: u32 = 1_000;

/// Properties of [`Elapsed`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(super) struct ElapsedProps {
    /// Since when, in milliseconds since 1970.
    pub since: i64,
}

/// The time since then, behind a comma; it goes on by itself.
#[component]
pub(super) fn Elapsed(props: &ElapsedProps) -> Html {
    let seconds = use_seconds(props.since);
    html! { <span class="run-elapsed">{ words(seconds) }</span> }
}

/// The age of the last observation, shown if it is older than the interval between checks.
pub fn seen(live: &ApplyStatus) -> Html {
    live.seen.map(|since| html! { <Seen {since} /> }).unwrap_or_default()
}

#[component]
fn Seen(props: &ElapsedProps) -> Html {
    let seconds = use_seconds(props.since);
    html! { <span class="live-seen">{ IconName::Clock.html() }{ format!("Last checked {} ago", ago(seconds)) }</span> }
}

/// The seconds since then, which go on by themselves.
#[hook]
fn use_seconds(since: i64) -> i64 {
    let again = use_force_update();
    use_effect_with((), move |()| {
        let clock = Interval::new(SECOND, move || again.force_update());
        move || drop(clock)
    });
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 fit")]
    let now = js_sys::Date::now() as i64;
    (now - since) / i64::from(SECOND)
}

/// A duration, from milliseconds: `340 ms`, `1.2 s`, `2 min 5 s`.
pub(super) fn duration(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis} ms"),
        1_000..60_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        _ => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1_000),
    }
}

/// `, 4 s`, `, 2 min 5 s`; empty within the first second.
fn words(seconds: i64) -> String {
    match (seconds / 60, seconds % 60) {
        (..0, _) | (0, ..=0) => String::new(),
        (0, seconds) => format!(", {seconds} s"),
        (minutes, seconds) => format!(", {minutes} min {seconds} s"),
    }
}

/// `40 s`, `12 min`, `3 h`: as exact as is worth knowing.
fn ago(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{} s", seconds.max(0)),
        60..3_600 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::{ago, duration, words};

    #[test]
    fn what_is_long_ago_is_said_in_round_numbers() {
        for (seconds, said) in
            [(-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (8_000, "2 h")]
        {
            assert_eq!(ago(seconds), said, "{seconds}");
        }
    }

    #[test]
    fn a_duration_has_the_unit_that_it_needs() {
        for (millis, said) in
            [(0, "0 ms"), (999, "999 ms"), (1_250, "1.2 s"), (59_999, "59.9 s"), (125_400, "2 min 5 s")]
        {
            assert_eq!(duration(millis), said);
        }
    }

    #[test]
    fn durations_are_shown_in_seconds_and_minutes() {
        // A clock that was set back tells nothing.
        for (seconds, said) in
            [(-90, ""), (-1, ""), (0, ""), (4, ", 4 s"), (60, ", 1 min 0 s"), (125, ", 2 min 5 s")]
        {
            assert_eq!(words(seconds), said, "{seconds}");
        }
    }
}
