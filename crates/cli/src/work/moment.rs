use store::{DateTime, Millis};

/// A moment, from milliseconds since 1970, as `2026-11-21 10:44:07 UTC`.
pub(crate) fn utc(millis: i64) -> String {
    let DateTime { year, month, day, hour, minute, second, .. } = DateTime::new(Millis(millis));
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (millis, expected) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_795_257_847_999, "2026-11-21 10:44:07 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
        ] {
            assert_eq!(utc(millis), expected);
        }
    }
}
