//! Instants and durations in the forms that proto3 has for them in JSON.

use store::{DateTime, Millis};

/// Nanoseconds in a second.
pub(crate) const SECOND: i128 = 1_000_000_000;

/// The longest duration, in seconds: about 10,000 years.
const LONGEST: i128 = 315_576_000_000;

/// Reads an instant of RFC 3339, with an offset, of the years 1 to 9999: nanoseconds since 1970.
pub(crate) fn parse_timestamp(text: &str) -> Option<i128> {
    let (date, clock) = text.split_at_checked(10)?;
    let (clock, offset) = clock_and_offset(clock.strip_prefix('T')?)?;
    let (time, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
    let time = DateTime { year, month, day, hour, minute, second, millisecond: 0 };
    let at = time.millis();
    // Fields beyond their bounds carry over, and then come back different.
    if DateTime::new(at) != time {
        return None;
    }
    let seconds = i128::from(at.0 / 1000) - i128::from(offset);
    let nanos = seconds * SECOND + nanoseconds(fraction)?;
    (parse_bounds().contains(&nanos)).then_some(nanos)
}

/// An instant in the form that proto3 has for it in JSON, in milliseconds; fractions of one are cut off.
pub fn instant(text: &str) -> Option<Millis> {
    i64::try_from(parse_timestamp(text)?.div_euclid(1_000_000)).ok().map(Millis)
}

/// The instant in UTC, in the form that proto3 has for it in JSON.
pub fn timestamp(at: Millis) -> String {
    print_timestamp(i128::from(at.0) * 1_000_000)
}

/// The instants of the years 1 to 9999.
const fn parse_bounds() -> std::ops::Range<i128> {
    -62_135_596_800 * SECOND..253_402_300_800 * SECOND
}

/// The time of day, and the seconds that its clock is ahead of UTC.
fn clock_and_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(clock) = text.strip_suffix('Z') {
        return Some((clock, 0));
    }
    let (clock, offset) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let sign = if offset.starts_with('+') { 1 } else { -1 };
    let [hours, minutes] = numbers(offset.strip_prefix(['+', '-'])?, ':', [2, 2])?;
    (hours < 24 && minutes < 60).then_some((clock, sign * (hours * 3600 + minutes * 60)))
}

/// Numbers of so many digits each.
fn numbers<const N: usize>(text: &str, separator: char, widths: [usize; N]) -> Option<[i64; N]> {
    let mut numbers = [0; N];
    let mut parts = text.split(separator);
    for (number, width) in numbers.iter_mut().zip(widths) {
        let part = parts.next().filter(|it| it.len() == width && is_digits(it))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// The digits after the point of a number of seconds.
fn nanoseconds(fraction: &str) -> Option<i128> {
    if !is_digits(fraction) || fraction.len() > 9 {
        return None;
    }
    format!("{fraction:0<9}").parse().ok()
}

/// The instant in UTC, with none, three, six or nine digits after the point.
pub(crate) fn print_timestamp(nanos: i128) -> String {
    let millis = i64::try_from(nanos.div_euclid(1_000_000)).unwrap_or_default();
    let it = DateTime::new(Millis(millis));
    let fraction = print_fraction(nanos.rem_euclid(SECOND));
    let date = format!("{:04}-{:02}-{:02}", it.year, it.month, it.day);
    format!("{date}T{:02}:{:02}:{:02}{fraction}Z", it.hour, it.minute, it.second)
}

/// Reads a duration, `-1.5s`: nanoseconds.
pub(crate) fn parse_duration(text: &str) -> Option<i128> {
    let number = text.strip_suffix('s')?;
    let sign = if number.starts_with('-') { -1 } else { 1 };
    let number = number.strip_prefix('-').unwrap_or(number);
    let (seconds, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let seconds: i128 = Some(seconds).filter(|it| is_digits(it) && it.len() <= 12)?.parse().ok()?;
    let nanos = seconds * SECOND + nanoseconds(fraction)?;
    (nanos <= LONGEST * SECOND).then_some(sign * nanos)
}

/// The duration, with none, three, six or nine digits after the point.
pub(crate) fn print_duration(nanos: i128) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.abs();
    format!("{sign}{}{}s", nanos / SECOND, print_fraction(nanos % SECOND))
}

fn print_fraction(nanos: i128) -> String {
    match nanos {
        0 => String::new(),
        _ if nanos % 1_000_000 == 0 => format!(".{:03}", nanos / 1_000_000),
        _ if nanos % 1000 == 0 => format!(".{:06}", nanos / 1000),
        _ => format!(".{nanos:09}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn timestamps_are_read_strictly() {
        for (text, canonical) in [
            ("1970-01-01T00:00:00Z", Some("1970-01-01T00:00:00Z")),
            ("2026-01-31T12:00:00.5+02:00", Some("2026-01-31T10:00:00.500Z")),
            ("2026-01-31T12:00:00.000001Z", Some("2026-01-31T12:00:00.000001Z")),
            ("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z")),
            ("9999-12-31T23:59:59.999999999Z", Some("9999-12-31T23:59:59.999999999Z")),
            ("9999-12-31T23:59:59-01:00", None),
            ("0000-12-31T23:59:59Z", None),
            ("2026-02-29T12:00:00Z", None),
            ("2026-01-31T24:00:00Z", None),
            ("2026-01-31T12:00:60Z", None),
            ("2026-01-31 12:00:00Z", None),
            ("2026-01-31T12:00:00", None),
            ("2026-1-31T12:00:00Z", None),
            ("2026-01-31T12:00:00.Z", None),
            ("2026-01-31T12:00:00.0000000001Z", None),
            ("2026-01-31T12:00:00z", None),
            ("2026-01-3é", None),
            ("", None),
        ] {
            assert_eq!(parse_timestamp(text).map(print_timestamp).as_deref(), canonical, "{text}");
        }
    }

    #[test]
    fn durations_are_read_strictly() {
        for (text, canonical) in [
            ("1.5s", Some("1.500s")),
            ("-0.000000001s", Some("-0.000000001s")),
            ("0s", Some("0s")),
            ("-0s", Some("0s")),
            ("315576000000s", Some("315576000000s")),
            ("315576000000.1s", None),
            ("1", None),
            ("s", None),
            (".5s", None),
            ("1.s", None),
            ("1m", None),
            ("--1s", None),
        ] {
            assert_eq!(parse_duration(text).map(print_duration).as_deref(), canonical, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn instants_and_durations_are_read_back(seconds in -62_135_596_800_i64..253_402_300_800, nanos in 0..SECOND) {
            let at = i128::from(seconds) * SECOND + nanos;
            prop_assert_eq!(parse_timestamp(&print_timestamp(at)), Some(at));
            prop_assert_eq!(parse_duration(&print_duration(at)), Some(at));
        }
    }
}
