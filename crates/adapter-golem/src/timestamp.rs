//! Times as yagna writes them: RFC 3339 in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The text of a time, with microseconds, which is what yagna keeps.
pub(crate) fn text(at: SystemTime) -> String {
    humantime::format_rfc3339_micros(at).to_string()
}

/// The time of a text; `None` if it is not one.
pub(crate) fn parse(text: &str) -> Option<SystemTime> {
    humantime::parse_rfc3339(text).ok()
}

/// Milliseconds since 1970, which is how properties of demands give times.
pub(crate) fn millis(at: SystemTime) -> u64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The time at so many milliseconds since 1970.
pub(crate) fn of_millis(millis: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_it_was_written() {
        let at = UNIX_EPOCH + Duration::from_micros(1_795_780_920_123_456);
        assert_eq!(text(at), "2026-11-27T12:02:00.123456Z");
        assert_eq!(parse(&text(at)), Some(at));
        assert_eq!(parse("2026-11-27T12:02:00.123456Z").map(millis), Some(1_795_780_920_123));
        assert_eq!(of_millis(millis(at)), UNIX_EPOCH + Duration::from_millis(1_795_780_920_123));
        assert_eq!(parse("today"), None);
    }
}
