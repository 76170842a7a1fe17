use crate::float::decimal;

/// The meaning of an unquoted text in the YAML 1.2 core schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlainScalar {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A number that neither fits an `i64` nor is a finite `f64` without loss: the nearest `f64`.
    TooBig(f64),
    Text,
}

/// Reads an unquoted text.
pub(crate) fn resolve(text: &str) -> PlainScalar {
    let Some(first) = text.bytes().next() else { return PlainScalar::Null };
    match first {
        b'~' | b'n' | b'N' if matches!(text, "~" | "null" | "Null" | "NULL") => PlainScalar::Null,
        b't' | b'T' if matches!(text, "true" | "True" | "TRUE") => PlainScalar::Bool(true),
        b'f' | b'F' if matches!(text, "false" | "False" | "FALSE") => PlainScalar::Bool(false),
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text),
        _ => PlainScalar::Text,
    }
}

/// Reads a number of the core schema; [`PlainScalar::Text`] when it is none.
fn number(text: &str) -> PlainScalar {
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return match text.parse() {
            Ok(int) => PlainScalar::Int(int),
            Err(_) => PlainScalar::TooBig(decimal(text).unwrap_or(f64::INFINITY)),
        };
    }
    match unsigned {
        ".inf" | ".Inf" | ".INF" if text.starts_with('-') => PlainScalar::Float(f64::NEG_INFINITY),
        ".inf" | ".Inf" | ".INF" => PlainScalar::Float(f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => PlainScalar::Float(f64::NAN),
        _ if is_float(unsigned) => match decimal(text) {
            Some(float) if float.is_finite() => PlainScalar::Float(float),
            Some(float) => PlainScalar::TooBig(float),
            None => PlainScalar::Text,
        },
        _ => PlainScalar::Text,
    }
}

fn radix(digits: &str, radix: u32) -> PlainScalar {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return PlainScalar::Text;
    }
    match i64::from_str_radix(digits, radix) {
        Ok(int) => PlainScalar::Int(int),
        Err(_) => PlainScalar::TooBig(digits.chars().fold(0.0, |sum, digit| {
            sum * f64::from(radix) + f64::from(digit.to_digit(radix).unwrap_or_default())
        })),
    }
}

/// `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_ok = match mantissa.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty()),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    let exponent_ok = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    mantissa_ok && exponent_ok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: PlainScalar, texts: &[&str]) {
        for text in texts {
            assert_eq!(resolve(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_core_schema_decides() {
        check(PlainScalar::Null, &["", "~", "null", "Null", "NULL"]);
        check(PlainScalar::Bool(true), &["true", "True", "TRUE"]);
        check(PlainScalar::Bool(false), &["false", "False", "FALSE"]);
        check(PlainScalar::Int(15), &["15", "+15", "0015", "0xF", "0xf", "0o17"]);
        check(PlainScalar::Int(i64::MIN), &["-9223372036854775808"]);
        check(PlainScalar::Float(1000.0), &["1e3", "1E+3", "1000.", "1.0e3", "+1000.0"]);
        check(PlainScalar::Float(-0.5), &["-.5", "-0.5", "-5e-1"]);
        check(PlainScalar::Float(f64::INFINITY), &[".inf", "+.INF"]);
        check(PlainScalar::Float(f64::NEG_INFINITY), &["-.Inf"]);
        check(
            PlainScalar::TooBig(9_223_372_036_854_775_808.0),
            &["9223372036854775808", "0x8000000000000000"],
        );
        check(PlainScalar::TooBig(f64::INFINITY), &["1e999"]);
        assert!(matches!(resolve(".nan"), PlainScalar::Float(nan) if nan.is_nan()));
    }

    #[test]
    fn everything_else_is_text() {
        check(
            PlainScalar::Text,
            &["no", "yes", "nULL", "tRUE", ".", "-", "+", "e3", "1e", "1e+", "-.nan", "0x", "0o8"],
        );
        check(
            PlainScalar::Text,
            &["1_000", "0b11", "1:30", "2024-01-01", "1.2.3", "-0xF", "0xG", "..5", "infinity", "nan"],
        );
    }
}
