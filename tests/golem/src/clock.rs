use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time as in `2026-01-31T12:00:00.123456`, in UTC and without saying so.
pub(crate) fn naive(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, rest) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{rest:02}.{:06}", since.subsec_micros())
}

/// The time as in `2026-01-31T12:00:00.123456Z`.
pub(crate) fn utc(time: SystemTime) -> String {
    naive(time) + "Z"
}

/// The time now, and some time later.
pub(crate) fn now() -> String {
    utc(SystemTime::now())
}

pub(crate) fn later(than_now: Duration) -> String {
    utc(SystemTime::now() + than_now)
}

/// Year, month and day of a day since 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_dates() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000000Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59.000000Z");
    }
}
