use std::{fmt, sync::Arc};

use sha2::{Digest, Sha256};

/// The SHA-256 of a token. Comparing digests tells nothing about the tokens, however long it takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenDigest([u8; 32]);

/// The source of the token of a user.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenSource {
    /// Its digest is written.
    Digest(TokenDigest),
    /// It is in an environment variable of that name.
    Variable(Arc<str>),
}

impl TokenDigest {
    /// The digest of a token.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// The digest from its 64 hexadecimal digits; `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text.bytes().map(digit).collect::<Option<_>>()?;
        let bytes: Vec<u8> =
            digits.chunks(2).map(|it| it.iter().fold(0, |sum, digit| sum << 4 | digit)).collect();
        (digits.len() == 64).then_some(())?;
        bytes.try_into().ok().map(Self)
    }
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|it| it.try_into().ok())
}

impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenDigest(••••••)")
    }
}
