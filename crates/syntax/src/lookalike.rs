use crate::float::decimal;

/// A YAML 1.1 reader's reading of an unquoted text that the 1.2 core schema reads otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lookalike {
    /// `yes`, `no`, `on`, `off`, `y`, `n`
    Bool(bool),
    /// `0755` is 493, `1:30` is 90, `0b11` is 3, `1_000` is 1000.
    Number(String),
    /// `0o17`, `1e3`, `089`: a number here, text there.
    Text,
    /// `2024-01-01`
    Date,
    /// `=` and `<<`, which have a meaning of their own.
    Special,
}

/// The value that YAML 1.1 reads in an unquoted text, if it is another one than in the 1.2 core schema.
pub(crate) fn lookalike(text: &str) -> Option<Lookalike> {
    match text.bytes().next()? {
        b'y' | b'Y' | b'n' | b'N' | b'o' | b'O' if text.len() <= 3 => boolean(text),
        b'=' | b'<' if matches!(text, "=" | "<<") => Some(Lookalike::Special),
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text),
        _ => None,
    }
}

fn boolean(text: &str) -> Option<Lookalike> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(Lookalike::Bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(Lookalike::Bool(false)),
        _ => None,
    }
}

fn number(text: &str) -> Option<Lookalike> {
    let (negative, unsigned) = match text.strip_prefix(['+', '-']) {
        Some(unsigned) => (text.starts_with('-'), unsigned),
        None => (false, text),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if unsigned.contains(':') {
        return timestamp(text).or_else(|| sexagesimal(unsigned, negative));
    }
    if unsigned.len() > 1 && unsigned.starts_with('0') {
        if let Some(octal) = unsigned.strip_prefix("0o") {
            let is_octal = digits(octal) && !octal.contains(['8', '9']) && unsigned.len() == text.len();
            return is_octal.then_some(Lookalike::Text);
        }
        if let Some(binary) = unsigned.strip_prefix("0b") {
            return whole(binary, 2, negative);
        }
        if let Some(hex) = unsigned.strip_prefix("0x") {
            let same = !hex.contains('_') && unsigned.len() == text.len();
            return if same { None } else { whole(hex, 16, negative) };
        }
        if unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
            let octal = whole(&unsigned[1..], 8, negative);
            // A leading zero with an 8 or 9 is no number at all in YAML 1.1.
            return octal
                .or_else(|| digits(unsigned).then_some(Lookalike::Text))
                .filter(|it| !same_number(text, it));
        }
    }
    if unsigned.contains('_') {
        return underscored(text, unsigned, negative);
    }
    if has_bare_exponent(unsigned) {
        return Some(Lookalike::Text);
    }
    timestamp(text)
}

/// `00` and `07` are the same number in both.
fn same_number(text: &str, lookalike: &Lookalike) -> bool {
    matches!(lookalike, Lookalike::Number(number) if text.parse::<i64>().is_ok_and(|it| it.to_string() == *number))
}

/// A whole number with `_` between its digits.
fn whole(digits: &str, radix: u32, negative: bool) -> Option<Lookalike> {
    let bare: String = digits.chars().filter(|digit| *digit != '_').collect();
    let number = i128::from_str_radix(&bare, radix).ok().filter(|_| !bare.starts_with(['+', '-']))?;
    Some(Lookalike::Number(if negative { -number } else { number }.to_string()))
}

fn underscored(text: &str, unsigned: &str, negative: bool) -> Option<Lookalike> {
    if unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return if unsigned.starts_with('_') { None } else { whole(unsigned, 10, negative) };
    }
    let bare: String = text.chars().filter(|character| *character != '_').collect();
    let (before, _) = unsigned.split_once('.')?;
    let is_number = before.starts_with(|first: char| first.is_ascii_digit())
        && bare.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E'));
    if is_number && decimal(&bare).is_some() { Some(Lookalike::Number(bare)) } else { None }
}

/// `1e3` and `1.5e3`: YAML 1.1 wants a dot before and a sign behind the `e`.
fn has_bare_exponent(unsigned: &str) -> bool {
    let Some((mantissa, exponent)) = unsigned.split_once(['e', 'E']) else { return false };
    let both = mantissa.contains('.') && exponent.starts_with(['+', '-']);
    !both
        && matches!(
            crate::schema::resolve(unsigned),
            crate::schema::PlainScalar::Float(_) | crate::schema::PlainScalar::TooBig(_)
        )
}

