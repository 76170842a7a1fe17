use http::{HeaderMap, HeaderValue, Method, header::AUTHORIZATION};

use base64::{Engine, prelude::BASE64_STANDARD};

use protocol::{MAX_STATE, MAX_STATE_TO_BEGIN};

use crate::Encryption;

/// Where a Terraform HTTP server is, and how it wants to be asked.
#[derive(Clone, Debug)]
pub struct TerraformOptions {
    /// The state's address.
    pub address: String,
    /// Where it is locked; the state's address where there is none.
    pub lock_address: Option<String>,
    /// Where it is unlocked; the state's address where there is none.
    pub unlock_address: Option<String>,
    /// How it is written: `POST`, or `PUT`.
    pub update_method: Method,
    /// `LOCK`; some servers, and what stands before some, want `POST` or `PUT`.
    pub lock_method: Method,
    /// `UNLOCK`; some want `DELETE`.
    pub unlock_method: Method,
    /// Without locks a second writer is only noticed by its serial.
    pub locks: bool,
    /// Sent with each request.
    pub headers: HeaderMap,
    /// How often a request is sent again when it failed.
    pub retries: u32,
    /// The first wait before that, in milliseconds; each is twice the one before.
    pub wait: u64,
    /// The longest wait, in milliseconds.
    pub longest_wait: u64,
    /// The longest state that is read, in bytes; none is written that is longer.
    pub longest: usize,
    /// The longest state that something new may be begun with, in bytes. It leaves room up to `longest` for what comes of
    /// that, and for destroying it.
    pub longest_to_begin: usize,
    /// Whether what is kept is encrypted.
    pub encryption: Encryption,
}

impl TerraformOptions {
    /// As Terraform does where nothing else is said.
    pub fn at(address: impl Into<String>) -> Self {
        let verb = |name: &'static str| Method::from_bytes(name.as_bytes()).unwrap_or_default();
        Self {
            address: address.into(),
            lock_address: None,
            unlock_address: None,
            update_method: Method::POST,
            lock_method: verb("LOCK"),
            unlock_method: verb("UNLOCK"),
            locks: true,
            headers: HeaderMap::new(),
            retries: 2,
            wait: 1000,
            longest_wait: 30_000,
            longest: MAX_STATE,
            longest_to_begin: MAX_STATE_TO_BEGIN,
            encryption: Encryption::none(),
        }
    }

    /// With a name and a password, as most such servers want. What no header can hold is left out.
    #[must_use]
    pub fn basic(self, name: &str, password: &str) -> Self {
        self.authorized(&format!("Basic {}", BASE64_STANDARD.encode(format!("{name}:{password}"))))
    }

    /// With a token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.authorized(&format!("Bearer {token}"))
    }

    fn authorized(mut self, value: &str) -> Self {
        if let Ok(mut value) = HeaderValue::from_str(value) {
            value.set_sensitive(true);
            self.headers.insert(AUTHORIZATION, value);
        }
        self
    }
}
