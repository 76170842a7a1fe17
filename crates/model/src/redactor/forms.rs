//! The forms of a secret in JSON, in a URL, in base64 and in hexadecimal digits.

use std::fmt::Write as _;

use super::{SHORTEST_CONTAINED, escapes::Escapes, needles::Needles};

/// The shortest line of a secret of several lines that is a secret by itself.
const SHORTEST_LINE: usize = 8;

/// The fewest digits of base64 that are found with blanks between them: fewer stand in ordinary sentences.
const SHORTEST_IN_GROUPS: usize = 5;

/// All that stands for secrets inside of texts.
#[derive(Clone, Default)]
pub(super) struct Forms {
    /// Looked for in texts as they are, decoded, and without line breaks.
    pub(super) written: Needles,
    /// Looked for in texts without blanks.
    pub(super) base64: Needles,
    /// Looked for in nothing but digits.
    pub(super) digits: Needles,
}

impl Forms {
    /// Also those of this secret; none where it is too short.
    pub(super) fn add(&mut self, secret: &str) {
        self.add_text(secret);
        if secret.contains(['\n', '\r']) {
            let lines = secret.split(['\n', '\r']).map(str::trim);
            // What frames a key in PEM says nothing of it.
            let own = lines.filter(|it| it.chars().count() >= SHORTEST_LINE && !it.starts_with("-----"));
            own.for_each(|line| self.add_text(line));
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    fn add_text(&mut self, text: &str) {
        if !is_long(text.as_bytes()) {
            return;
        }
        for form in escaped(text) {
            self.written.add(form.as_bytes());
        }
        for form in bare(text) {
            self.written.add(&form);
        }
        for offset in 0..3 {
            let standard = base64(text.as_bytes(), offset);
            for form in [standard.replace('+', "-").replace('/', "_"), standard] {
                self.written.add(form.as_bytes());
                if form.len() >= SHORTEST_IN_GROUPS {
                    self.base64.add(form.as_bytes());
                }
            }
        }
        self.digits.add(hex(text).as_bytes());
    }
}

/// True if it has enough characters to be searched for in other texts.
fn is_long(text: &[u8]) -> bool {
    text.iter().filter(|it| (**it & 0b1100_0000) != 0b1000_0000).count() >= SHORTEST_CONTAINED
}

/// As it is left where texts are decoded and lose their line breaks: itself, with what it holds that reads as an escape
/// decoded, with `+` for blanks; in UTF-8, and in Latin-1, which is decoded from `%f6` and `\xf6`.
fn bare(text: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![text.as_bytes().to_vec()];
    if !text.is_ascii()
        && let Ok(latin) = text.chars().map(|c| u8::try_from(u32::from(c))).collect()
    {
        forms.push(latin);
    }
    let alone = Escapes::alone(text.as_bytes());
    for escapes in alone.into_iter().chain([Escapes::ALL]) {
        let mut decoded = text.as_bytes().to_vec();
        while let Some(view) = escapes.decoded(&decoded) {
            decoded = view.bytes;
        }
        forms.push(decoded);
    }
    for form in &mut forms {
        form.retain(|it| !matches!(it, b'\n' | b'\r'));
    }
    let plus = |form: &Vec<u8>| form.iter().map(|it| if *it == b' ' { b'+' } else { *it }).collect();
    forms.extend(forms.iter().map(plus).collect::<Vec<_>>());
    forms.retain(|it| is_long(it));
    forms
}

/// As it is, in JSON and in URLs, as most write it.
fn escaped(text: &str) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
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
    forms
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

/// The characters that writers of URLs leave as they are, besides letters and digits: none, those that RFC 3986 permits,
/// those that Python and JavaScript leave.
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
pub(super) fn base64(bytes: &[u8], offset: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| usize::from(byte >> (7 - at % 8) & 1));
    // The first digit that begins inside of the bytes begins at this bit of them.
    let first = (6 - (8 * offset) % 6) % 6;
    let digit = |at: usize| (at..at + 6).fold(0, |digit, at| digit << 1 | bit(at));
    let whole = (first..).step_by(6).take_while(|at| at + 6 <= 8 * bytes.len());
    whole.filter_map(|at| DIGITS.get(digit(at))).map(|it| char::from(*it)).collect()
}