/// `1:30`, `190:20:30.15`: base 60.
fn sexagesimal(unsigned: &str, negative: bool) -> Option<Lookalike> {
    let mut parts = unsigned.split(':');
    let first = parts.next()?;
    let first_ok = first.starts_with(|digit: char| digit.is_ascii_digit())
        && first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    if !first_ok {
        return None;
    }
    let mut total = decimal(&first.replace('_', ""))?;
    let mut fraction = false;
    for part in parts {
        if fraction {
            return None;
        }
        let (whole, rest) = part.split_once('.').unwrap_or((part, ""));
        fraction = part.contains('.');
        let whole_ok = matches!(whole.len(), 1 | 2) && whole.bytes().all(|byte| byte.is_ascii_digit());
        let rest_ok = rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        let value = decimal(whole)?;
        if !whole_ok || !rest_ok || value >= 60.0 {
            return None;
        }
        total = total * 60.0 + value + decimal(&format!("0.{}", rest.replace('_', ""))).unwrap_or(0.0);
    }
    // The whole-number form must not start with a zero.
    if first.starts_with('0') && !fraction {
        return None;
    }
    Some(Lookalike::Number(if negative { -total } else { total }.to_string()))
}

/// `2024-01-01`, `2024-1-1 10:00:00 +1`, `2001-12-14t21:59:43.10-05:00`
fn timestamp(text: &str) -> Option<Lookalike> {
    let (date, time) = match text.find(['T', 't', ' ', '\t']) {
        Some(at) => (&text[..at], Some(text[at + 1..].trim_start_matches([' ', '\t']))),
        None => (text, None),
    };
    let lens: Vec<usize> = date
        .split('-')
        .map(|part| if part.bytes().all(|it| it.is_ascii_digit()) { part.len() } else { 0 })
        .collect();
    let date_ok = matches!((lens.as_slice(), time), ([4, 2, 2], _) | ([4, 1 | 2, 1 | 2], Some(_)));
    (date_ok && time.is_none_or(is_time)).then_some(Lookalike::Date)
}

/// `10:00:00.5 +01:00`
fn is_time(time: &str) -> bool {
    let clock_len =
        time.find(|it: char| !it.is_ascii_digit() && it != ':' && it != '.').unwrap_or(time.len());
    let (clock, zone) = time.split_at(clock_len);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let lens: Vec<usize> = clock.split(':').map(str::len).collect();
    let clock_ok = matches!(lens.as_slice(), [1 | 2, 2, 2]) && fraction.bytes().all(|it| it.is_ascii_digit());
    let zone = zone.trim_start_matches([' ', '\t']);
    let offset = zone.strip_prefix(['+', '-']);
    clock_ok
        && (matches!(zone, "" | "Z")
            || offset
                .is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit() || it == b':')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: Option<&str>, texts: &[&str]) {
        for text in texts {
            let found = lookalike(text).map(|it| match it {
                Lookalike::Number(number) => number,
                other => format!("{other:?}"),
            });
            assert_eq!(found.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn words_dates_and_marks() {
        check(Some("Bool(true)"), &["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"]);
        check(Some("Bool(false)"), &["n", "N", "no", "No", "NO", "off", "Off", "OFF"]);
        check(Some("Special"), &["=", "<<"]);
        check(Some("Date"), &["2024-01-01", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5"]);
        check(Some("Date"), &["2001-1-4 1:59:43", "2001-12-15T02:59:43.1Z"]);
        check(None, &["nO", "yep", "ye", "2024-1-1", "2024-01-01-beta", "2024-01-01 noon", "<", "=="]);
    }

    #[test]
    fn numbers() {
        check(Some("493"), &["0755", "+0755"]);
        check(Some("-8"), &["-010"]);
        check(Some("90"), &["1:30"]);
        check(Some("1342"), &["22:22"]);
        check(Some("4805"), &["80:05"]);
        check(Some("90.5"), &["1:30.5", "01:30.5"]);
        check(Some("3"), &["0b11"]);
        check(Some("1000"), &["1_000"]);
        check(Some("255"), &["0x_FF"]);
        check(Some("1000.5"), &["1_000.5"]);
        check(Some("Text"), &["0o17", "1e3", "1.5e3", "12e03", "089", "1E-3"]);
        check(
            None,
            &["0", "00", "07", "1", "1.5", "1.5e+3", "0xFF", "8080:80", "01:30", "1:60", "1:2:", "1.2.3"],
        );
        check(
            None,
            &["-", "+", ".", "1_000x", "_1", "0o8", "127.0.0.1", "-1", "+1.5", "10.0.0.0/24", "1:30x"],
        );
    }
}
