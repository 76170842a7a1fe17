use state::BackendError;
use tokio::task;

/// Runs blocking disk work outside of this thread. Dropping the future does not stop it.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackendError> + Send + 'static,
) -> Result<T, BackendError> {
    let done = task::spawn_blocking(work).await;
    done.unwrap_or_else(|why| Err(BackendError::Unavailable(format!("the state's files: {why}"))))
}
