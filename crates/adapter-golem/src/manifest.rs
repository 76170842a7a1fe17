//! Computation manifests: the images that a payload may run, and the addresses that it may reach (GAP-5).

use std::time::SystemTime;

use ::adapter::spec::SpecValue;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value as Json, json};

use crate::{
    image::{self, Found},
    spec::{Located, Manifest, ManifestSource, NodeDescriptor, Signature},
    timestamp,
};

/// The keys `manifest*` and `node_descriptor*` of a payload's parameters. `None` only if an error was
/// reported.
pub(crate) fn read(params: &SpecValue<'_>) -> Option<Manifest> {
    let keys = ["manifest", "manifest_path", "manifest_generate"];
    let written: Vec<_> = keys.iter().filter_map(|key| Some((*key, params.key(key)?))).collect();
    let source = match &written[..] {
        [("manifest", written)] => ManifestSource::Written(encoded(written)?),
        [("manifest_path", path)] => ManifestSource::File(located(path)?),
        [(_, generate)] => generated(generate)?,
        [] => {
            params.report("there is no manifest: write `manifest`, `manifest_path` or `manifest_generate`");
            return None;
        }
        [(first, _), (second, place), ..] => {
            place.report(format!("`{first}` and `{second}` cannot both be set"));
            return None;
        }
    };
    let node_descriptor = node_descriptor(params);
    let signature = signature(params);
    if let (Some(_), Some(place)) = (&node_descriptor, params.key("manifest_sig")) {
        place.report("with a `node_descriptor` the manifest is not signed");
    }
    Some(Manifest { source, signature, node_descriptor })
}

fn node_descriptor(params: &SpecValue<'_>) -> Option<NodeDescriptor> {
    match (params.key("node_descriptor"), params.key("node_descriptor_path")) {
        (Some(_), Some(path)) => {
            path.report("`node_descriptor` and `node_descriptor_path` cannot both be set");
            None
        }
        (Some(written), None) => Some(NodeDescriptor::Written(written.json().clone())),
        (None, Some(path)) => located(&path).map(NodeDescriptor::File),
        (None, None) => None,
    }
}

fn located(place: &SpecValue<'_>) -> Option<Located<String>> {
    Some(Located { value: place.text()?, pointer: place.pointer.clone() })
}

/// All three parts of a signature, or none.
fn signature(params: &SpecValue<'_>) -> Option<Signature> {
    let text = |name: &str| params.key(name).and_then(|it| it.text());
    match (text("manifest_sig"), text("manifest_sig_algorithm"), text("manifest_cert")) {
        (Some(signature), Some(algorithm), Some(certificate)) => {
            Some(Signature { signature, algorithm, certificate })
        }
        (None, None, None) => None,
        _ => {
            let why = "a signed manifest has `manifest_sig`, `manifest_sig_algorithm` and `manifest_cert`";
            params.report(why);
            None
        }
    }
}

/// A manifest in base64: one that is written so, as JSON text, or as a map.
fn encoded(written: &SpecValue<'_>) -> Option<String> {
    if written.is_map() {
        return Some(STANDARD.encode(written.json().to_string()));
    }
    in_base64(&written.text()?).map_err(|why| written.report(why)).ok()
}

/// A manifest in base64, of its JSON text or of a text that is in base64 already.
///
/// # Errors
/// The reason why it is no manifest.
pub(crate) fn in_base64(text: &str) -> Result<String, &'static str> {
    let is_map = |bytes: &[u8]| serde_json::from_slice::<Json>(bytes).is_ok_and(|it| it.is_object());
    let (bytes, encoded) = if text.trim_start().starts_with('{') {
        (text.as_bytes().to_vec(), STANDARD.encode(text))
    } else {
        let plain: String = text.split_whitespace().collect();
        let bytes = STANDARD.decode(&plain).map_err(|_| "the manifest is neither JSON nor base64")?;
        (bytes, plain)
    };
    if is_map(&bytes) { Ok(encoded) } else { Err("the manifest is not a JSON object") }
}

fn generated(place: &SpecValue<'_>) -> Option<ManifestSource> {
    place.reject_other_keys(&[
        "image_hash",
        "image_tag",
        "outbound_urls",
        "repository_url",
        "image_use_https",
    ]);
    let image = image::read(place)?;
    let listed = place.key("outbound_urls").and_then(|it| it.items()).unwrap_or_default();
    Some(ManifestSource::Generated { image, outbound: listed.iter().filter_map(SpecValue::text).collect() })
}

/// A manifest for one image that may reach these addresses, in base64.
pub(crate) fn make(image: &Found, outbound: &[String], now: SystemTime) -> String {
    let manifest = json!({
        "version": "0.1.0",
        "createdAt": timestamp::text(now),
        "expiresAt": "2100-01-01T00:00:00.000000Z",
        "payload": [{
            "platform": {"arch": "x86_64", "os": "linux"},
            "hash": format!("sha3:{}", image.hash),
            "urls": [image.url],
        }],
        "compManifest": {
            "version": "0.1.0",
            "script": {"commands": ["run .*"], "match": "regex"},
            "net": {"inet": {"out": {"protocols": ["http", "https", "ws", "wss"], "urls": outbound}}},
        },
    });
    STANDARD.encode(manifest.to_string())
}
