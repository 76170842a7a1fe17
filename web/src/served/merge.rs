//! Three-way merges of a file that was changed on disk and in the page: line by line, against what both had before.

use diffy::{ConflictStyle, MergeOptions};

/// The changes of both sides to one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// The merged text from its beginning to its end.
    pub hunks: Vec<Hunk>,
    /// The text ends with a line end.
    ends_line: bool,
}

/// A stretch of a merged text: whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hunk {
    /// Lines that at most one side has changed, or both alike.
    Merged(String),
    /// Lines that both sides have changed, in different ways.
    Overlap {
        /// The lines in the page.
        mine: String,
        /// The lines on disk.
        theirs: String,
    },
}

/// The version of an overlap that the merged text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The version of the page.
    Mine,
    /// The version on disk.
    Theirs,
    /// The version on disk, and below it the version of the page.
    Both,
}

impl Choice {
    /// All of them, as they are offered.
    pub const ALL: [Self; 3] = [Self::Theirs, Self::Mine, Self::Both];
}

impl Merge {
    /// The merge of two texts that come from `base`.
    pub fn of(base: &str, mine: &str, theirs: &str) -> Self {
        // A text without line end at its end would otherwise run into a marker.
        let whole =
            [base, mine, theirs].map(|it| if ends_line(it) { it.to_owned() } else { format!("{it}\n") });
        let [base_ends, mine_ends, theirs_end] = [base, mine, theirs].map(ends_line);
        let marker = longest_run(&whole) + 7;
        let mut options = MergeOptions::new();
        options.set_conflict_style(ConflictStyle::Merge).set_conflict_marker_length(marker);
        let hunks = match options.merge(&whole[0], &whole[1], &whole[2]) {
            Ok(text) => vec![Hunk::Merged(text)],
            Err(marked) => hunks(&marked, marker),
        };
        Self { hunks, ends_line: if mine_ends == base_ends { theirs_end } else { mine_ends } }
    }

    /// The number of overlaps.
    pub fn overlaps(&self) -> usize {
        self.hunks.iter().filter(|it| matches!(it, Hunk::Overlap { .. })).count()
    }

    /// The merged text with a choice for each overlap; `None` if there are fewer choices.
    pub fn text(&self, choices: &[Choice]) -> Option<String> {
        let (mut text, mut choices) = (String::new(), choices.iter());
        for hunk in &self.hunks {
            match hunk {
                Hunk::Merged(lines) => text.push_str(lines),
                Hunk::Overlap { mine, theirs } => match choices.next()? {
                    Choice::Mine => text.push_str(mine),
                    Choice::Theirs => text.push_str(theirs),
                    Choice::Both => text.extend([&**theirs, mine]),
                },
            }
        }
        if !self.ends_line && text.ends_with('\n') {
            text.pop();
        }
        Some(text)
    }
}

