//! Changes of texts as people make them while they edit.

use fastrand::Rng;

/// The text with one line left out, written twice, exchanged with another, indented, or cut in half.
pub fn mutated(text: &str, random: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(Into::into).collect();
    if lines.is_empty() {
        return "{}\n".to_owned();
    }
    let at = random.usize(..lines.len());
    let other = random.usize(..lines.len());
    match random.u8(..5) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines[at].insert_str(0, "  "),
        _ => {
            let half = lines[at].chars().count() / 2;
            lines[at] = lines[at].chars().take(half).collect();
        }
    }
    lines.join("\n") + "\n"
}
