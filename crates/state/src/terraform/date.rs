//! Times as RFC 3339 writes them.

const DAY: i64 = 86_400;

/// Milliseconds since 1970 as `2024-05-01T12:00:00.123Z`.
pub(super) fn write(at: i64) -> String {
    let (seconds, millis) = (at.div_euclid(1000), at.rem_euclid(1000));
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    let clock = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// What that is in milliseconds since 1970; `None` where it is none.
pub(super) fn read(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to).filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?;
        digits.parse::<i64>().ok()
    };
    let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    let rest = text.get(19..)?;
    let digits =
        rest.strip_prefix('.').map_or("", |it| &it[..it.bytes().take_while(u8::is_ascii_digit).count()]);
    let millis = format!("{:0<3}", digits.get(..digits.len().min(3))?).parse::<i64>().ok()?;
    let zone = &rest[if digits.is_empty() { 0 } else { digits.len() + 1 }..];
    Some((days * DAY + seconds - offset(zone)?) * 1000 + millis)
}

/// Seconds that a clock in a zone is ahead.
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

/// Days since 1970 of a day of the Gregorian calendar. Years begin in March here, so that a leap day is the last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
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
        for day in (-200_000..200_000).step_by(13) {
            assert_eq!(read(&write(day * DAY * 1000)), Some(day * DAY * 1000));
        }
    }
}
