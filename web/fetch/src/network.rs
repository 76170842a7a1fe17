use std::rc::Rc;

use protocol::{LocalFuture, Transport};

/// The way to adapters elsewhere.
pub trait Network {
    /// What sends the requests.
    fn transport(&self) -> Rc<dyn Transport>;

    /// Whether anything answers at an address, regardless of who may read its answers.
    fn answers(&self, address: &str) -> LocalFuture<bool>;

    /// True if the page came over an encrypted connection.
    fn is_secure(&self) -> bool;

    /// The page's origin, as adapters have to allow it; empty where there is no page.
    fn origin(&self) -> String;
}
