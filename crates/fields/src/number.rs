use std::{cmp::Ordering, fmt};

/// A number: an integer exactly, or else a finite or infinite `double`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A number that is not an integer, or is too large to be exact.
    Float(f64),
}

/// The integers that a `double` holds exactly, and all smaller ones too.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Number {
    /// A `double`; an integer if it is one and exact.
    pub fn from_f64(value: f64) -> Self {
        if value.fract() == 0.0 && value.abs() < EXACT {
            Self::Int(value as i128)
        } else {
            Self::Float(value)
        }
    }

    /// A number of JSON.
    pub fn from_json(value: &serde_json::Number) -> Self {
        let int = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
        int.map_or_else(|| Self::from_f64(value.as_f64().unwrap_or(f64::NAN)), Self::Int)
    }

    /// Reads `-12`, `0.5`, `1e3`, and the texts that JSON has for doubles: `NaN`, `Infinity`, `-Infinity`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "NaN" => return Some(Self::Float(f64::NAN)),
            "Infinity" => return Some(Self::Float(f64::INFINITY)),
            "-Infinity" => return Some(Self::Float(f64::NEG_INFINITY)),
            _ => {}
        }
        if !is_number(text) {
            return None;
        }
        text.parse().ok().map(Self::Int).or_else(|| text.parse().ok().map(Self::from_f64))
    }

    /// True if it is not a number.
    pub fn is_nan(self) -> bool {
        matches!(self, Self::Float(it) if it.is_nan())
    }

    /// The nearest `double`.
    pub const fn as_f64(self) -> f64 {
        match self {
            Self::Int(it) => it as f64,
            Self::Float(it) => it,
        }
    }

    /// The order of the numbers, exactly; `None` if one of them is NaN.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(&right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(&right),
            (Self::Int(left), Self::Float(right)) => int_with_float(left, right),
            (Self::Float(left), Self::Int(right)) => int_with_float(right, left).map(Ordering::reverse),
        }
    }

    /// An order of all numbers: NaN is after the others.
    pub fn total(self, other: Self) -> Ordering {
        self.compare(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
    }
}

/// Converting an integer to a `double` would round it.
fn int_with_float(int: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.abs() >= 1e38 {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = float.trunc();
    let fraction = 0.0_f64.partial_cmp(&(float - whole)).unwrap_or(Ordering::Equal);
    Some(int.cmp(&(whole as i128)).then(fraction))
}

/// The grammar of numbers in JSON, with leading zeros.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (digits, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    [whole, fraction, exponent].iter().all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
}

/// A text that [`Number::parse`] reads back.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(it) => write!(f, "{it}"),
            Self::Float(it) if it.is_infinite() => {
                f.write_str(if *it > 0.0 { "Infinity" } else { "-Infinity" })
            }
            Self::Float(it) => write!(f, "{it:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn integers_and_doubles_are_compared_exactly() {
        let big = 9_007_199_254_740_993;
        for (int, float, order) in [
            (1, 1.5, Some(Ordering::Less)),
            (-1, -1.5, Some(Ordering::Greater)),
            (2, 2.0, Some(Ordering::Equal)),
            (big, EXACT, Some(Ordering::Greater)),
            (i128::MAX, f64::INFINITY, Some(Ordering::Less)),
            (i128::MIN, -1e300, Some(Ordering::Greater)),
            (0, f64::NAN, None),
        ] {
            assert_eq!(Number::Int(int).compare(Number::Float(float)), order, "{int} {float}");
        }
    }

    #[test]
    fn only_numbers_are_read() {
        for (text, number) in [
            ("-12", Some(Number::Int(-12))),
            ("1e3", Some(Number::Int(1000))),
            ("0.5", Some(Number::Float(0.5))),
            ("-0.0", Some(Number::Int(0))),
            ("18446744073709551615", Some(Number::Int(u64::MAX.into()))),
            ("Infinity", Some(Number::Float(f64::INFINITY))),
            ("inf", None),
            ("+1", None),
            ("1.", None),
            (".5", None),
            ("1e", None),
            ("", None),
        ] {
            assert_eq!(Number::parse(text), number, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn numbers_are_read_back(value: f64, int: i128) {
            let number = Number::from_f64(value);
            let read = Number::parse(&number.to_string()).unwrap();
            prop_assert!(read == number || read.is_nan() && number.is_nan());
            prop_assert_eq!(Number::parse(&Number::Int(int).to_string()), Some(Number::Int(int)));
        }
    }
}
