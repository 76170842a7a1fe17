use http::{HeaderValue, Response, StatusCode, header};
use protocol::{Answer, Code, MAX_BODY, Problem};
use serde_json::{Value as Json, json};

use crate::{Delivered, Delivery, Fault};

const SCRIPT: &str = "<img src=x onerror=\"alert(1)\"><script>alert(2)</script>";

/// Applies a fault to a response; there is none if the call was not executed.
pub(super) fn corrupt_response(fault: &Fault, delivered: Option<Delivered>) -> Delivered {
    let Delivered { response, .. } =
        delivered.unwrap_or_else(|| Delivered::complete(Response::new(Vec::new())));
    let cut = |delivery| Delivered { response: response.clone(), delivery };
    match fault {
        Fault::Refuse => cut(Delivery::Refuse),
        Fault::Reset { after } => cut(Delivery::ResetAfter(*after)),
        Fault::Silence => cut(Delivery::Silence),
        Fault::Endless => cut(Delivery::Endless),
        Fault::Slow { .. } => Delivered::complete(response),
        Fault::Status { code, retry_after } => Delivered::complete(status(*code, *retry_after)),
        Fault::Malformed => Delivered::complete(halved(response)),
        Fault::WrongType => Delivered::complete(page()),
        Fault::Huge => Delivered::complete(huge()),
        Fault::Redirect { to } => Delivered::complete(redirect(to)),
        Fault::Html => Delivered::complete(changed(response, in_html)),
        Fault::OtherId => Delivered::complete(changed(response, of_another)),
    }
}

fn status(code: u16, retry_after: Option<u32>) -> Response<Vec<u8>> {
    let known = Code::ALL.into_iter().find(|it| it.status() == code).unwrap_or(Code::Internal);
    let problem = Problem { status: code, ..Problem::new(known, "as configured") };
    let mut response = Answer::from(problem).into_response();
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().remove(header::RETRY_AFTER);
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

fn halved(mut response: Response<Vec<u8>>) -> Response<Vec<u8>> {
    let half = response.body().len() / 2;
    if half == 0 {
        response = typed("application/json", b"{\"kind\": ".to_vec());
    }
    response.body_mut().truncate(half.max(9));
    response
}

fn page() -> Response<Vec<u8>> {
    typed("text/html; charset=utf-8", format!("<!doctype html><title>It works!</title>{SCRIPT}").into_bytes())
}

fn huge() -> Response<Vec<u8>> {
    typed("application/json", vec![b' '; MAX_BODY + 1])
}

fn redirect(to: &str) -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    if let Ok(to) = HeaderValue::from_str(to) {
        response.headers_mut().insert(header::LOCATION, to);
    }
    response
}

fn typed(media: &'static str, body: Vec<u8>) -> Response<Vec<u8>> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    response
}

fn changed(mut response: Response<Vec<u8>>, change: fn(&mut Json)) -> Response<Vec<u8>> {
    if let Ok(mut body) = serde_json::from_slice::<Json>(response.body()) {
        change(&mut body);
        *response.body_mut() = body.to_string().into_bytes();
    }
    response
}

/// Replaces every text for people by a script, and adds one where there was none.
fn in_html(body: &mut Json) {
    let Json::Object(fields) = body else { return };
    if fields.contains_key("phase") {
        fields.insert("message".into(), json!(SCRIPT));
    }
    for (name, value) in fields {
        match name.as_str() {
            "message" | "title" | "detail" => *value = json!(SCRIPT),
            "spec" | "identity" => {}
            _ => in_each(value, in_html),
        }
    }
}

fn of_another(body: &mut Json) {
    let Json::Object(fields) = body else { return };
    let is_one = fields.contains_key("kind");
    for (name, value) in fields {
        match name.as_str() {
            "id" if is_one => *value = json!("zzzzzzzzzzzzzzzzzzzzzzzzzz"),
            "spec" | "identity" | "outputs" => {}
            _ => in_each(value, of_another),
        }
    }
}

fn in_each(value: &mut Json, change: fn(&mut Json)) {
    match value {
        Json::Array(items) => items.iter_mut().for_each(change),
        Json::Object(_) => change(value),
        _ => {}
    }
}
