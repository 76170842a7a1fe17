//! Requests to the server of the page.

use std::rc::Rc;

use gloo::utils::window;
use js_sys::JSON;
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use super::sync::{Content, Listing, Outcome, Step};
use crate::home;

/// The time that the server may wait for a change, in seconds.
const WAIT: u32 = 20;

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offline {
    /// Nobody responds, or not as this server does.
    Silent,
    /// It does not know the token of this page.
    Stranger,
}

/// The server's version, as far as it reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Version {
    /// The version of the program.
    pub version: String,
    /// The version of the app that it serves.
    #[serde(default)]
    pub app: Option<String>,
}

/// An answer.
struct Answer {
    status: u16,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    fn read<T: for<'de> Deserialize<'de>>(&self) -> Result<T, Offline> {
        serde_json::from_str(&self.text).map_err(|_| Offline::Silent)
    }
}

/// The files, once their list has not that etag any more; `None` if it still has it after a while.
///
/// # Errors
/// The reason why there is no answer.
pub async fn list(known: Option<&str>) -> Result<Option<(Listing, String)>, Offline> {
    let headers = match known {
        Some(etag) => json!({"if-none-match": etag, "prefer": format!("wait={WAIT}")}),
        None => json!({}),
    };
    let answer = send("GET", "files", headers, None).await?;
    if answer.status == 304 {
        return Ok(None);
    }
    let etag = answer.json().get("etag").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Some((answer.read()?, etag)))
}

/// The content of a file; `None` if there is none any more.
///
/// # Errors
/// The reason why there is no answer.
pub async fn content(name: &str) -> Result<Option<Content>, Offline> {
    let answer = send("GET", &path(name), json!({}), None).await?;
    if answer.status == 200 { answer.read().map(Some) } else { Ok(None) }
}

/// Does something.
///
/// # Errors
/// The reason why there is no answer.
pub async fn execute(step: &Step) -> Result<Outcome, Offline> {
    let answer = match step {
        Step::Create { name, text, .. } => {
            send("PUT", &path(name), json!({"if-none-match": "*"}), Some(text.to_string())).await?
        }
        Step::Write { name, text, etag, .. } => {
            send("PUT", &path(name), json!({"if-match": &**etag}), Some(text.to_string())).await?
        }
        Step::Rename { name, to, etag, .. } => {
            let body = json!({"to": &**to}).to_string();
            send("POST", &path(name), json!({"if-match": &**etag}), Some(body)).await?
        }
        Step::Delete { name, etag, .. } => {
            send("DELETE", &path(name), json!({"if-match": &**etag}), None).await?
        }
        Step::Reorder { order } => {
            let order: Vec<&str> = order.iter().map(|it| &**it).collect();
            send("PUT", "files", json!({}), Some(json!({"order": order}).to_string())).await?
        }
    };
    outcome(&answer)
}

fn outcome(answer: &Answer) -> Result<Outcome, Offline> {
    let body = answer.json();
    match answer.status {
        200..=299 => {
            let etag: Rc<str> = body.get("etag").and_then(Value::as_str).unwrap_or_default().into();
            Ok(Outcome::Done(etag))
        }
        412 => {
            let current = body.get("current").cloned().unwrap_or_default();
            Ok(Outcome::Changed(serde_json::from_value(current).ok()))
        }
        400..=499 => {
            let why = body.get("detail").and_then(Value::as_str).unwrap_or("the server refuses it");
            Ok(Outcome::Refused(why.to_owned()))
        }
        // A full disk, for example: it is tried again.
        _ => Err(Offline::Silent),
    }
}

/// The version of the server.
///
/// # Errors
/// The reason why there is no answer.
pub async fn version() -> Result<Version, Offline> {
    send("GET", "version", json!({}), None).await?.read()
}

fn path(name: &str) -> String {
    let name: String = js_sys::encode_uri_component(name).into();
    format!("files/{name}")
}

async fn send(method: &str, path: &str, mut headers: Value, body: Option<String>) -> Result<Answer, Offline> {
    let token = home::token().unwrap_or_default();
    if let Some(headers) = headers.as_object_mut() {
        headers.insert("authorization".into(), format!("Bearer {token}").into());
    }
    let options = json!({"method": method, "headers": headers, "body": body, "cache": "no-store"});
    let options = JSON::parse(&options.to_string()).map_err(|_| Offline::Silent)?;
    let sent = window().fetch_with_str_and_init(&format!("/{path}"), options.unchecked_ref());
    let response = JsFuture::from(sent).await.map_err(|_| Offline::Silent)?;
    let response = response.dyn_into::<web_sys::Response>().map_err(|_| Offline::Silent)?;
    if response.status() == 401 {
        return Err(Offline::Stranger);
    }
    let text =
        JsFuture::from(response.text().map_err(|_| Offline::Silent)?).await.map_err(|_| Offline::Silent)?;
    Ok(Answer { status: response.status(), text: text.as_string().unwrap_or_default() })
}
