use std::rc::Rc;

use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use js_sys::{Array, Reflect, Uint8Array};
use protocol::{LocalFuture, LongestAnswer, Transport, TransportError};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use crate::{Network, script};

/// `fetch`, in a page, a worker or Node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fetch;

/// Gives the request up when it is dropped.
struct Going(AbortController);

impl Drop for Going {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Transport for Fetch {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        Box::pin(async move {
            let going = Going(AbortController::new().map_err(|_| blocked("it has no requests to cancel"))?);
            let headers = request.headers().iter();
            let headers: Array = headers
                .filter_map(|(name, value)| {
                    Some(Array::of2(&name.as_str().into(), &value.to_str().ok()?.into()))
                })
                .collect();
            let body = if request.body().is_empty() {
                JsValue::UNDEFINED
            } else {
                Uint8Array::from(request.body().as_slice()).into()
            };
            let longest = LongestAnswer::of(&request);
            let (url, method) = (request.uri().to_string(), request.method().as_str());
            let sent = script::send(&url, method, &headers, &body, longest as f64, &going.0.signal());
            let answer = JsFuture::from(sent).await.map_err(|_| blocked("the request could not be sent"))?;
            read(&answer)
        })
    }
}

fn read(answer: &JsValue) -> Result<Response<Vec<u8>>, TransportError> {
    let get = |name: &str| Reflect::get(answer, &name.into()).unwrap_or_default();
    if let Some(error) = get("lost").as_string() {
        let why = get("why").as_string().unwrap_or_default();
        return Err(match &*error {
            "long" => TransportError::TooLong,
            "broken" => TransportError::Broken(why),
            _ => TransportError::Blocked(why),
        });
    }
    let body = get("body").dyn_into::<Uint8Array>().map(|it| it.to_vec()).unwrap_or_default();
    let mut response = Response::new(body);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a status has three digits")]
    let status = StatusCode::from_u16(get("status").as_f64().unwrap_or_default() as u16);
    *response.status_mut() = status.map_err(|_| TransportError::Broken("the answer has no status".into()))?;
    for pair in Array::from(&get("headers")).iter() {
        let pair = Array::from(&pair);
        let name = pair.get(0).as_string().and_then(|name| name.parse::<HeaderName>().ok());
        let value = pair.get(1).as_string().and_then(|value| HeaderValue::from_str(&value).ok());
        if let (Some(name), Some(value)) = (name, value) {
            response.headers_mut().append(name, value);
        }
    }
    Ok(response)
}

fn blocked(why: &str) -> TransportError {
    TransportError::Blocked(why.into())
}

impl Network for Fetch {
    fn transport(&self) -> Rc<dyn Transport> {
        Rc::new(*self)
    }

    fn answers(&self, address: &str) -> LocalFuture<bool> {
        let address = address.to_owned();
        Box::pin(async move {
            let Ok(controller) = AbortController::new() else { return false };
            let going = Going(controller);
            let answers = JsFuture::from(script::answers(&address, &going.0.signal())).await;
            answers.is_ok_and(|it| it.is_truthy())
        })
    }

    fn is_secure(&self) -> bool {
        location("protocol") == "https:"
    }

    fn origin(&self) -> String {
        location("origin")
    }
}

/// A part of the address of the page or worker; empty in Node, which has none.
fn location(part: &str) -> String {
    let location = Reflect::get(&js_sys::global(), &"location".into()).unwrap_or_default();
    if !location.is_object() {
        return String::new();
    }
    Reflect::get(&location, &part.into()).ok().and_then(|it| it.as_string()).unwrap_or_default()
}
