//! A workspace in a link: JSON, deflated, base64url, in the fragment, which no server sees.

use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use workspace::File;

use crate::{base64, host};

/// Longer fragments are cut by some of the programs that links go through.
pub const LONGEST: usize = 16_384;
const PREFIX: &str = "#s=";

#[derive(Serialize, Deserialize)]
struct Shared {
    v: u32,
    files: Vec<File>,
}

/// The fragment that holds these files; `None` when it would be too long.
pub async fn fragment(files: Vec<File>) -> Option<String> {
    let json = serde_json::to_vec(&Shared { v: 1, files }).ok()?;
    let bytes = JsFuture::from(host::deflate(&Uint8Array::from(&*json))).await.ok()?;
    let fragment = format!("{PREFIX}{}", base64::encode(&bytes.dyn_into::<Uint8Array>().ok()?.to_vec()));
    (fragment.len() <= LONGEST).then_some(fragment)
}

/// What a fragment holds: `None` when it is not one of ours, an error when it cannot be read.
pub async fn files(fragment: &str) -> Option<Result<Vec<File>, ()>> {
    let text = fragment.strip_prefix(PREFIX)?;
    Some(read(text).await.ok_or(()))
}

async fn read(text: &str) -> Option<Vec<File>> {
    let bytes = base64::decode(text)?;
    let json = JsFuture::from(host::inflate(&Uint8Array::from(&*bytes))).await.ok()?;
    let json = json.dyn_into::<Uint8Array>().ok()?.to_vec();
    let shared: Shared = serde_json::from_slice(&json).ok()?;
    (shared.v == 1 && !shared.files.is_empty()).then_some(shared.files)
}
