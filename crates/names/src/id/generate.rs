use super::{IdPattern, class::Class};

/// Random characters at the end, at least.
const RANDOM: usize = 6;

/// Ids are filled up with random characters to this length.
const FILLED: usize = 16;

/// Texts that are taken over, at most.
const ELEMENTS: usize = 5;

/// Letters and digits of random parts. `l` is left out, because it resembles `1`; the digits are first.
const ALPHABET: &[u8; 35] = b"0123456789abcdefghijkmnopqrstuvwxyz";
const DIGITS: usize = 10;

/// The number of ids that are tried before there is none.
const ATTEMPTS: usize = 8;

/// A new id of at most `longest` bytes that matches the pattern: the words of up to five texts, such as the ids of what a
/// resource is made from, and random characters. `random` returns evenly distributed numbers; the same numbers give the
/// same id. If such an id does not match, one is made from random characters where the pattern has them.
///
/// `None` if that does not succeed: the pattern has groups, or its ids are longer.
pub fn generate_id(
    elements: &[&str],
    mut random: impl FnMut() -> u64,
    pattern: &IdPattern,
    longest: usize,
) -> Option<String> {
    let fits = |id: &String| id.len() <= longest && pattern.matches(id);
    let first = readable(elements, &mut random, longest);
    let others = (0..ATTEMPTS).map_while(|_| drawn(&mut random, pattern, longest));
    std::iter::once(first).chain(others).find(fits)
}

/// Words in lower case, each text cut so that all fit, and random characters.
fn readable(elements: &[&str], random: &mut impl FnMut() -> u64, longest: usize) -> String {
    let mut texts: Vec<_> = elements.iter().map(|it| words(it)).filter(|it| !it.is_empty()).collect();
    texts.truncate(ELEMENTS);
    let room = longest.saturating_sub(RANDOM + texts.len());
    cut(&mut texts, room);
    let mut id = String::new();
    for text in texts.iter().map(|it| it.trim_end_matches('-')).filter(|it| !it.is_empty()) {
        id.extend([text, "-"]);
    }
    let count = FILLED.saturating_sub(id.len()).max(RANDOM).min(longest.saturating_sub(id.len()));
    for place in 0..count {
        let skipped = if place == 0 { DIGITS } else { 0 };
        id.extend(chosen(ALPHABET.get(skipped..).unwrap_or_default(), random).map(char::from));
    }
    id
}

/// The words of a text joined by `-`, from its first letter on.
fn words(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let words: Vec<_> =
        lower.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.join("-").trim_start_matches(|it: char| it == '-' || it.is_ascii_digit()).to_owned()
}

/// Shortens the longest text, the first of them, until all together have no more than `room` bytes.
fn cut(texts: &mut [String], room: usize) {
    let mut total: usize = texts.iter().map(String::len).sum();
    while total > room {
        let Some(longest) = texts.iter_mut().rev().max_by_key(|it| it.len()) else { return };
        longest.pop();
        total -= 1;
    }
}

/// Characters from the runs of the pattern: each run as long as it has to be, and then the runs in turn longer, up to
/// the length that ids are filled up to.
fn drawn(random: &mut impl FnMut() -> u64, pattern: &IdPattern, longest: usize) -> Option<String> {
    let runs = &pattern.sequence()?.runs;
    let mut missing = longest.min(FILLED).saturating_sub(runs.iter().map(|run| run.min).sum());
    let mut id = String::new();
    for run in runs {
        let extra = run.max.map_or(missing, |max| missing.min(max.saturating_sub(run.min)));
        missing -= extra;
        let bytes = alphabet(&run.class);
        for _ in 0..(run.min + extra).min(longest.saturating_add(1)) {
            id.push(char::from(chosen(&bytes, random)?));
        }
    }
    Some(id)
}

/// The characters of a class that ids get: those of generated ids if it has one of them.
fn alphabet(class: &Class) -> Vec<u8> {
    let usual: Vec<_> = ALPHABET.iter().copied().filter(|byte| class.has(*byte)).collect();
    if usual.is_empty() { class.bytes().collect() } else { usual }
}

fn chosen(bytes: &[u8], random: &mut impl FnMut() -> u64) -> Option<u8> {
    let index = random().checked_rem(bytes.len() as u64)?;
    bytes.get(usize::try_from(index).ok()?).copied()
}
