use std::sync::Arc;

use rustls::{ClientConfig, Error, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

/// TLS 1.2 and 1.3 with the trusted certificates of the system. If the system has none, as in a bare
/// container, no server is trusted, and http keeps working.
pub(crate) fn config() -> Result<ClientConfig, Error> {
    let builder = || {
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        builder.with_safe_default_protocol_versions()
    };
    match builder()?.with_platform_verifier() {
        Ok(config) => Ok(config.with_no_client_auth()),
        Err(_) => Ok(builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth()),
    }
}
