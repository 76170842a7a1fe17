//! Percent-encoding of URLs.

/// The text that is encoded; `None` if it is not UTF-8 or an escape is cut off.
pub(crate) fn decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((first, tail)) = rest.split_first() {
        if *first != b'%' {
            bytes.push(*first);
            rest = tail;
            continue;
        }
        let digits = tail.get(..2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = tail.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

/// The parameters of a query, in order; `+` is a space.
pub(crate) fn pairs(query: &str) -> Option<Vec<(String, String)>> {
    let pair = |it: &str| {
        let (name, value) = it.split_once('=').unwrap_or((it, ""));
        Some((decode(&name.replace('+', " "))?, decode(&value.replace('+', " "))?))
    };
    query.split('&').filter(|it| !it.is_empty()).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read() {
        let rows = [
            ("a", Some("a")),
            ("a%20b", Some("a b")),
            ("%2F", Some("/")),
            ("%C3%A9", Some("é")),
            ("%", None),
            ("%2", None),
            ("%zz", None),
            ("%ff", None),
        ];
        for (text, decoded) in rows {
            assert_eq!(decode(text).as_deref(), decoded, "{text}");
        }
        assert_eq!(
            pairs("a=1&b=x+y&&c"),
            Some(vec![("a".into(), "1".into()), ("b".into(), "x y".into()), ("c".into(), String::new()),])
        );
    }
}
