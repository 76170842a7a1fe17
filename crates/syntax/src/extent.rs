//! The ends of scalars: the parser's marks go over the white space behind them.

/// The byte after the closing quote of the scalar whose opening quote is at `start`; the end of the text if it is
/// not closed.
pub(crate) fn quoted_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(quote) = bytes.get(start).copied() else { return text.len() };
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 2,
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 2,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The end of the indicators of the block scalar that starts at `start`, and the end of its last line with text
/// before `limit`.
pub(crate) fn block_end(text: &str, start: usize, limit: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let marks = |byte: &u8| matches!(byte, b'|' | b'>' | b'+' | b'-' | b'0'..=b'9');
    let header = start + bytes[start..].iter().position(|byte| !marks(byte)).unwrap_or(bytes.len() - start);
    let first_line = header + line_len(&bytes[header..]);
    let limit = limit.max(first_line);
    let content = text.get(first_line..limit).unwrap_or_default();
    let trimmed = content.trim_end_matches([' ', '\t', '\n', '\r']);
    if trimmed.is_empty() {
        return (header, header);
    }
    let last = first_line + trimmed.len();
    (header, (last + line_len(&bytes[last..])).min(limit))
}

fn line_len(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len())
}
