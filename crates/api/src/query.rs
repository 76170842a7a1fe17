//! Queries of URLs.

use protocol::percent_decoded;

/// The parameters of a query, in order; `+` is a space.
pub(crate) fn pairs(query: &str) -> Option<Vec<(String, String)>> {
    let pair = |it: &str| {
        let (name, value) = it.split_once('=').unwrap_or((it, ""));
        Some((percent_decoded(&name.replace('+', " "))?, percent_decoded(&value.replace('+', " "))?))
    };
    query.split('&').filter(|it| !it.is_empty()).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read() {
        assert_eq!(
            pairs("a=1&b=x+y&&c"),
            Some(vec![("a".into(), "1".into()), ("b".into(), "x y".into()), ("c".into(), String::new()),])
        );
        assert_eq!(pairs("a=%zz"), None);
    }
}
