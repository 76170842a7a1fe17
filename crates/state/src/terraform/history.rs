use http::{HeaderMap, Method, Response, StatusCode, header::LINK};

use super::server::{Server, refusal};
use crate::{BackendError, SealedPart, Snapshot, Version};

/// The relation of a state to its versions.
const RELATION: &str = "rel=\"version-history\"";

impl Server {
    /// The address of the versions, if the server has reported one.
    pub(super) fn history(&self) -> Option<String> {
        self.history.borrow().clone()
    }

    /// Reads the address of the versions from the headers of an answer.
    pub(super) fn read_history_link(&self, headers: &HeaderMap) {
        let path = headers.get_all(LINK).iter().find_map(|it| path(it.to_str().ok()?));
        if let Some(path) = path {
            self.history.replace(Some(format!("{}{path}", origin(&self.options.address))));
        }
    }

    /// The versions in the history, latest first.
    pub(super) async fn versions(&self) -> Result<Vec<Version>, BackendError> {
        let answer = self.send(&Method::GET, &self.find_history().await?, &[]).await?;
        let broken = |why| BackendError::Corrupt(format!("the history of the state: {why}"));
        match answer.status() {
            StatusCode::OK => serde_json::from_slice(answer.body()).map_err(broken),
            StatusCode::NOT_FOUND => Ok(Vec::new()),
            _ => Err(refusal(&answer)),
        }
    }

    pub(super) async fn version(&self, serial: u64) -> Result<Option<Snapshot>, BackendError> {
        let place = format!("{}/{serial}", self.find_history().await?);
        let answer = self.whole(&place).await?;
        match answer.status() {
            StatusCode::OK => self.read(&place, answer.body()).map(Some),
            StatusCode::NOT_FOUND => Ok(None),
            _ => Err(refusal(&answer)),
        }
    }

    /// Writes a version under a lock, if the server keeps versions. The same version may be written again.
    pub(super) async fn keep(&self, lock: &str, snapshot: &Snapshot) -> Result<(), BackendError> {
        let Some(history) = self.history() else { return Ok(()) };
        let body = self.options.encryption.close(SealedPart::Snapshot, snapshot.to_text().into_bytes())?;
        let (serial, resources) = (snapshot.serial, snapshot.resources.len());
        let to = format!("{history}/{serial}?resources={resources}&ID={lock}");
        let answer = self.send(&Method::PUT, &to, &body).await?;
        written(&answer)
    }

    /// The address of the versions; queries the server if it is not known yet.
    async fn find_history(&self) -> Result<String, BackendError> {
        if self.history().is_none() {
            self.send(&Method::GET, &self.options.address, &[]).await?;
        }
        let none = || BackendError::Unsupported("this server keeps one version of the state".into());
        self.history().ok_or_else(none)
    }
}

/// The outcome of a write under a lock.
pub(super) fn written(answer: &Response<Vec<u8>>) -> Result<(), BackendError> {
    match answer.status().as_u16() {
        200..=299 => Ok(()),
        409 | 423 => Err(BackendError::LeaseLost),
        _ => Err(refusal(answer)),
    }
}

/// The path in such a link; links to other servers are not followed.
fn path(link: &str) -> Option<&str> {
    let (target, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
    let is_path = target.starts_with('/') && !target.starts_with("//");
    (is_path && rest.split(';').any(|it| it.trim() == RELATION)).then_some(target)
}

/// The part of an address before its path.
fn origin(address: &str) -> &str {
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..].find(['/', '?', '#']).map_or(address.len(), |at| host + at);
    &address[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_names_a_path_of_the_same_server() {
        for (link, expected) in [
            ("</state/shop/versions>; rel=\"version-history\"", Some("/state/shop/versions")),
            (" </v>;title=\"all\" ;rel=\"version-history\" ", Some("/v")),
            ("</v>; rel=\"next\"", None),
            ("</v>", None),
            ("<//elsewhere/v>; rel=\"version-history\"", None),
            ("<http://elsewhere/v>; rel=\"version-history\"", None),
            ("/v; rel=\"version-history\"", None),
            ("", None),
        ] {
            assert_eq!(path(link), expected, "{link}");
        }
    }

    #[test]
    fn an_origin_ends_where_the_path_begins() {
        for (address, expected) in [
            ("http://states/shop", "http://states"),
            ("https://a:1?x=/", "https://a:1"),
            ("http://a", "http://a"),
        ] {
            assert_eq!(origin(address), expected);
        }
    }
}
