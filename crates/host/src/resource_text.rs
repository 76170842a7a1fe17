//! Resources as text, as backing stores keep them: metadata as JSON, a tab, and the spec as canonical JSON.

use store::{Metadata, Resource, Spec};

/// Appends the text of a resource. It has no line break and no other control character than the tab.
///
/// # Errors
/// If its metadata has no JSON form.
pub(crate) fn write(resource: &Resource, into: &mut Vec<u8>) -> Result<(), String> {
    let written = serde_json::to_writer(&mut *into, &resource.metadata);
    written.map_err(|why| format!("metadata has no JSON form: {why}"))?;
    into.push(b'\t');
    into.extend_from_slice(resource.spec.text().as_bytes());
    Ok(())
}

/// `None` if it is not the text of a resource.
pub(crate) fn read(text: &str) -> Option<Resource> {
    let (metadata, spec) = text.split_once('\t')?;
    let metadata: Metadata = serde_json::from_str(metadata).ok()?;
    Some(Resource { metadata, spec: Spec::canonical(spec) })
}

/// The length of the text of a resource, in bytes.
///
/// # Errors
/// As for [`write`].
pub(crate) fn length(resource: &Resource) -> Result<usize, String> {
    let mut metadata = Vec::new();
    let written = serde_json::to_writer(&mut metadata, &resource.metadata);
    written.map_err(|why| format!("metadata has no JSON form: {why}"))?;
    Ok(metadata.len() + 1 + resource.spec.text().len())
}
