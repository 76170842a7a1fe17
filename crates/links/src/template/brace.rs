/// The byte of the `}` that ends an accessor, in the text behind its `${`.
///
/// Braces of blocks and maps are counted; those in texts (`"…"`, `'…'`) are not, but for what is put into a text with
/// `#{…}`. `None` where it is never ended.
pub fn closing_brace(text: &str) -> Option<usize> {
    // What is open, outermost first: a brace, or a text that a brace stands in.
    let mut open = Vec::new();
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (open.last(), byte) {
            (Some(b'"' | b'\''), b'\\') => drop(bytes.next()),
            (Some(quote @ (b'"' | b'\'')), _) if byte == *quote => drop(open.pop()),
            (Some(b'"'), b'#') if text[at + 1..].starts_with('{') => {
                bytes.next();
                open.push(b'{');
            }
            (Some(b'"' | b'\''), _) => {}
            (_, b'"' | b'\'' | b'{') => open.push(byte),
            (None, b'}') => return Some(at),
            (Some(_), b'}') => drop(open.pop()),
            _ => {}
        }
    }
    None
}
