//! Detects changed documents by a digest in their field `checksum`.
//!
//! It detects damage and unintended changes. It is not a signature: anyone who can write the document can
//! write the checksum. Documents without one are accepted as they are, because people write states by hand,
//! and older versions of this program wrote none.

use std::fmt;

use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

/// The field of a document that contains its checksum.
pub const CHECKSUM: &str = "checksum";

/// The reason why a document is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The checksum is that of another document.
    Mismatch,
    /// The name of the field is damaged; contains the damaged name.
    Name(String),
}

impl Damage {
    /// The field that an error should point at.
    pub fn field(&self) -> &str {
        match self {
            Self::Mismatch => CHECKSUM,
            Self::Name(name) => name,
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch => f.write_str(
                "its checksum does not match: it was damaged or edited; if you edited it, remove the \
                 field `checksum`",
            ),
            Self::Name(name) => write!(
                f,
                "the field `{}` should be `checksum`: it was damaged; if you edited it, remove that field",
                name.escape_debug()
            ),
        }
    }
}

/// The checksum of a document: `sha256:` of its JSON with sorted keys and without spaces, without the field
/// itself.
pub fn checksum(document: &Map<String, Json>) -> String {
    let mut rest = document.clone();
    rest.shift_remove(CHECKSUM);
    of_rest(&mut Json::Object(rest))
}

/// Removes the checksum from a document.
///
/// # Errors
/// If it is not that of the rest.
pub fn verify(document: &mut Map<String, Json>) -> Result<(), Damage> {
    let Some(said) = document.shift_remove(CHECKSUM).filter(|it| !it.is_null()) else {
        // Without this check, a damaged name would disable the verification.
        return document
            .keys()
            .find(|it| is_damaged_name(it))
            .map_or(Ok(()), |it| Err(Damage::Name(it.clone())));
    };
    let mut rest = Json::Object(std::mem::take(document));
    let is_whole = said.as_str() == Some(&*of_rest(&mut rest));
    if let Json::Object(rest) = rest {
        *document = rest;
    }
    if is_whole { Ok(()) } else { Err(Damage::Mismatch) }
}

/// A document as text on one line with its checksum first; `canonical` is its JSON with sorted keys and
/// without a checksum.
pub(crate) fn with_checksum(canonical: &str) -> String {
    match canonical.strip_prefix('{') {
        Some(rest) => {
            let comma = if rest == "}" { "" } else { "," };
            format!("{{\"{CHECKSUM}\":\"{}\"{comma}{rest}", digest(canonical))
        }
        None => canonical.to_owned(),
    }
}

fn of_rest(rest: &mut Json) -> String {
    rest.sort_all_objects();
    digest(&rest.to_string())
}

fn digest(text: &str) -> String {
    format!("sha256:{}", protocol::hex(&Sha256::digest(text)))
}

/// True if it differs from the field's name in one bit.
fn is_damaged_name(name: &str) -> bool {
    let bits = name.bytes().zip(CHECKSUM.bytes()).map(|(one, other)| (one ^ other).count_ones());
    name.len() == CHECKSUM.len() && bits.sum::<u32>() == 1
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Map<String, Json> {
        match serde_json::from_str(text).expect("it is JSON") {
            Json::Object(map) => map,
            other => panic!("{other} is no object"),
        }
    }

    #[test]
    fn checksums_ignore_layout() {
        for canonical in ["{}", r#"{"a":1,"z":{"b":[1.5,null]}}"#] {
            let mut document = read(&with_checksum(canonical));
            assert_eq!(document[CHECKSUM], checksum(&document), "{canonical}");
            document.sort_keys();
            let mut pretty = read(&format!("{:#}", Json::Object(document)));
            assert_eq!(verify(&mut pretty), Ok(()), "{canonical}");
            assert_eq!(Json::Object(pretty), json!(read(canonical)), "the checksum is taken out");
        }
    }

    #[test]
    fn states_without_a_checksum_are_accepted() {
        for mut document in [read(r#"{"a": 1}"#), read(r#"{"a": 1, "checksum": null}"#)] {
            assert_eq!(verify(&mut document), Ok(()));
            assert_eq!(Json::Object(document), json!({"a": 1}));
        }
    }

    #[test]
    fn a_damaged_name_does_not_switch_it_off() {
        let mut document = read(&with_checksum(r#"{"a":1}"#).replace("checksum", "checksul"));
        assert_eq!(verify(&mut document), Err(Damage::Name("checksul".into())));
        let mut other = read(r#"{"a": 1, "checksam": 1, "checksums": 1}"#);
        assert_eq!(verify(&mut other), Ok(()), "a field of somebody else");
    }
}
