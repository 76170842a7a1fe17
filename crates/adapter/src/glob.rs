/// Whether a text is of a pattern in which `*` stands for any run of characters.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|start| text.strip_prefix(start)) else { return false };
    let Some(end) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_run() {
        for (pattern, text) in [
            ("services.web", "services.web"),
            ("*", ""),
            ("*", "x"),
            ("services.*", "services.web[0]"),
            ("*.web", "services.web"),
            ("s*s.*b", "services.web"),
            ("**", "ab"),
            ("a*a", "aa"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("services.web", "services.web2"), ("", "x"), ("a*a", "a"), ("s*x*b", "services.web")]
        {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
