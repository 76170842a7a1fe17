//! Encrypting a state that was kept in clear text before.

use host::SystemTimer;
use report::codes;
use serde_json::json;
use state::{Backend, BackendError};
use workspace::view::DiagnosticView;
use workspace::view::words::count;

use super::{CommandResult, Kept, claim, record, reported};
use crate::problem::problem;
use crate::work::place;

impl Kept<'_> {
    /// Writes the state again, encrypted, as a new version that records the same. Earlier versions stay as they are.
    pub(super) async fn encrypt(&self) -> CommandResult {
        if !place::has_passphrase() {
            let help = "set `PLANLOOM_STATE_PASSPHRASE` to the passphrase that it is to be encrypted with";
            return Err(Box::new(problem(codes::NO_PASSPHRASE, None, "there is no passphrase", help)));
        }
        let plain = place::open_migrating(&self.place.state, SystemTimer::new())?;
        let lease = plain.acquire(claim("state encrypt", 60_000)).await.map_err(reported)?;
        let serial = self.rewrite(&*plain, &lease).await;
        plain.release(&lease).await.map_err(reported)?;
        let serial = serial?;
        let in_clear = self.in_clear().await.map_err(reported)?;
        let mut out = match serial {
            Some(serial) => format!("The state is encrypted from version {serial} on.\n"),
            None => "The state is encrypted already.\n".into(),
        };
        if let [latest, ..] = *in_clear {
            let versions = count(in_clear.len(), "version");
            out.push_str(&format!(
                "Note: {versions} of its history, {latest} and before, cannot be opened with this passphrase. What is \
                 not encrypted of them stays readable until it is removed.\n"
            ));
        }
        let json = json!({"format": "planloom.state-encrypt/1", "serial": serial, "not_encrypted": in_clear});
        Ok(self.answer(out, json))
    }

    /// The serial of the version that is encrypted now; `None` where the state was before.
    async fn rewrite(
        &self,
        plain: &dyn Backend,
        lease: &state::Lease,
    ) -> Result<Option<u64>, Box<DiagnosticView>> {
        match self.backend.load().await {
            Ok(None) => return Err(self.nothing()),
            Ok(Some(_)) => return Ok(None),
            Err(BackendError::Sealed(_)) => {}
            Err(error) => return Err(reported(error)),
        }
        let snapshot = plain.load().await.map_err(reported)?.ok_or_else(|| self.nothing())?;
        record(plain, lease, snapshot.clone(), &snapshot).await.map(Some).map_err(reported)
    }

    /// The versions that do not open with the passphrase, latest first.
    async fn in_clear(&self) -> Result<Vec<u64>, BackendError> {
        let mut found = Vec::new();
        for version in self.backend.versions().await? {
            if matches!(self.backend.version(version.serial).await, Err(BackendError::Sealed(_))) {
                found.push(version.serial);
            }
        }
        Ok(found)
    }
}
