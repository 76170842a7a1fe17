use http::{HeaderMap, HeaderValue, Method, header::AUTHORIZATION};

use base64::{Engine, prelude::BASE64_STANDARD};

use protocol::{MAX_STATE, MAX_STATE_TO_BEGIN};

use crate::Encryption;

/// A Terraform HTTP server, and its configuration.
#[derive(Clone, Debug)]
pub struct TerraformOptions {
    /// The state's address.
    pub address: String,
    /// The address for locking; the state's address if there is none.
    pub lock_address: Option<String>,
    /// The address for unlocking; the state's address if there is none.
    pub unlock_address: Option<String>,
    /// The method for writing: `POST`, or `PUT`.
    pub update_method: Method,
    /// The method for locking: `LOCK`; some servers and proxies require `POST` or `PUT`.
    pub lock_method: Method,
    /// The method for unlocking: `UNLOCK`; some servers require `DELETE`.
    pub unlock_method: Method,
    /// True if to use locks. Without them a second writer is only detected by its serial.
    pub locks: bool,
    /// Headers of each request.
    pub headers: HeaderMap,
    /// The number of retries of a failed request.
    pub retries: u32,
    /// The first pause before a retry, in milliseconds; each is twice as long as the one before.
    pub wait: u64,
    /// The longest pause, in milliseconds.
    pub longest_wait: u64,
    /// The longest state that is read or written, in bytes.
    pub longest: usize,
    /// The longest state, in bytes, with which something new may be started. The difference to `longest` is
    /// left for recording the outcome, and for destroying the resources.
    pub longest_to_begin: usize,
    /// The encryption of the state.
    pub encryption: Encryption,
}

impl TerraformOptions {
    /// Terraform's defaults.
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

    /// Adds a user name and a password, which most such servers require. Values that no header can contain
    /// are left out.
    #[must_use]
    pub fn basic(self, name: &str, password: &str) -> Self {
        self.authorized(&format!("Basic {}", BASE64_STANDARD.encode(format!("{name}:{password}"))))
    }

    /// Adds a token.
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
