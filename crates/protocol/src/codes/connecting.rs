//! The codes of what is in the way when a page in a browser connects to an adapter.

diag::codes! {
    /// The codes of what is in the way when a page in a browser connects to an adapter.
    pub const CONNECTING in "adapter";

    /// A text that is not an address of an adapter.
    ///
    /// Write the part before `/v1`, such as `http://127.0.0.1:7070/adapters/process`.
    BAD_ADDRESS = "bad-address": Error;

    /// A token that cannot be sent.
    ///
    /// Copy it again: it has no spaces and no line breaks.
    BAD_TOKEN = "bad-token": Error;

    /// An address with http on a page with https.
    ///
    /// Browsers let no page do that. Give the adapter a certificate, or open the app from the adapter's own machine
    /// with `planloom serve`.
    INSECURE = "insecure": Error;

    /// A server that does not allow this page to read its responses.
    ///
    /// Start the adapter so that it allows the origin of the page: `--allow-origin`.
    CORS = "cors": Error;

    /// An address at which no server responds.
    ///
    /// Check that the adapter runs, that the port is right, and that no firewall blocks it. A content security policy
    /// of the page has to name the address in `connect-src`.
    UNREACHABLE = "unreachable": Error;

    /// A server that has no adapter at this path.
    ///
    /// Write the part before `/v1`, such as `http://127.0.0.1:7070/adapters/process`.
    NO_PATH = "not-found": Error;

    /// A server that is not an adapter.
    ///
    /// Check whether another program listens at this address.
    NOT_AN_ADAPTER = "not-an-adapter": Error;

    /// An adapter that speaks another version of the protocol.
    ///
    /// Use one of version 1, or a newer Planloom.
    OTHER_VERSION = "other-version": Error;

    /// A request that timed out.
    ///
    /// Check whether the adapter runs and responds.
    TIMED_OUT = "timed-out": Error;

    /// An adapter that refuses the request.
    ///
    /// See its log.
    REFUSED = "refused": Error;

    /// A connection that fails.
    ///
    /// See the log of the adapter.
    FAILED = "failed": Error;
}