fn ends_line(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

/// The length of the longest run of characters that markers are made of: longer markers occur in no text.
fn longest_run(texts: &[String]) -> usize {
    let runs = texts.iter().flat_map(|it| it.split(|it| !"<=>".contains(it)));
    runs.map(str::len).max().unwrap_or_default()
}

/// The hunks of a text in which overlaps are between markers of that length.
fn hunks(marked: &str, marker: usize) -> Vec<Hunk> {
    let (mut hunks, mut merged) = (Vec::new(), String::new());
    let mut overlap: Option<[String; 2]> = None;
    let mut side = 0;
    for line in marked.split_inclusive('\n') {
        let starts = |sign: &str| line.starts_with(&sign.repeat(marker));
        match &mut overlap {
            None if starts("<") => {
                hunks.push(Hunk::Merged(std::mem::take(&mut merged)));
                (overlap, side) = (Some(Default::default()), 0);
            }
            None => merged.push_str(line),
            Some(_) if starts("=") => side = 1,
            Some([mine, theirs]) if starts(">") => {
                let (mine, theirs) = (std::mem::take(mine), std::mem::take(theirs));
                hunks.push(Hunk::Overlap { mine, theirs });
                overlap = None;
            }
            Some([mine, theirs]) => if side == 0 { mine } else { theirs }.push_str(line),
        }
    }
    hunks.push(Hunk::Merged(merged));
    hunks.retain(|it| !matches!(it, Hunk::Merged(lines) if lines.is_empty()));
    hunks
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    const BASE: &str = "a\nb\nc\nd\ne\nf\n";

    fn check(base: &str, mine: &str, theirs: &str, choices: &[Choice], expected: Option<&str>) {
        let merge = Merge::of(base, mine, theirs);
        assert_eq!(merge.text(choices).as_deref(), expected, "{base:?} {mine:?} {theirs:?} {merge:?}");
    }

    #[test]
    fn changes_of_different_lines_are_both_kept() {
        check(BASE, "a\nB\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n", &[], Some("a\nB\nc\nd\nE\nf\n"));
        check(BASE, "b\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nf\ng\n", &[], Some("b\nc\nd\ne\nf\ng\n"));
        check(BASE, "a\nb\nc\nd\ne\nf", "0\na\nb\nc\nd\ne\nf\n", &[], Some("0\na\nb\nc\nd\ne\nf"));
        check(
            "a\r\nb\r\nc\r\nd\r\n",
            "A\r\nb\r\nc\r\nd\r\n",
            "a\r\nb\r\nc\r\nD\r\n",
            &[],
            Some("A\r\nb\r\nc\r\nD\r\n"),
        );
    }

    #[test]
    fn overlaps_are_chosen_one_by_one() {
        use Choice::{Both, Mine, Theirs};
        let (mine, theirs) = ("a\nB\nc\nd\nE\nf\n", "a\nbb\nc\nd\nee\nf\n");
        check(BASE, mine, theirs, &[Mine], None);
        check(BASE, mine, theirs, &[Mine, Theirs], Some("a\nB\nc\nd\nee\nf\n"));
        check(BASE, mine, theirs, &[Theirs, Both], Some("a\nbb\nc\nd\nee\nE\nf\n"));
        check("x", "# mine", "# theirs", &[Both], Some("# theirs\n# mine"));
        // A line that one side removed and the other changed overlaps, too.
        check(BASE, "a\nc\nd\ne\nf\n", theirs, &[Mine], Some("a\nc\nd\nee\nf\n"));
        let signs = format!("{}\n{}\n{}\n", "<".repeat(9), "=".repeat(20), ">".repeat(9));
        check("x\n", &format!("{signs}1\n"), &format!("{signs}2\n"), &[Mine], Some(&*format!("{signs}1\n")));
    }

    /// The changes of each side are there as soon as its version of all overlaps is chosen; a side that changed nothing
    /// takes over the other.
    #[test]
    fn laws_hold_for_random_texts() {
        let mut random = Rng::with_seed(7);
        for _ in 0..2_000 {
            let base = lines(&mut random);
            let [mine, theirs] = [(); 2].map(|()| changed(&base, &mut random));
            let text = |a: &[&str], b: &[&str], c: &[&str]| {
                let merge = Merge::of(&a.concat(), &b.concat(), &c.concat());
                merge.text(&vec![Choice::Mine; merge.overlaps()]).expect("enough choices")
            };
            assert_eq!(text(&base, &base, &theirs), theirs.concat());
            assert_eq!(text(&base, &mine, &base), mine.concat());
            assert_eq!(text(&base, &mine, &mine), mine.concat());
            let merged = text(&base, &mine, &theirs);
            let mut rest = merged.split_inclusive('\n');
            let own = mine.iter().filter(|it| !base.contains(it));
            assert!(
                own.clone().all(|line| rest.any(|it| it == *line)),
                "{base:?} {mine:?} {theirs:?} {merged:?}"
            );
        }
    }

    const LINES: [&str; 12] =
        ["a\n", "b\n", "c\n", "d\n", "e\n", "f\n", "g\n", "h\n", "====\n", "<<<<<<<\n", ">>\n", "\n"];

    fn lines(random: &mut Rng) -> Vec<&'static str> {
        (0..random.usize(0..12)).map(|_| LINES[random.usize(..6)]).collect()
    }

    fn changed(base: &[&'static str], random: &mut Rng) -> Vec<&'static str> {
        let mut lines = base.to_vec();
        for _ in 0..random.usize(0..3) {
            let at = random.usize(..=lines.len());
            match random.bool() && at < lines.len() {
                true => drop(lines.remove(at)),
                false => lines.insert(at, LINES[random.usize(6..LINES.len())]),
            }
        }
        lines
    }
}
