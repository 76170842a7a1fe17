//! The name that was probably meant.

/// The name among `candidates` that `wanted` is most likely a misspelling of: at most two edits
/// (one for names of up to four characters, none for a single one), ties go to the first.
pub fn nearest<'a>(target: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut search = Search::new(target);
    candidates.into_iter().for_each(|candidate| search.look_at(candidate));
    search.best
}

/// Looks for names that were probably meant, in sets that may be as large as the input: after so many comparisons in
/// all it finds nothing any more, so that a mistake in each of many names costs no more than the names themselves.
/// The first mistakes are helped with, and which they are depends on the input alone.
#[derive(Clone, Debug)]
pub struct Speller {
    left: usize,
}

impl Default for Speller {
    /// A million comparisons.
    fn default() -> Self {
        Self { left: 1_000_000 }
    }
}

impl Speller {
    /// As [`nearest`]; `None` too once the comparisons are used up. A search that was begun is finished.
    pub fn nearest<'a>(
        &mut self,
        target: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.left == 0 {
            return None;
        }
        let candidates = candidates.into_iter().inspect(|_| self.left = self.left.saturating_sub(1));
        nearest(target, candidates)
    }
}

/// A search with its buffers.
struct Search<'a> {
    target: Vec<char>,
    bytes: usize,
    /// The most edits that are of interest: fewer than those of the best name so far.
    limit: Option<usize>,
    best: Option<&'a str>,
    candidate: Vec<char>,
    rows: [Vec<usize>; 3],
}

impl<'a> Search<'a> {
    fn new(target: &str) -> Self {
        let bytes = target.len();
        let target: Vec<char> = target.chars().collect();
        let limit = match target.len() {
            0 | 1 => 0,
            2..=4 => 1,
            _ => 2,
        };
        Self {
            target,
            bytes,
            limit: Some(limit),
            best: None,
            candidate: Vec::new(),
            rows: Default::default(),
        }
    }

    fn look_at(&mut self, candidate: &'a str) {
        let Some(limit) = self.limit else { return };
        // A character has up to four bytes.
        if candidate.len().abs_diff(self.bytes) > 4 * limit {
            return;
        }
        self.candidate.clear();
        self.candidate.extend(candidate.chars());
        if let Some(distance) = edits(&self.target, &self.candidate, limit, &mut self.rows) {
            self.best = Some(candidate);
            self.limit = distance.checked_sub(1);
        }
    }
}

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`, when there are at most `limit`.
///
/// Only cells at most `limit` off the diagonal are considered: a way through others has more edits.
fn edits(a: &[char], b: &[char], limit: usize, rows: &mut [Vec<usize>; 3]) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let (a, b) = without_common_ends(a, b);
    let [before, last, row] = rows;
    let far = limit + 1;
    for it in [&mut *before, &mut *last, &mut *row] {
        it.clear();
        it.resize(b.len() + 1, far);
    }
    last.iter_mut().enumerate().take(far).for_each(|(j, cell)| *cell = j);
    for i in 1..=a.len() {
        let (from, to) = (i.saturating_sub(limit), b.len().min(i + limit));
        if from > 0 {
            row[from - 1] = far;
        } else {
            row[0] = i;
        }
        for j in from.max(1)..=to {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            // The cell above the band's upper edge is one of two rows ago.
            let delete = if j < i + limit { last[j] + 1 } else { far };
            let mut least = replace.min(delete).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row[j] = least;
        }
        std::mem::swap(before, last);
        std::mem::swap(last, row);
    }
    last.last().copied().filter(|distance| *distance <= limit)
}

/// Two texts without their common prefix and suffix, which cost no edit.
fn without_common_ends<'t>(a: &'t [char], b: &'t [char]) -> (&'t [char], &'t [char]) {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (&a[..a.len() - end], &b[..b.len() - end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nearest_finds_a_typo_and_refuses_a_stranger() {
        assert_eq!(nearest("dbb", ["web", "db"]), Some("db"));
        assert_eq!(nearest("pyaload", ["payload", "params"]), Some("payload"));
        assert_eq!(nearest("replicas", ["instances", "init"]), None);
        assert_eq!(nearest("q", ["p"]), None);
        assert_eq!(nearest("größe", ["grösse", "große"]), Some("große"));
        assert_eq!(nearest("names", ["name", "nams"]), Some("name"), "the first of two that are as near");
    }

    #[test]
    fn a_speller_finishes_what_it_began_and_then_rests() {
        let mut speller = Speller { left: 3 };
        assert_eq!(speller.nearest("dbb", ["web", "db"]), Some("db"));
        assert_eq!(speller.nearest("dbb", ["web", "db"]), Some("db"));
        assert_eq!(speller.nearest("dbb", ["web", "db"]), None);
    }

    /// The whole table, as the definition says.
    fn all_edits(a: &[char], b: &[char]) -> usize {
        let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                rows[i][j] = if i == 0 || j == 0 {
                    i.max(j)
                } else {
                    let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let least = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    match i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        true => least.min(rows[i - 2][j - 2] + 1),
                        false => least,
                    }
                };
            }
        }
        rows[a.len()][b.len()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_band_holds_all_that_counts(a in "[abc]{0,9}", b in "[abc]{0,9}", limit in 0_usize..3) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let found = edits(&a, &b, limit, &mut Default::default());
            prop_assert_eq!(found, Some(all_edits(&a, &b)).filter(|it| *it <= limit));
        }
    }
}
