//! Encryption of states: AES-256-GCM around the bytes that backends keep.

mod envelope;
mod key;

use std::{borrow::Cow, fmt, rc::Rc};

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Payload},
};

use crate::{BackendError, Random};
use envelope::Envelope;
use key::Keys;

/// The part of a state that some bytes are. A part does not open in the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedPart {
    /// A whole snapshot.
    Snapshot,
    /// A commit.
    Commit,
    /// A plan that is kept beside a state.
    Plan,
}

impl SealedPart {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::Snapshot => b"planloom.sealed/1 snapshot",
            Self::Commit => b"planloom.sealed/1 commit",
            Self::Plan => b"planloom.sealed/1 plan",
        }
    }
}

/// The encryption of the bytes of a state, if they are encrypted. Clones share derived keys.
#[derive(Clone, Default)]
pub struct Encryption(Option<Rc<Sealing>>);

struct Sealing {
    keys: Keys,
    random: Rc<dyn Random>,
    migrating: bool,
}

impl Encryption {
    /// No encryption. An encrypted state is refused.
    pub fn none() -> Self {
        Self::default()
    }

    /// Encryption with a key of 32 random bytes.
    pub fn key(key: [u8; 32], random: Rc<dyn Random>) -> Self {
        Self(Some(Rc::new(Sealing { keys: Keys::raw(key), random, migrating: false })))
    }

    /// Encryption with a key that is derived from a passphrase, once for each salt,
    /// because that takes noticeable time.
    pub fn passphrase(passphrase: impl Into<String>, random: Rc<dyn Random>) -> Self {
        let keys = Keys::derived(passphrase.into());
        Self(Some(Rc::new(Sealing { keys, random, migrating: false })))
    }

    /// The same, but also opens data that is not encrypted yet: the next write encrypts it.
    #[must_use]
    pub fn migrating(self) -> Self {
        let sealing =
            self.0.map(|it| Sealing { keys: it.keys.clone(), random: it.random.clone(), migrating: true });
        Self(sealing.map(Rc::new))
    }

    /// Encrypts bytes, if there is a key.
    ///
    /// # Errors
    /// [`BackendError::Sealed`] if there are more bytes than the cipher takes, which is 64 GiB.
    pub fn close(&self, piece: SealedPart, clear: Vec<u8>) -> Result<Vec<u8>, BackendError> {
        match &self.0 {
            None => Ok(clear),
            Some(sealing) => sealing.close(piece, &clear),
        }
    }

    /// Decrypts bytes, if they are encrypted.
    ///
    /// # Errors
    /// [`BackendError::Sealed`] if they are encrypted and there is no key or another one, if they were
    /// tampered with, or if they are not encrypted but should be.
    pub fn open<'b>(&self, piece: SealedPart, kept: &'b [u8]) -> Result<Cow<'b, [u8]>, BackendError> {
        match (&self.0, Envelope::read(kept)?) {
            (None, None) => Ok(Cow::Borrowed(kept)),
            (None, Some(_)) => Err(sealed("the state is encrypted: give its key or passphrase")),
            (Some(sealing), None) if sealing.migrating => Ok(Cow::Borrowed(kept)),
            (Some(_), None) => {
                Err(sealed("the state is not encrypted, though a key or a passphrase is given"))
            }
            (Some(sealing), Some(envelope)) => sealing.open(piece, &envelope).map(Cow::Owned),
        }
    }
}

impl Sealing {
    fn close(&self, piece: SealedPart, clear: &[u8]) -> Result<Vec<u8>, BackendError> {
        let (derivation, key) = self.keys.current(&*self.random);
        let mut nonce = [0; 12];
        self.random.fill(&mut nonce);
        let payload = Payload { msg: clear, aad: piece.label() };
        let closed = Aes256Gcm::new(&key.into()).encrypt(&nonce.into(), payload);
        let data = closed.map_err(|_| sealed("the state is too long to be encrypted"))?;
        Ok(Envelope { derivation, nonce, data }.write())
    }

    fn open(&self, piece: SealedPart, envelope: &Envelope) -> Result<Vec<u8>, BackendError> {
        let key = self.keys.of(envelope.derivation)?;
        let payload = Payload { msg: &envelope.data, aad: piece.label() };
        let opened = Aes256Gcm::new(&key.into()).decrypt(&envelope.nonce.into(), payload);
        opened.map_err(|_| {
            let whose = if envelope.derivation.is_some() { "passphrase" } else { "key" };
            sealed(format!(
                "this {whose} does not decrypt the state: it is a different one, or the state was changed"
            ))
        })
    }
}

fn sealed(why: impl Into<String>) -> BackendError {
    BackendError::Sealed(why.into())
}

impl fmt::Debug for Encryption {
    /// Never prints the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Encryption(..)" } else { "Encryption(none)" })
    }
}
