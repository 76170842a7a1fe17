use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::{ParseError, Sorter, codes};

/// The form of tokens that are made now.
const VERSION: u8 = 1;

/// The bytes of a token that say that it is not changed.
const TAG: usize = 16;

/// The longest token, in bytes.
const LONGEST: usize = 1 << 20;

/// A place in an ordered list: the values by which a resource is ordered, its name last, and the side of it on which to
/// continue. The resource does not have to exist any more.
///
/// As a text, the page token, it is opaque and safe in URLs, and belongs to one query: a digest of filter, order and parent is
/// in it. A tag is over all of it; with a secret only its holder can make tokens, without one the tag shows accidental changes
/// only. The content of a token is not encrypted.
#[derive(Clone, Debug, PartialEq)]
pub struct Cursor {
    pub(crate) side: Side,
    pub(crate) values: Vec<Value>,
}

/// The resources that come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    After,
    AtOrAfter,
    Before,
    AtOrBefore,
}

impl Side {
    const ALL: [Self; 4] = [Self::After, Self::AtOrAfter, Self::Before, Self::AtOrBefore];

    const fn as_str(self) -> &'static str {
        match self {
            Self::After => "after",
            Self::AtOrAfter => "from",
            Self::Before => "before",
            Self::AtOrBefore => "to",
        }
    }
}

impl Cursor {
    /// The place from which on come the resources after this one.
    pub fn after(resource: &Value, order: &Sorter<'_>) -> Self {
        Self { side: Side::After, values: order.values(resource) }
    }

    /// The place up to which come the resources before this one.
    pub fn before(resource: &Value, order: &Sorter<'_>) -> Self {
        Self { side: Side::Before, values: order.values(resource) }
    }

    /// The place after a resource with these values.
    pub const fn after_values(values: Vec<Value>) -> Self {
        Self { side: Side::After, values }
    }

    /// The values of the resource.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The place in a page token that another server has made. That it is unchanged, and of which query it is, that server
    /// checks.
    pub fn of_other_server(token: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let body = bytes.get(1 + TAG..)?;
        let (_, side, values): (String, String, Vec<Value>) = serde_json::from_slice(body).ok()?;
        let side = Side::ALL.into_iter().find(|it| it.as_str() == side)?;
        Some(Self { side, values })
    }

    /// The page token, given the texts that it is bound to (filter, order and parent) and the secret.
    pub fn encode(&self, query: &[&str], secret: &[u8]) -> String {
        let body = json!([query_digest(query), self.side.as_str(), self.values]).to_string();
        let mut bytes = vec![VERSION];
        bytes.extend(tag(body.as_bytes(), secret));
        bytes.extend(body.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a page token that is bound to these texts, with the same secret.
    ///
    /// # Errors
    /// `fields/cursor-old` for a form of tokens that is not made any more, `fields/cursor-query` for a token of another
    /// query, `fields/cursor-invalid` for a text that is no token or was changed.
    pub fn decode(token: &str, query: &[&str], secret: &[u8]) -> Result<Self, ParseError> {
        let bytes =
            Some(token).filter(|it| it.len() <= LONGEST).and_then(|it| URL_SAFE_NO_PAD.decode(it).ok());
        let bytes = bytes.ok_or_else(invalid)?;
        let (version, rest) = bytes.split_first().ok_or_else(invalid)?;
        if *version < VERSION {
            return Err(old());
        }
        let (mark, body) = rest.split_at_checked(TAG).ok_or_else(invalid)?;
        if *version > VERSION || !bool::from(mark.ct_eq(&tag(body, secret))) {
            return Err(invalid());
        }
        let Ok([Value::String(of), Value::String(side), Value::Array(values)]) =
            serde_json::from_slice::<[Value; 3]>(body)
        else {
            return Err(invalid());
        };
        if of != query_digest(query) {
            return Err(foreign());
        }
        let side = Side::ALL.into_iter().find(|it| it.as_str() == side).ok_or_else(invalid)?;
        Ok(Self { side, values })
    }
}

fn tag(body: &[u8], secret: &[u8]) -> [u8; TAG] {
    // The rest of the hash stays hidden, so that nobody can extend what was hashed.
    let hash = Sha256::new()
        .chain_update((secret.len() as u64).to_le_bytes())
        .chain_update(secret)
        .chain_update(body)
        .finalize();
    let mut tag = [0; TAG];
    tag.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    tag
}

/// The digest of a query's texts, of which none can be taken for a part of another: 16 characters that are safe in URLs.
pub fn query_digest(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    URL_SAFE_NO_PAD.encode(hash.finalize().get(..12).unwrap_or_default())
}

const RESTART: &str = "leave the page token empty to start from the first page";

fn invalid() -> ParseError {
    ParseError::new(
        codes::CURSOR_INVALID,
        0,
        "the page token is not one that was given out, or was changed",
        RESTART,
    )
}

fn old() -> ParseError {
    ParseError::new(codes::CURSOR_OLD, 0, "the page token is of an older version", RESTART)
}

fn foreign() -> ParseError {
    let help = "use a token with the filter, order and parent that it was given out for, or leave it empty";
    ParseError::new(codes::CURSOR_QUERY, 0, "the page token belongs to another filter, order or parent", help)
}
