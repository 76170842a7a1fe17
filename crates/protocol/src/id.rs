use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

/// The id of a resource in an adapter. It is chosen by the engine, never by an adapter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ResourceId {
    /// The kind, e.g. `service`.
    pub kind: String,
    /// The id: 26 letters and digits.
    pub id: String,
}

impl ResourceId {
    /// The id of a resource. The engine uses [`resource_id`] for `id`.
    pub fn new(kind: impl Into<String>, id: impl Into<String>) -> Self {
        Self { kind: kind.into(), id: id.into() }
    }
}

/// The id of the resource at an address. It is the same for each attempt and different for each generation,
/// so that the resource can be found again after a response was lost. It cannot be guessed, because `lineage`
/// cannot.
pub fn resource_id(lineage: &str, address: &str, generation: u64) -> String {
    let hash = Sha256::new().chain_update(lineage).chain_update([0]).chain_update(address).chain_update([0]);
    base32(&hash.chain_update(generation.to_be_bytes()).finalize(), 26)
}

/// The `sha256:` hash of a spec as canonical JSON: keys sorted, no spaces.
pub fn spec_hash(spec: &Json) -> String {
    let mut spec = spec.clone();
    spec.sort_all_objects();
    format!("sha256:{}", hex(&Sha256::digest(spec.to_string())))
}

/// Bytes as text: two lower-case hexadecimal digits each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first characters of the bytes in the alphabet of RFC 4648, in lower case.
fn base32(bytes: &[u8], letters: usize) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    let letter = |at: usize| (0..5).fold(0, |value, offset| value << 1 | usize::from(bit(at * 5 + offset)));
    (0..letters).map(|at| char::from(ALPHABET[letter(at)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_id_depends_on_all_it_is_made_of() {
        let id = resource_id("l", "services.web", 1);
        assert_eq!(id.len(), 26);
        assert_eq!(id, resource_id("l", "services.web", 1));
        for other in [
            resource_id("m", "services.web", 1),
            resource_id("l", "services.api", 1),
            resource_id("l", "services.web", 2),
            resource_id("ls", "ervices.web", 1),
        ] {
            assert_ne!(id, other);
        }
    }

    #[test]
    fn hex_has_two_digits_a_byte() {
        assert_eq!(hex(&[0, 0x0f, 0xff]), "000fff");
    }

    #[test]
    fn base32_is_that_of_rfc_4648() {
        assert_eq!(base32(b"foobar", 10), "mzxw6ytboi");
    }

    #[test]
    fn the_order_of_keys_does_not_change_a_hash() {
        assert_eq!(
            spec_hash(&json!({"a": 1, "b": {"c": 2, "d": 3}})),
            spec_hash(&json!({"b": {"d": 3, "c": 2}, "a": 1}))
        );
        assert_ne!(spec_hash(&json!({"a": 1})), spec_hash(&json!({"a": 2})));
    }
}
