//! Versions of services: `v1alpha2`, `v1beta1`, `v1`, `v2`.

use std::cmp::Ordering;

/// Compares two versions by age: by number; alpha before beta before release. Others are compared as texts, before all that
/// have this form.
pub fn compare(a: &str, b: &str) -> Ordering {
    match (parse(a), parse(b)) {
        (Some(first), Some(second)) => first.cmp(&second),
        (Some(_), None) => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (None, None) => a.cmp(b),
    }
}

/// Major number, stage (2 is a release), and number within the stage.
fn parse(version: &str) -> Option<(u32, u8, u32)> {
    let rest = version.strip_prefix('v')?;
    let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let (major, stage) = rest.split_at(digits);
    let major = major.parse().ok()?;
    if stage.is_empty() {
        return Some((major, 2, 0));
    }
    let (stage, number) = match stage.strip_prefix("alpha") {
        Some(number) => (0, number),
        None => (1, stage.strip_prefix("beta")?),
    };
    Some((major, stage, if number.is_empty() { 0 } else { number.parse().ok()? }))
}

/// True if it has the form of a version.
pub(crate) fn is_version(version: &str) -> bool {
    parse(version).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered() {
        let sorted = ["other", "v1alpha", "v1alpha2", "v1alpha10", "v1beta1", "v1", "v2", "v10"];
        for (older, newer) in sorted.iter().zip(sorted.iter().skip(1)) {
            assert_eq!(compare(older, newer), Ordering::Less, "{older} {newer}");
        }
        assert!(is_version("v3") && !is_version("3") && !is_version("v1gamma"));
    }
}
