/// The longest text for people that is taken from an adapter, in characters.
const LONGEST: usize = 2000;

/// A text for people from outside: one line, bounded, no control characters, nothing that turns the direction of what
/// stands beside it.
pub fn line(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let clean = text.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = clean.take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_from_outside_is_harmless() {
        assert_eq!(line(" a\r\n\u{1b}[31mb\u{202e} "), "a   [31mb");
        assert_eq!(line(&"x".repeat(5000)).chars().count(), LONGEST + 1);
        assert_eq!(line("<script>"), "<script>");
    }
}
