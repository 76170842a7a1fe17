use diag::is_invisible;
use model::Redactor;

/// The longest text for people that is accepted from an adapter, in characters.
const LONGEST: usize = 2000;

/// A text for people from an untrusted source: one line, bounded, without control characters, characters that
/// change the direction of text, and invisible characters.
pub fn line(text: &str) -> String {
    let clean = text.chars().filter(|c| c.is_control() || !is_invisible(*c));
    let clean = clean.map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = clean.take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line.trim().to_owned()
}

/// The same without secrets. They are removed before the text is cut, both before and after invisible
/// characters between their characters are removed.
pub fn line_without(text: &str, secrets: &Redactor) -> String {
    if secrets.is_empty() {
        return line(text);
    }
    let seen: String = secrets.text(text).chars().filter(|c| c.is_control() || !is_invisible(*c)).collect();
    line(&secrets.text(&seen))
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

    #[test]
    fn a_secret_is_hidden_before_a_line_is_cut() {
        let mut secrets = Redactor::default();
        secrets.add("correct horse\nbattery staple");
        let text = format!("{}correct horse\nbattery staple", "x".repeat(LONGEST - 10));
        assert!(line_without(&text, &secrets).ends_with("x••••••"));
        secrets.add("hunter2");
        assert_eq!(line_without("a hun\u{200b}ter2\u{202e} b", &secrets), "a •••••• b");
    }
}
