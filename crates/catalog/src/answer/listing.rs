//! Lists in sentences.

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn all(items: &[impl AsRef<str>]) -> String {
    joined(items, "and")
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn any(items: &[impl AsRef<str>]) -> String {
    joined(items, "or")
}

/// The first items; if there are more than `most`, followed by the number of others.
pub(crate) fn some(items: &[impl AsRef<str>], most: usize) -> String {
    if items.len() <= most {
        return all(items);
    }
    let shown = &items[..most.saturating_sub(1)];
    let mut words: Vec<String> = shown.iter().map(|it| it.as_ref().to_owned()).collect();
    words.push(format!("{} more", items.len() - shown.len()));
    all(&words)
}

fn joined(items: &[impl AsRef<str>], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {word} {}", first.join(", "), last.as_ref())
        }
    }
}
