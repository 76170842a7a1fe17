use std::time::{Duration, SystemTime};

/// The time as in `2026-01-31T12:00:00.123456Z`.
pub(crate) fn utc(time: SystemTime) -> String {
    humantime::format_rfc3339_micros(time).to_string()
}

/// The same without saying that it is UTC.
pub(crate) fn naive(time: SystemTime) -> String {
    utc(time).trim_end_matches('Z').to_owned()
}

/// The time now, and some time later.
pub(crate) fn now() -> String {
    utc(SystemTime::now())
}

pub(crate) fn later(than_now: Duration) -> String {
    utc(SystemTime::now() + than_now)
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn times_have_dates() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000000Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59.000000Z");
        assert_eq!(naive(UNIX_EPOCH), "1970-01-01T00:00:00.000000");
    }
}
