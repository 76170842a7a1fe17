use crate::Millis;

/// A date and time in UTC, in the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateTime {
    /// The year; 0 is the one before 1.
    pub year: i64,
    /// From 1 to 12.
    pub month: i64,
    /// From 1 to 31.
    pub day: i64,
    /// From 0 to 23.
    pub hour: i64,
    /// From 0 to 59.
    pub minute: i64,
    /// From 0 to 59; there are no leap seconds.
    pub second: i64,
    /// From 0 to 999.
    pub millisecond: i64,
}

const DAY: i64 = 86_400;

// Years begin in March here, so that a leap day is the last day, and an era of 400 years begins 719,468 days
// before 1970.

impl DateTime {
    /// The time at `at`.
    pub const fn new(at: Millis) -> Self {
        let (seconds, millisecond) = (at.0.div_euclid(1000), at.0.rem_euclid(1000));
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let clock = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
        Self { year, month, day, hour, minute, second, millisecond }
    }

    /// The time in milliseconds. Fields beyond their bounds carry over: the 32nd of January is the 1st of
    /// February.
    pub const fn millis(self) -> Millis {
        let clock = self.hour * 3600 + self.minute * 60 + self.second;
        Millis((self.days() * DAY + clock) * 1000 + self.millisecond)
    }

    /// Days since 1970.
    const fn days(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }
}

/// Year, month and day, that many days after 1 January 1970.
const fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + (month <= 2) as i64, month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (at, date, clock) in [
            (0, (1970, 1, 1), (0, 0, 0, 0)),
            (951_782_400_000, (2000, 2, 29), (0, 0, 0, 0)),
            (1_795_257_847_999, (2026, 11, 21), (10, 44, 7, 999)),
            (-1, (1969, 12, 31), (23, 59, 59, 999)),
        ] {
            let time = DateTime::new(Millis(at));
            assert_eq!((time.year, time.month, time.day), date);
            assert_eq!((time.hour, time.minute, time.second, time.millisecond), clock);
        }
    }

    #[test]
    fn every_day_is_found_again() {
        for day in (-200_000..200_000).step_by(13) {
            let at = Millis(day * DAY * 1000);
            assert_eq!(DateTime::new(at).millis(), at);
        }
    }
}
