//! Computation manifests: what a payload may run, and which addresses it may reach (GAP-5).

use std::time::SystemTime;

use ::adapter::spec::SpecValue;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value as Json, json};

use crate::{
    image::{self, Found},
    spec::{Manifest, ManifestSource, Signature},
    timestamp,
};

/// The keys `manifest*` and `node_descriptor` of a payload's parameters. `None` only if an error was
/// reported.
pub(crate) fn read(params: &SpecValue<'_>) -> Option<Manifest> {
    for name in ["manifest_path", "node_descriptor_path"] {
        if let Some(path) = params.key(name) {
            let key = name.trim_end_matches("_path");
            path.report(format!("this adapter reads no files: write the text itself as `{key}`"));
        }
    }
    let source = match (params.key("manifest"), params.key("manifest_generate")) {
        (Some(written), None) => ManifestSource::Written(encoded(&written)?),
        (None, Some(generate)) => generated(&generate)?,
        (Some(_), Some(generate)) => {
            generate.report("`manifest` and `manifest_generate` cannot both be set");
            return None;
        }
        (None, None) => {
            params.report("there is no manifest: write `manifest` or `manifest_generate`");
            return None;
        }
    };
    let node_descriptor = params.key("node_descriptor").map(|it| it.json().clone());
    let signature = signature(params);
    if let (Some(_), Some(place)) = (&node_descriptor, params.key("manifest_sig")) {
        place.report("with a `node_descriptor` the manifest is not signed");
    }
    Some(Manifest { source, signature, node_descriptor })
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
    let text = written.text()?;
    if text.trim_start().starts_with('{') {
        return checked(text.as_bytes(), written).then(|| STANDARD.encode(&text));
    }
    let plain: String = text.split_whitespace().collect();
    let Ok(bytes) = STANDARD.decode(&plain) else {
        written.report("the manifest is neither JSON nor base64");
        return None;
    };
    checked(&bytes, written).then_some(plain)
}

fn checked(bytes: &[u8], place: &SpecValue<'_>) -> bool {
    let is_map = serde_json::from_slice::<Json>(bytes).is_ok_and(|it| it.is_object());
    if !is_map {
        place.report("the manifest is not a JSON object");
    }
    is_map
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
