//! Pieces of real files, changed at random.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::Rng as _;
use proptest::test_runner::{RngAlgorithm, TestRng};

const FOLDERS: [&str; 4] = ["golem", "compose", "bosh", "fbc"];
/// Lines of a piece.
const MOST_LINES: usize = 30;
/// Bytes of a line: some files hold pictures.
const LONGEST_LINE: usize = 400;

/// The files' lines; `None` where there are no files on this machine.
#[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
pub(crate) fn files() -> Option<Vec<Vec<String>>> {
    let shared = std::env::var_os("PLANLOOM_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let mut paths = Vec::new();
    FOLDERS.iter().for_each(|folder| collect(&shared.join("data").join(folder), &mut paths));
    paths.sort();
    if paths.is_empty() {
        eprintln!("skipped: there are no files in {}", shared.join("data").display());
        return None;
    }
    let read = |path: PathBuf| {
        let text = fs::read_to_string(path).ok()?;
        let lines: Vec<String> =
            text.lines().filter(|it| it.len() < LONGEST_LINE).map(str::to_owned).collect();
        (!lines.is_empty()).then_some(lines)
    };
    Some(paths.into_iter().filter_map(read).collect())
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|it| it == "yaml" || it == "yml") {
            paths.push(path);
        }
    }
}

/// So many documents; the same for the same seed and files.
pub(crate) fn documents(files: &[Vec<String>], seed: u64, count: usize) -> Vec<String> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut dice = Dice(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    (0..count).map(|_| document(files, &mut dice)).collect()
}

struct Dice(TestRng);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

fn document(files: &[Vec<String>], dice: &mut Dice) -> String {
    let mut lines = piece(files, dice);
    for _ in 0..1 + dice.below(4) {
        change(&mut lines, files, dice);
    }
    let line_break = if dice.below(20) == 0 { "\r\n" } else { "\n" };
    let mut text = lines.join(line_break);
    if dice.below(4) > 0 {
        text.push_str(line_break);
    }
    text.replace('\0', "")
}

