use std::sync::Arc;

/// A token of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(Arc<str>),
    Int(u64),
    Uint(u64),
    Double(f64),
    Text(Arc<str>),
    /// Operators and brackets.
    Mark(&'static str),
}

/// Longer ones come first.
const MARKS: [&str; 25] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "?", ":", "(", ")", "[", "]", "{", "}", ".", ",", "+",
    "-", "*", "/", "%", "`",
];

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let (token, after) = token(first, rest)?;
        tokens.push(token);
        rest = after;
    }
}

fn token(first: char, rest: &str) -> Result<(Token, &str), String> {
    let is_fraction = first == '.' && rest[1..].starts_with(|it: char| it.is_ascii_digit());
    if first.is_ascii_digit() || is_fraction {
        return number(rest);
    }
    if matches!(first, '"' | '\'') {
        return quoted(rest, false);
    }
    if let Some(raw) = rest.strip_prefix(['r', 'R']).filter(|it| it.starts_with(['"', '\''])) {
        return quoted(raw, true);
    }
    if rest.strip_prefix(['b', 'B']).is_some_and(|it| it.starts_with(['"', '\''])) {
        return Err("byte strings are not supported".to_owned());
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let len = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
        return Ok((Token::Name(rest[..len].into()), &rest[len..]));
    }
    match MARKS.into_iter().find(|it| rest.starts_with(it)) {
        Some(mark) => Ok((Token::Mark(mark), &rest[mark.len()..])),
        None => Err(format!("unexpected `{first}`")),
    }
}

fn number(text: &str) -> Result<(Token, &str), String> {
    let invalid = |number: &str| format!("`{number}` is not a number that can be read");
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let (digits, rest) = take(hex, |it| it.is_ascii_hexdigit());
        let value = u64::from_str_radix(digits, 16).map_err(|_| invalid(digits))?;
        return Ok(whole(value, rest));
    }
    let (digits, rest) = take(text, |it| it.is_ascii_digit());
    let (fraction, rest) =
        match rest.strip_prefix('.').filter(|it| it.starts_with(|it: char| it.is_ascii_digit())) {
            Some(after) => take(after, |it| it.is_ascii_digit()),
            None => ("", rest),
        };
    let (exponent, rest) = exponent(rest);
    let written = &text[..text.len() - rest.len()];
    if fraction.is_empty() && exponent.is_empty() {
        let value = digits.parse().map_err(|_| invalid(written))?;
        return Ok(whole(value, rest));
    }
    let value = syntax::decimal(written).ok_or_else(|| invalid(written))?;
    Ok((Token::Double(value), rest))
}

fn whole(value: u64, rest: &str) -> (Token, &str) {
    match rest.strip_prefix(['u', 'U']) {
        Some(rest) => (Token::Uint(value), rest),
        None => (Token::Int(value), rest),
    }
}

fn exponent(text: &str) -> (&str, &str) {
    let Some(after) = text.strip_prefix(['e', 'E']) else { return ("", text) };
    let (digits, rest) = take(after.strip_prefix(['+', '-']).unwrap_or(after), |it| it.is_ascii_digit());
    if digits.is_empty() { ("", text) } else { (digits, rest) }
}

fn take(text: &str, is_part: impl Fn(u8) -> bool) -> (&str, &str) {
    text.split_at(text.bytes().position(|it| !is_part(it)).unwrap_or(text.len()))
}

fn quoted(text: &str, is_raw: bool) -> Result<(Token, &str), String> {
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|it| text.starts_with(it)).unwrap_or("\"");
    let (mut value, mut rest) = (String::new(), &text[quote.len()..]);
    loop {
        if let Some(after) = rest.strip_prefix(quote) {
            return Ok((Token::Text(value.into()), after));
        }
        let mut chars = rest.chars();
        match chars.next() {
            None => return Err("a string is not closed".to_owned()),
            Some('\n' | '\r') if quote.len() == 1 => {
                return Err("a string is not closed on its line".to_owned());
            }
            Some('\\') if !is_raw => {
                let (character, after) =
                    escape(chars.as_str()).ok_or("an escape in a string is not valid")?;
                value.push(character);
                rest = after;
                continue;
            }
            Some(character) => value.push(character),
        }
        rest = chars.as_str();
    }
}

fn escape(text: &str) -> Option<(char, &str)> {
    let first = text.chars().next()?;
    let rest = &text[first.len_utf8()..];
    let character = match first {
        '\\' | '\'' | '"' | '`' | '?' => first,
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        'x' | 'X' => return code(rest, 2, 16),
        'u' => return code(rest, 4, 16),
        'U' => return code(rest, 8, 16),
        '0'..='3' => return code(text, 3, 8),
        _ => return None,
    };
    Some((character, rest))
}

fn code(text: &str, len: usize, radix: u32) -> Option<(char, &str)> {
    let (digits, rest) = (text.get(..len)?, text.get(len..)?);
    let is_number = digits.chars().all(|it| it.is_digit(radix));
    let code = is_number.then(|| u32::from_str_radix(digits, radix).ok())??;
    Some((char::from_u32(code)?, rest))
}
