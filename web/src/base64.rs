//! Bytes as base64url without padding: for messages and for links.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as text.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |idx: usize| u32::from(chunk.get(idx).copied().unwrap_or(0));
        let group = at(0) << 16 | at(1) << 8 | at(2);
        let digits = [18, 12, 6, 0].map(|shift| char::from(ALPHABET[(group >> shift) as usize & 63]));
        text.extend(&digits[..=chunk.len()]);
    }
    text
}

/// Text as bytes; `None` when it is not base64url.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut group, mut bits) = (0u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        group = group << 6 | value(digit)?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((group >> bits) as u8);
        }
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        for length in 0..70u8 {
            let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(37) ^ 0xa5).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
        assert_eq!(encode(b"Planloom"), "UGxhbmxvb20");
        assert_eq!(decode("a b"), None);
    }
}