/// A line and what is indented like it or deeper, moved to the left.
fn piece(files: &[Vec<String>], dice: &mut Dice) -> Vec<String> {
    let lines = &files[dice.below(files.len())];
    let mut start = dice.below(lines.len());
    while start > 0 && lines[start].trim().is_empty() {
        start -= 1;
    }
    let indent = indent(&lines[start]);
    let most = 1 + dice.below(MOST_LINES);
    let belongs = |line: &&String| line.trim().is_empty() || self::indent(line) >= indent;
    let moved = |line: &String| line.get(indent..).unwrap_or_default().to_owned();
    lines[start..].iter().take_while(belongs).take(most).map(moved).collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn indented(line: &str, indent: usize) -> String {
    format!("{}{}", " ".repeat(indent), line.trim_start_matches(' '))
}

/// Makes one change.
fn change(lines: &mut Vec<String>, files: &[Vec<String>], dice: &mut Dice) {
    if lines.is_empty() {
        lines.push("a: b".to_owned());
    }
    let at = dice.below(lines.len());
    match dice.below(20) {
        0 => lines[at] = indented(&lines[at], dice.below(9)),
        1 => {
            let (count, to) = (dice.below(5), dice.below(7));
            let from = indent(&lines[at]);
            for line in lines.iter_mut().skip(at).take(count) {
                *line = indented(line, (indent(line) + to).saturating_sub(from));
            }
        }
        2 => {
            let close = lines.iter().rposition(|it| it.trim_start().starts_with([']', '}']));
            if let Some(at) = close {
                lines[at] = indented(&lines[at], dice.below(5));
            }
        }
        3 if at + 1 < lines.len() => {
            let next = lines.remove(at + 1);
            lines[at] = format!("{}{}{}", lines[at], dice.one(&["", " ", "  "]), next.trim_start());
        }
        4..=6 => break_line(lines, at, dice),
        7..=9 => quote(lines, at, dice),
        10 | 11 => in_brackets(lines, at, dice),
        12 => drop(lines.remove(at)),
        13 => {
            let to = dice.below(lines.len());
            lines.insert(to, lines[at].clone());
        }
        14 => {
            let other = piece(files, dice);
            let to = dice.below(9);
            lines.splice(at..at, other.iter().take(4).map(|it| format!("{}{it}", " ".repeat(to))));
        }
        15 => {
            let spaces: Vec<usize> = lines[at].match_indices(' ').map(|(at, _)| at).collect();
            if !spaces.is_empty() {
                let space = dice.one(&spaces);
                lines[at].replace_range(space..=space, "\t");
            }
        }
        16 => lines[at].push_str(dice.one(&["#c", " # c", " #", "\t# c", "# it's", " # [", ",", ":", " "])),
        17 => {
            let places: Vec<usize> = lines[at].char_indices().map(|(at, _)| at).collect();
            let place = if places.is_empty() { 0 } else { dice.one(&places) };
            let odd = [
                "\u{feff}", "\u{85}", "\u{2028}", "\u{2029}", "\t", "\"", "'", "[", "]", "{", "}", ",",
                "&a ", "*a", "!!str ", "|", "- ", "? ", ": ", "\\", "é", "%", "@",
            ];
            lines[at].insert_str(place, dice.one(&odd));
        }
        18 => lines
            .insert(at, dice.one(&["", "   ", "\t", "---", "...", "# c", "%YAML 1.1", "      "]).to_owned()),
        _ => lines[at] = indented(&lines[at], (indent(&lines[at]) + dice.below(5)).saturating_sub(2)),
    }
}

/// Breaks a line at one of its spaces, or behind an indicator, and indents the rest somehow.
fn break_line(lines: &mut Vec<String>, at: usize, dice: &mut Dice) {
    let line = lines[at].clone();
    let content = indent(&line);
    let is_place = |(_, it): &(usize, char)| matches!(it, ' ' | ',' | '[' | '{');
    let places: Vec<usize> =
        line.char_indices().filter(|(at, _)| *at > content).filter(is_place).map(|(at, _)| at + 1).collect();
    if places.is_empty() {
        return;
    }
    let place = dice.one(&places);
    let blank = " ".repeat(dice.below(7));
    let rest = format!("{blank}{}", line[place..].trim_start());
    lines.splice(at..=at, [line[..place].to_owned(), rest]);
    if dice.below(8) == 0 {
        lines.insert(at + 1, String::new());
    }
}

/// The place at which the value of `key: value` or `- value` starts.
fn value(line: &str) -> Option<usize> {
    let at = line.find(": ").map(|at| at + 2).or_else(|| line.find("- ").map(|at| at + 2))?;
    (!line[at..].trim().is_empty()).then_some(at)
}

/// Puts the value of a line into quotes and breaks it.
fn quote(lines: &mut Vec<String>, at: usize, dice: &mut Dice) {
    let Some(start) = value(&lines[at]) else { return };
    let text = lines[at][start..].trim().trim_matches(['"', '\'']).to_owned();
    let text = if text.contains(' ') { text } else { format!("{text} two three") };
    let quoted = match dice.below(2) {
        0 => format!("'{}'", text.replace('\'', "''")),
        _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
    };
    lines[at].replace_range(start.., &quoted);
    break_line(lines, at, dice);
    if dice.below(3) == 0 {
        let last = (at + 1).min(lines.len() - 1);
        break_line(lines, last, dice);
    }
}

/// Puts the value of a line, and some of the next lines' values, into brackets over several lines.
fn in_brackets(lines: &mut Vec<String>, at: usize, dice: &mut Dice) {
    let Some(start) = value(&lines[at]) else { return };
    let text = lines[at][start..].trim().to_owned();
    let text =
        if text.contains([',', '[', ']', '{', '}', '#', '"', '\'', ':']) { "x y".to_owned() } else { text };
    let (open, close) = dice.one(&[("[", "]"), ("{", "}"), ("[{", "}]"), ("{a: [", "]}")]);
    let key = if open.ends_with('{') { "k: " } else { "" };
    let second = if open.ends_with('{') { "\"l\": 'm n'" } else { "'m n'" };
    lines[at].replace_range(start.., open);
    let mut blank = || " ".repeat(dice.below(7));
    let new =
        [format!("{}{key}{text},", blank()), format!("{}{second}", blank()), format!("{}{close}", blank())];
    lines.splice(at + 1..at + 1, new);
}
