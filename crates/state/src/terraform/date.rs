//! Times in the format of RFC 3339.

use store::{DateTime, Millis};

/// Milliseconds since 1970 as `2024-05-01T12:00:00.123Z`.
pub(super) fn write(at: i64) -> String {
    let DateTime { year, month, day, hour, minute, second, millisecond } = DateTime::new(Millis(at));
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

/// A time in milliseconds since 1970; `None` if it is not valid.
pub(super) fn read(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to).filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?;
        digits.parse::<i64>().ok()
    };
    let rest = text.get(19..)?;
    let digits =
        rest.strip_prefix('.').map_or("", |it| &it[..it.bytes().take_while(u8::is_ascii_digit).count()]);
    let time = DateTime {
        year: number(0, 4)?,
        month: number(5, 7)?,
        day: number(8, 10)?,
        hour: number(11, 13)?,
        minute: number(14, 16)?,
        second: number(17, 19)?,
        millisecond: format!("{:0<3}", digits.get(..digits.len().min(3))?).parse().ok()?,
    };
    let zone = &rest[if digits.is_empty() { 0 } else { digits.len() + 1 }..];
    Some(time.millis().0 - offset(zone)? * 1000)
}

/// The offset of a time zone, in seconds.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes() {
        [b'Z' | b'z'] => return Some(0),
        [b'+', ..] => 1,
        [b'-', ..] => -1,
        _ => return None,
    };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    Some(sign * (hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_rfc_3339() {
        for (at, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_714_566_896_789, "2024-05-01T12:34:56.789Z"),
        ] {
            assert_eq!(write(at), text);
            assert_eq!(read(text), Some(at));
        }
        assert_eq!(read("2024-05-01T12:00:00.123456789+02:00"), read("2024-05-01T10:00:00.123Z"));
        assert_eq!(read("2024-05-01T12:00:00Z"), read("2024-05-01T12:00:00.0Z"));
        assert_eq!(read("2024-05-01T12:00:00+05:30"), read("2024-05-01T06:30:00Z"));
        assert_eq!(read("2024-05-01T12:00:00-03:30"), read("2024-05-01T15:30:00Z"));
        for text in ["", "yesterday", "2024-05-01", "2024-05-01T12:00:00", "2024-05-01T12:00:00.1x", "ü"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_is_read_as_it_is_written() {
        const DAY: i64 = 86_400_000;
        for day in (-200_000..200_000).step_by(13) {
            assert_eq!(read(&write(day * DAY)), Some(day * DAY));
        }
    }
}
