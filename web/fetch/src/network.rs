use std::rc::Rc;

use protocol::{LocalFuture, Transport};

/// The way to adapters elsewhere.
pub trait Network {
    /// The transport that sends the requests.
    fn transport(&self) -> Rc<dyn Transport>;

    /// Resolves to true if a server answers at an address, even one whose answers the page may not read.
    fn answers(&self, address: &str) -> LocalFuture<bool>;

    /// True if the page came over an encrypted connection.
    fn is_secure(&self) -> bool;

    /// The page's origin, as adapters have to allow it; empty where there is no page.
    fn origin(&self) -> String;
}
