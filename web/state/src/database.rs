//! The browser's database as backends use it: what it refuses is an error of a backend.

pub use database::{Found, Mode, Put, Reads};
use state::BackendError;

/// The database; its copies are the same one.
#[derive(Clone, Debug)]
pub struct Database(database::Database);

impl Database {
    /// Opens it, or makes it.
    ///
    /// # Errors
    /// Where the browser does not give one, as in some private windows.
    pub async fn open(name: &str) -> Result<Self, BackendError> {
        database::Database::open(name).await.map(Self).map_err(unavailable)
    }

    /// One transaction: what `decide` makes of what was found is written, all of it or nothing.
    ///
    /// # Errors
    /// What `decide` says, or that the database does not do it.
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
