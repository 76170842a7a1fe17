use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};

use super::{
    key::{self, SALT},
    sealed,
};
use crate::BackendError;

const FORMAT: &str = "planloom.sealed/1";
const CIPHER: &str = "AES-256-GCM";
const DERIVATION: &str = "PBKDF2-HMAC-SHA256";

/// Encrypted bytes with all that is needed to open them besides the key.
pub(super) struct Envelope {
    /// The derivation of its key; `None` if the key was given.
    pub(super) derivation: Option<key::Derivation>,
    pub(super) nonce: [u8; 12],
    pub(super) data: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    format: String,
    cipher: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Derivation>,
    nonce: String,
    data: String,
}

#[derive(Serialize, Deserialize)]
struct Derivation {
    by: String,
    rounds: u32,
    salt: String,
}

impl Envelope {
    /// Writes it as JSON on one line.
    pub(super) fn write(&self) -> Vec<u8> {
        let key = self.derivation.map(|it| Derivation {
            by: DERIVATION.into(),
            rounds: it.rounds,
            salt: BASE64_STANDARD.encode(it.salt),
        });
        let written = Written {
            format: FORMAT.into(),
            cipher: CIPHER.into(),
            key,
            nonce: BASE64_STANDARD.encode(self.nonce),
            data: BASE64_STANDARD.encode(&self.data),
        };
        // Text and numbers can always be written.
        serde_json::to_vec(&written).unwrap_or_default()
    }

    /// Reads an envelope; `None` if the bytes are not one.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, BackendError> {
        if !is_envelope(bytes) {
            return Ok(None);
        }
        let broken = |_| sealed("the envelope of the encrypted state is damaged");
        let written: Written = serde_json::from_slice(bytes).map_err(broken)?;
        if written.format != FORMAT || written.cipher != CIPHER {
            return Err(sealed(format!(
                "this version of Planloom does not support {} of {}",
                written.cipher, written.format
            )));
        }
        written.unpack().map(Some).ok_or_else(|| sealed("the envelope of the encrypted state is damaged"))
    }
}

impl Written {
    fn unpack(self) -> Option<Envelope> {
        let derivation = match self.key {
            None => None,
            Some(key) if key.by == DERIVATION => {
                Some(key::Derivation { salt: bytes::<SALT>(&key.salt)?, rounds: key.rounds })
            }
            Some(_) => return None,
        };
        let data = BASE64_STANDARD.decode(self.data).ok()?;
        Some(Envelope { derivation, nonce: bytes(&self.nonce)?, data })
    }
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64_STANDARD.decode(text).ok()?.try_into().ok()
}

/// True if the bytes begin like an envelope. This is faster than parsing a whole snapshot twice; no other
/// document begins like that.
fn is_envelope(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct EnvelopeHeader {
        format: String,
    }
    let text = bytes.trim_ascii_start();
    let near = &text[..text.len().min(200)];
    let mentions = near.windows(16).any(|it| it == b"planloom.sealed/");
    mentions
        && serde_json::from_slice::<EnvelopeHeader>(text)
            .is_ok_and(|it| it.format.starts_with("planloom.sealed/"))
}
