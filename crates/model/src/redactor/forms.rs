//! How a secret reads in JSON, in a URL, in base64 and in hexadecimal digits.

use std::fmt::Write as _;

use super::SHORTEST_CONTAINED;

/// The shortest line of a secret of several lines that is a secret by itself.
const SHORTEST_LINE: usize = 8;

/// All texts that stand for a secret inside of other texts; none where it is too short.
pub(super) fn forms(secret: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if secret.chars().count() >= SHORTEST_CONTAINED {
        encoded(secret, &mut forms);
    }
    if secret.contains(['\n', '\r']) {
        let lines = secret.split(['\n', '\r']).map(str::trim);
        // What frames a key in PEM says nothing of it.
        let own = lines.filter(|it| it.chars().count() >= SHORTEST_LINE && !it.starts_with("-----"));
        own.for_each(|line| encoded(line, &mut forms));
    }
    forms.retain(|it| it.len() >= SHORTEST_CONTAINED);
    forms
}

fn encoded(text: &str, forms: &mut Vec<String>) {
    forms.push(text.to_owned());
    let (json, ascii) = (json(text, false), json(text, true));
    forms.extend([
        json.replace('/', "\\/"),
        ascii.replace('/', "\\/"),
        self::json(&json, false),
        json,
        ascii,
    ]);
    for kept in KEPT {
        let percent = percent(text, kept);
        forms.extend([lower_digits(&percent), percent.replace("%20", "+"), percent]);
    }
    forms.extend([hex(text), hex(text).to_ascii_uppercase()]);
    for offset in 0..3 {
        let base64 = base64(text.as_bytes(), offset);
        forms.extend([base64.replace('+', "-").replace('/', "_"), base64]);
    }
}

/// As it stands in a text of JSON; `ascii`: with all else spelled out, as some writers do.
fn json(text: &str, ascii: bool) -> String {
    let mut json = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            c if c < ' ' || (ascii && !c.is_ascii()) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // A text takes whatever is written to it.
                    let _ = write!(json, "\\u{unit:04x}");
                }
            }
            c => json.push(c),
        }
    }
    json
}

/// What else writers of URLs leave as it is, besides letters and digits: nothing, what RFC 3986 lets them, what Python
/// and JavaScript do.
const KEPT: [&[u8]; 4] = [b"", b"-._~", b"-._~/", b"-._~!*'()"];

fn percent(text: &str, kept: &[u8]) -> String {
    let mut percent = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            percent.push(char::from(byte));
        } else {
            let _ = write!(percent, "%{byte:02X}");
        }
    }
    percent
}

/// With the digits behind each `%` in lower case.
fn lower_digits(percent: &str) -> String {
    let mut parts = percent.split('%');
    let mut lower = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        lower.push('%');
        lower.push_str(&digits.to_ascii_lowercase());
        lower.push_str(rest);
    }
    lower
}

fn hex(text: &str) -> String {
    text.bytes().fold(String::with_capacity(2 * text.len()), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The characters that depend on these bytes only, where they stand `offset` bytes behind a multiple of three.
fn base64(bytes: &[u8], offset: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| usize::from(byte >> (7 - at % 8) & 1));
    // The first digit that begins inside of the bytes begins at this bit of them.
    let first = (6 - (8 * offset) % 6) % 6;
    let digit = |at: usize| (at..at + 6).fold(0, |digit, at| digit << 1 | bit(at));
    let whole = (first..).step_by(6).take_while(|at| at + 6 <= 8 * bytes.len());
    whole.filter_map(|at| DIGITS.get(digit(at))).map(|it| char::from(*it)).collect()
}
