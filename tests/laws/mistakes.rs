//! Mistakes that people make in YAML files.

use fastrand::Rng;

/// The texts that are inserted by mistake.
const ODD: [&str; 16] = [
    "\t", " ", "\u{a0}", "\u{200b}", "\u{feff}", ":", ": ", "#", "\"", "'", "[", "}", "*x", "!reset", "`",
    "@",
];
/// The texts that may replace a value.
const VALUES: [&str; 14] = [
    "yes",
    "no",
    "on",
    "True",
    "~",
    "0777",
    "1_000",
    "1e3",
    "2024-01-01",
    "12:30",
    "\"true\"",
    "a: b",
    "{{ x }}",
    "!overide 1",
];

/// The text with one mistake.
pub(crate) fn with_mistake(text: &str, random: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let filled: Vec<usize> = (0..lines.len()).filter(|at| !lines[*at].trim().is_empty()).collect();
    let Some(at) = random.choice(filled) else { return text.to_owned() };
    match random.u8(0..14) {
        0 => lines[at] = near(&lines[at], random),
        1..=3 => lines[at] = in_key(&lines[at], random),
        4 => lines.insert(at, lines[at].clone()),
        5 => {
            let (block, place) = (block(&lines, at), random.usize(0..=lines.len()));
            lines.splice(place..place, block);
        }
        6 => lines[at] = indented(&lines[at], random),
        7 => lines[at] = quoted(&lines[at], random),
        8 | 9 => lines[at] = in_reference(&lines[at], random),
        10 => {
            let place = boundary(&lines[at], random);
            lines[at].insert_str(place, random.choice(ODD).unwrap_or_default());
        }
        11 => lines[at] = with_value(&lines[at], random),
        12 => {
            lines[at] =
                lines[at].replacen(random.choice([": ", "- ", " #", ", "]).unwrap_or_default(), ":", 1)
        }
        _ => drop(lines.remove(at)),
    }
    lines.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

fn boundary(text: &str, random: &mut Rng) -> usize {
    random.choice(text.char_indices().map(|(at, _)| at).collect::<Vec<_>>()).unwrap_or(0)
}

/// A word that is nearly the same: a letter is left out, written twice, changed or exchanged with the next one.
fn near(word: &str, random: &mut Rng) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let Some(at) = random.choice(0..letters.len()) else { return word.to_owned() };
    match random.u8(0..6) {
        0 | 1 => drop(letters.remove(at)),
        2 => letters.insert(at, letters[at]),
        3 => letters.swap(at, (at + 1) % word.chars().count()),
        4 => letters[at] = random.lowercase(),
        _ => {
            letters[at] = if letters[at].is_lowercase() {
                letters[at].to_ascii_uppercase()
            } else {
                letters[at].to_ascii_lowercase()
            }
        }
    }
    letters.into_iter().collect()
}

/// The bytes of the key that a line begins with.
fn key(line: &str) -> Option<(usize, usize)> {
    let start = line.len() - line.trim_start_matches([' ', '-', '"', '\'']).len();
    let len = line[start..].find(':')?;
    Some((start, start + len))
}

fn in_key(line: &str, random: &mut Rng) -> String {
    match key(line) {
        Some((start, end)) => {
            format!("{}{}{}", &line[..start], near(&line[start..end], random), &line[end..])
        }
        None => near(line, random),
    }
}

/// A line with the lines that are indented deeper.
fn block(lines: &[String], at: usize) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let deeper = lines[at + 1..].iter().take_while(|it| indent(it) > indent(&lines[at]));
    std::iter::once(&lines[at]).chain(deeper).cloned().collect()
}

fn indented(line: &str, random: &mut Rng) -> String {
    let content = line.trim_start();
    let indent = line.len() - content.len();
    match random.u8(0..4) {
        0 => format!("\t{content}"),
        1 => format!(" {line}"),
        2 => format!("  {line}"),
        _ => format!("{}{content}", " ".repeat(indent.saturating_sub(random.usize(1..4)))),
    }
}

fn quoted(line: &str, random: &mut Rng) -> String {
    let value = line.find(": ").map_or(line.len() - line.trim_start().len(), |at| at + 2);
    let (before, value) = line.split_at(value);
    match random.u8(0..5) {
        0 => format!("{before}\"{value}\""),
        1 => format!("{before}'{value}'"),
        2 => format!("{before}\"{value}"),
        3 => line.replacen('"', "", 1),
        _ => line.replace('"', "'"),
    }
}

/// A mistake in `${…}`, or in an alias, or in the value.
fn in_reference(line: &str, random: &mut Rng) -> String {
    let start = line
        .find("${")
        .map(|at| at + 2)
        .or_else(|| line.find('*'))
        .or_else(|| line.find(": ").map(|at| at + 2));
    let Some(start) = start else { return near(line, random) };
    let end = line[start..].find(['}', ',', ']', '#']).map_or(line.len(), |at| start + at);
    format!("{}{}{}", &line[..start], near(&line[start..end], random), &line[end..])
}

fn with_value(line: &str, random: &mut Rng) -> String {
    let start = line.find(": ").or_else(|| line.find("- ")).map_or(0, |at| at + 2);
    format!("{}{}", &line[..start], random.choice(VALUES).unwrap_or_default())
}
