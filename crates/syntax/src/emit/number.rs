/// The shortest form of a number, always with a dot and, where it has an exponent, with a sign before that, as YAML 1.1
/// wants it. Numbers are not left to `serde_yaml`: its tables for them would be a good part of what is downloaded.
pub(super) fn number(value: f64) -> String {
    if value.is_nan() {
        return ".nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf".into() } else { "-.inf".into() };
    }
    if value == 0.0 || (1e-5..1e16).contains(&value.abs()) {
        let shortest = with_dot(&value.to_string());
        // Of two that are as short and as near, the even one, as JavaScript writes it.
        let digits = shortest.len() - shortest.find('.').map_or(0, |dot| dot + 1);
        return format!("{value:.digits$}");
    }
    let shortest = format!("{value:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{}e{sign}{exponent}", with_dot(mantissa))
}

fn with_dot(number: &str) -> String {
    let fraction = if number.contains('.') { "" } else { ".0" };
    format!("{number}{fraction}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_written_as_serde_yaml_does(bits: u64, near in -1e17..1e17_f64, small in -1e-3..1e-3_f64) {
            for value in [f64::from_bits(bits), near, small, near.trunc()] {
                let expected = serde_yaml::to_string(&value).unwrap();
                let written = number(value);
                if expected.contains('e') {
                    prop_assert_eq!(written.parse::<f64>().unwrap(), value);
                } else {
                    prop_assert_eq!(written, expected.trim_end());
                }
            }
        }
    }
}
