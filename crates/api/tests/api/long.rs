//! Long responses, which are made in pieces.

use std::task::{Context, Poll, Waker};

use http::Request;
use planloom_api::Reply;
use serde_json::{Value, json};

use crate::requests::{api, send};

const SPECIFICATION: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Book
  fields:
  - {path: title, type: string}
";

const BOOKS: usize = 8;
const LENGTH: usize = 200_000;

#[test]
fn others_are_answered_while_a_long_response_is_made() {
    let api = api(SPECIFICATION);
    for number in 0..BOOKS {
        let book = json!({"name": format!("books/book-{number}"), "title": "\"x".repeat(LENGTH / 2)});
        assert_eq!(send(&api, "POST /v1/books", &book.to_string()).status(), 200);
    }
    let names: Vec<String> = (0..BOOKS).map(|it| format!("names=books/book-{it}")).collect();
    for path in [
        "/v1/books?pageSize=7".to_owned(),
        format!("/v1/books:batchGet?{}&names=books/none", names.join("&")),
    ] {
        let request = Request::get(&path).body(Vec::new()).expect("a request");
        let Reply::Later(mut made) = api.answer(request) else { panic!("{path} is made at once") };
        let (mut pieces, mut context) = (1, Context::from_waker(Waker::noop()));
        let response = loop {
            match made.as_mut().poll(&mut context) {
                Poll::Ready(response) => break response,
                Poll::Pending => pieces += 1,
            }
            assert_eq!(send(&api, "GET /v1/books/book-0", "").status(), 200);
        };
        assert!(pieces > 2, "{path}: {pieces} pieces");
        let body: Value = serde_json::from_slice(response.body()).expect("JSON");
        let books = body["books"].as_array().expect("books");
        let is_whole = |it: &Value| it["title"].as_str().is_some_and(|it| it.len() == LENGTH / 2 * 2);
        assert!(books.len() >= 7 && books.iter().all(is_whole), "{path}");
        assert!(body["nextPageToken"].is_string() || body["missing"] == json!(["books/none"]), "{path}");
    }
}
