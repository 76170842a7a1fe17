use store::{DateTime, Millis};

/// An instant as JSON has it: `2026-01-31T12:00:00Z`, with milliseconds if there are any.
pub(crate) fn timestamp(at: Millis) -> String {
    let DateTime { year, month, day, hour, minute, second, millisecond } = DateTime::new(at);
    let whole = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    if millisecond == 0 { format!("{whole}Z") } else { format!("{whole}.{millisecond:03}Z") }
}
