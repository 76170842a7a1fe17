//! Repairs a damaged state on a server: a version replaces it, and the damaged data becomes a version, which
//! cannot be read, but is not lost.

use http::Method;
use protocol::percent_encoded;

use super::{history::written, server::Server};
use crate::{BackendError, Lease, RepairReport, SealedPart, Snapshot};

impl Server {
    pub(super) async fn repair(
        &self,
        lease: &Lease,
        mut snapshot: Snapshot,
    ) -> Result<RepairReport, BackendError> {
        match self.load().await {
            Err(BackendError::Corrupt(_) | BackendError::Sealed(_)) => {}
            Err(other) => return Err(other),
            Ok(_) => {
                return Err(BackendError::Invalid("the state can be read: nothing has to be fixed".into()));
            }
        }
        let damaged = self.whole(&self.options.address).await?.into_body();
        let latest = self.versions().await?.first().map_or(0, |it| it.serial);
        let aside = latest.max(snapshot.serial).max(serial(&damaged)) + 1;
        self.keep_text(&percent_encoded(&lease.token), aside, &damaged).await?;
        snapshot.serial = aside + 1;
        let body = self.options.encryption.close(SealedPart::Snapshot, snapshot.to_text().into_bytes())?;
        let answer = self.send(&self.options.update_method, &self.state(lease), &body).await?;
        written(&answer)?;
        Ok(RepairReport { serial: snapshot.serial, aside: vec![format!("version {aside} of its history")] })
    }

    async fn keep_text(&self, lock: &str, serial: u64, text: &[u8]) -> Result<(), BackendError> {
        let none = || BackendError::Unsupported("this server keeps one version of the state".into());
        let history = self.history().ok_or_else(none)?;
        let answer =
            self.send(&Method::PUT, &format!("{history}/{serial}?resources=0&ID={lock}"), text).await?;
        written(&answer)
    }
}

/// The serial that a text seems to contain: the next one is greater, whatever else is damaged.
fn serial(text: &[u8]) -> u64 {
    const KEY: &[u8] = b"\"serial\":";
    let at = text.windows(KEY.len()).position(|it| it == KEY).map_or(text.len(), |at| at + KEY.len());
    let digits =
        text[at..].iter().skip_while(|it| it.is_ascii_whitespace()).take_while(|it| it.is_ascii_digit());
    digits.take(15).fold(0, |all, digit| all * 10 + u64::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use super::serial;

    #[test]
    fn a_serial_is_found_in_what_is_left() {
        assert_eq!(serial(b"{\"format\": ?, \"serial\": 712, \"re"), 712);
        assert_eq!(serial(b"{\"serial\":9999999999999999999999}"), 999_999_999_999_999);
        assert_eq!(serial(b"nothing"), 0);
    }
}
