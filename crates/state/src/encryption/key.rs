use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use sha2::Sha256;

use super::sealed;
use crate::{BackendError, Random};

pub(super) type Key = [u8; 32];

/// The number of rounds that OWASP recommends for PBKDF2-HMAC-SHA256; fewer are refused, so that nobody can
/// weaken a state.
const ROUNDS: u32 = 600_000;
/// More rounds would only keep the reader busy.
const MOST_ROUNDS: u32 = 10_000_000;
pub(super) const SALT: usize = 16;

/// The derivation of a key from a passphrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Derivation {
    pub(super) salt: [u8; SALT],
    pub(super) rounds: u32,
}

/// The keys for the given configuration.
#[derive(Clone)]
pub(super) enum Keys {
    Raw(Key),
    Derived { passphrase: Rc<str>, known: Rc<RefCell<DerivedKeys>> },
}

/// Derived keys, and the derivation for new envelopes: that of the existing ones, or else one with a new
/// salt.
#[derive(Default)]
pub(super) struct DerivedKeys {
    keys: BTreeMap<Derivation, Key>,
    current: Option<Derivation>,
}

impl Keys {
    pub(super) const fn raw(key: Key) -> Self {
        Self::Raw(key)
    }

    pub(super) fn derived(passphrase: String) -> Self {
        Self::Derived { passphrase: passphrase.into(), known: Rc::default() }
    }

    /// The key for a new envelope.
    pub(super) fn current(&self, random: &dyn Random) -> (Option<Derivation>, Key) {
        match self {
            Self::Raw(key) => (None, *key),
            Self::Derived { passphrase, known } => {
                let current = known.borrow().current;
                let derivation = current.unwrap_or_else(|| {
                    let mut salt = [0; SALT];
                    random.fill(&mut salt);
                    Derivation { salt, rounds: ROUNDS }
                });
                (Some(derivation), known.borrow_mut().derive(passphrase, derivation))
            }
        }
    }

    /// The key that an envelope was closed with, if it is one of these.
    pub(super) fn of(&self, derivation: Option<Derivation>) -> Result<Key, BackendError> {
        match (self, derivation) {
            (Self::Raw(key), None) => Ok(*key),
            (Self::Raw(_), Some(_)) => {
                Err(sealed("the state is encrypted with a passphrase, not with a key"))
            }
            (Self::Derived { .. }, None) => {
                Err(sealed("the state is encrypted with a key, not with a passphrase"))
            }
            (Self::Derived { passphrase, known }, Some(derivation)) => {
                let rounds = derivation.rounds;
                if !(ROUNDS..=MOST_ROUNDS).contains(&rounds) {
                    let why = format!("the state's key is derived in {rounds} rounds, which is not trusted");
                    return Err(sealed(why));
                }
                Ok(known.borrow_mut().derive(passphrase, derivation))
            }
        }
    }
}

impl DerivedKeys {
    fn derive(&mut self, passphrase: &str, derivation: Derivation) -> Key {
        self.current = Some(derivation);
        *self.keys.entry(derivation).or_insert_with(|| {
            pbkdf2::pbkdf2_hmac_array::<Sha256, 32>(
                passphrase.as_bytes(),
                &derivation.salt,
                derivation.rounds,
            )
        })
    }
}
