//! The browser's database as backends use it: its refusals are errors of a backend.

pub use database::{Found, Mode, Put, Reads};
use state::BackendError;

/// The database; its copies are the same one.
#[derive(Clone, Debug)]
pub struct Database(database::Database);

impl Database {
    /// Opens it, or makes it.
    ///
    /// # Errors
    /// The browser does not give one, as in some private windows.
    pub async fn open(name: &str) -> Result<Self, BackendError> {
        database::Database::open(name).await.map(Self).map_err(unavailable)
    }

    /// Runs one transaction: the writes that `decide` returns for the values found are made, all of them or none.
    ///
    /// # Errors
    /// The error that `decide` returns, or a refusal by the database.
    pub async fn transact<T: 'static>(
        &self,
        mode: Mode,
        reads: Reads,
        decide: impl FnOnce(Found) -> Result<(Vec<Put>, T), BackendError> + 'static,
    ) -> Result<T, BackendError> {
        let decide = move |found| match decide(found) {
            Ok((puts, answer)) => (puts, Ok(answer)),
            Err(error) => (Vec::new(), Err(error)),
        };
        self.0.transact(mode, reads, decide).await.map_err(unavailable)?
    }
}

fn unavailable(error: database::DatabaseError) -> BackendError {
    BackendError::Unavailable(format!("the browser's database: {}", error.message))
}
