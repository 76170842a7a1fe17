//! Quantities in labels.

/// The quantity in a label: an integer, optionally with a unit of powers of 1000 (`k m g t p`) or 1024 (`ki`
/// … `pi`), in any case; what follows the unit is ignored (`10kg`, `4GB`).
///
/// `None` if it is not a number, a decimal one, has an unknown unit, or, stricter than upstream, exceeds an
/// `i64`.
pub(crate) fn quantity(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.bytes().skip(usize::from(text.starts_with('-'))).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits + usize::from(text.starts_with('-')));
    let number: i64 = number.parse().ok()?;
    match rest.trim_start() {
        "" => Some(number),
        unit => number.checked_mul(factor(unit)?),
    }
}

fn factor(unit: &str) -> Option<i64> {
    let mut letters = unit.chars().map(|letter| letter.to_ascii_lowercase());
    let power = match letters.next()? {
        'k' => 1,
        'm' => 2,
        'g' => 3,
        't' => 4,
        'p' => 5,
        _ => return None,
    };
    let base: i64 = if letters.next() == Some('i') { 1024 } else { 1000 };
    Some(base.pow(power))
}

#[cfg(test)]
mod tests {
    use super::quantity;

    #[test]
    fn a_quantity_is_an_integer_and_perhaps_a_unit() {
        let good = [
            ("10", 10),
            (" -3 ", -3),
            ("10kg", 10_000),
            ("10 K", 10_000),
            ("4GB", 4_000_000_000),
            ("5GiB", 5 << 30),
            ("1mi", 1 << 20),
            ("3T", 3_000_000_000_000),
            ("1ti", 1 << 40),
            ("2P", 2_000_000_000_000_000),
            ("1PiB", 1 << 50),
            ("007", 7),
            ("-9223372036854775808", i64::MIN),
        ];
        for (text, expected) in good {
            assert_eq!(quantity(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_none() {
        let bad = [
            "",
            " ",
            "-",
            "k",
            "1.1 k",
            "1.5",
            "1 i",
            "+1",
            "x1",
            "99999999999p",
            "9223372036854775808",
            "10²",
            "１",
        ];
        for text in bad {
            assert_eq!(quantity(text), None, "{text}");
        }
    }
}
