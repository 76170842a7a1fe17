//! Bytes as base64url without padding: for messages and for links.

use base64::{
    Engine,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

/// Links come from anywhere: padding that somebody added does no harm, nor do bits that mean nothing.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Bytes as text.
pub fn encode(bytes: &[u8]) -> String {
    BASE64URL.encode(bytes)
}

/// Text as bytes; `None` when it is not base64url.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64URL.decode(text.trim_end_matches('=')).ok()
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

    #[test]
    fn padding_and_stray_bits_do_no_harm() {
        assert_eq!(decode("UGxhbmxvb20="), Some(b"Planloom".to_vec()));
        assert_eq!(decode("UGxhbmxvb21"), Some(b"Planloom".to_vec()));
    }
}
