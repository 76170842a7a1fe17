//! The served files, at one moment.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The files in merge order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// The id of these sources, which clients use as a key for their own data of them.
    pub(super) workspace: String,
    pub(super) files: Vec<Listed>,
    /// Files that are there and cannot be shown, with the reason.
    pub(super) refused: Vec<(String, String)>,
    /// Files can be created.
    pub(super) is_open: bool,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) etag: String,
    /// The package that it is in.
    pub(super) package: Option<String>,
}

impl Listing {
    /// An etag of all of it.
    pub(super) fn etag(&self) -> String {
        etag(self.json().to_string().as_bytes())
    }

    /// The JSON that is sent, with the etag.
    pub(super) fn json_with_etag(&self) -> Value {
        let mut json = self.json();
        json["etag"] = self.etag().into();
        json
    }

    fn json(&self) -> Value {
        let files =
            self.files.iter().map(|it| json!({"name": it.name, "etag": it.etag, "package": it.package}));
        let refused = self.refused.iter().map(|(name, why)| json!({"name": name, "reason": why}));
        json!({
            "format": "planloom.files/1",
            "workspace": self.workspace,
            "creates": self.is_open,
            "files": files.collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
        })
    }
}

/// The etag of a content.
pub(super) fn etag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    format!("\"{}\"", protocol::hex(digest.get(..16).unwrap_or_default()))
}
