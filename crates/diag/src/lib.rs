//! Where text is and what is wrong with it.
//!
//! Every other crate speaks of text through [`Span`]s (a file and two byte offsets) and of the user's mistakes
//! through [`Diagnostic`]s. Lines and columns are made once, at the edge, by [`Sources::locate`].
//!
//! Invariants: a span lies inside its file; `start <= end`; both are character boundaries.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod diagnostic;
mod source;
mod span;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Fix, Label, Severity, TextEdit, apply_edits};
pub use source::{Location, Source, Sources};
pub use span::{FileId, Span};

/// The name among `candidates` that `wanted` is most likely a misspelling of: at most two edits
/// (one for names of up to four characters, none for a single one), ties go to the first.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match wanted.chars().count() {
        0 | 1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = edit_distance(wanted, candidate);
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_finds_a_typo_and_refuses_a_stranger() {
        assert_eq!(nearest("dbb", ["web", "db"]), Some("db"));
        assert_eq!(nearest("pyaload", ["payload", "params"]), Some("payload"));
        assert_eq!(nearest("replicas", ["instances", "init"]), None);
        assert_eq!(nearest("q", ["p"]), None);
    }
}
