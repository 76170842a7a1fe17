//! Decimal numbers with a fraction or an exponent, exactly.
//!
//! `serde_json` reads them, as it has to read recorded ones exactly: the standard library's own tables for the same would
//! be 3 % of what is downloaded.

/// The nearest number to a decimal: digits with a `.` somewhere, or none, and an exponent behind `e` or `E`; a sign before. A
/// number that is too large is infinite. `None` for anything else.
pub fn decimal(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.strip_prefix(['+', '-']) {
        Some(unsigned) => (if text.starts_with('-') { -1.0 } else { 1.0 }, unsigned),
        None => (1.0, text),
    };
    let (mantissa, exponent) = unsigned.split_at(unsigned.find(['e', 'E']).unwrap_or(unsigned.len()));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let power = exponent.get(1..).map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    let is_number = is_digits(whole) && is_digits(fraction) && whole.len() + fraction.len() > 0;
    if !is_number || power.is_some_and(|it| it.is_empty() || !is_digits(it)) {
        return None;
    }
    // JSON wants a digit on both sides of the point, and no zero before others.
    let whole = Some(whole.trim_start_matches('0')).filter(|it| !it.is_empty()).unwrap_or("0");
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    // All that JSON can refuse in such a number is that it is too large.
    let number = serde_json::from_str(&format!("{whole}.{fraction}{exponent}")).unwrap_or(f64::INFINITY);
    Some(sign * number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::decimal;

    #[track_caller]
    fn check(text: &str) {
        let expected = text.parse::<f64>().ok();
        assert_eq!(decimal(text).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
    }

    #[test]
    fn edges() {
        for text in [
            "0", "-0", "00.10", "1.", ".5", "+.5e-3", "1e5", "1E+05", "1e309", "-1e309", "1e-400", "4.9e-324",
        ] {
            check(text);
        }
        for text in [
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "9007199254740993",
            "1.7976931348623159e308",
        ] {
            check(text);
        }
        check("123456789012345678901234567890.5");
        check("1e99999999999999999999");
        check("0e99999999999999999999");
        check("1e-99999999999999999999");
    }

    #[test]
    fn non_decimals_are_rejected() {
        for text in ["", ".", "e5", "1e", "1e+", "1.2.3", "inf", "nan", "0x1", "1_0", "--1", " 1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_is_what_the_standard_library_reads(
            sign in "[+-]?", whole in "[0-9]{0,22}", fraction in "[0-9]{0,22}", exponent in -330..330_i32,
        ) {
            prop_assume!(!whole.is_empty() || !fraction.is_empty());
            check(&format!("{sign}{whole}.{fraction}e{exponent}"));
            check(&format!("{sign}{whole}.{fraction}"));
        }

        #[test]
        fn floats_round_trip(bits: u64) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            check(&number.to_string());
            check(&format!("{number:e}"));
        }
    }
}
