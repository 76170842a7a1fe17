//! Finds an intact version of a damaged state.

use crate::{Backend, BackendError, Snapshot};

/// The loaded state of a backend. If it cannot be read, the error also names the latest version of its
/// history that can.
///
/// # Errors
/// Those of [`load`](Backend::load).
pub async fn with_repair_advice(
    backend: &dyn Backend,
    loaded: Result<Option<Snapshot>, BackendError>,
) -> Result<Option<Snapshot>, BackendError> {
    match loaded {
        Err(BackendError::Corrupt(why)) => {
            let advice = match latest_intact_version(backend).await {
                Some(serial) => format!("version {serial} of its history is intact"),
                None => "no version of its history is intact".to_owned(),
            };
            Err(BackendError::Corrupt(format!("{why}; {advice}")))
        }
        // Damage and a wrong key look the same, unless something else opens with this one.
        Err(BackendError::Sealed(why)) => {
            Err(BackendError::Sealed(match latest_intact_version(backend).await {
                Some(serial) => {
                    format!(
                        "{why}; version {serial} of its history can be decrypted, so this one may be \
                             damaged"
                    )
                }
                None => why,
            }))
        }
        loaded => loaded,
    }
}

/// The serial of the latest version in the history of a backend that can be read, if any.
pub async fn latest_intact_version(backend: &dyn Backend) -> Option<u64> {
    for version in backend.versions().await.ok()? {
        if let Ok(Some(_)) = backend.version(version.serial).await {
            return Some(version.serial);
        }
    }
    None
}
