//! Long responses, which are made in pieces, and those that would be too long.

use std::{
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use fields::schema::Schema;
use http::Request;
use planloom_api::{Api, Reply, Settings};
use serde_json::{Value, json};
use store::Store;

use crate::requests::{Ticks, api, build_with, send};

const SPECIFICATION: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Book
  fields:
  - {path: title, type: string}
  optIns: {searchable: true}
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
        let Reply::Long(response) = api.answer(request) else { panic!("{path} is made at once") };
        let (length, mut made) = (response.body().length, response.into_body().text);
        let (mut pieces, mut context) = (1, Context::from_waker(Waker::noop()));
        let text = loop {
            match made.as_mut().poll(&mut context) {
                Poll::Ready(text) => break text,
                Poll::Pending => pieces += 1,
            }
            assert_eq!(send(&api, "GET /v1/books/book-0", "").status(), 200);
        };
        assert!(pieces > 2, "{path}: {pieces} pieces");
        // What is counted before it is made is no less than what is made, and little more.
        assert!((text.len()..text.len() + 1000).contains(&length), "{path}: {length} of {}", text.len());
        let body: Value = serde_json::from_slice(&text).expect("JSON");
        let books = body["books"].as_array().expect("books");
        let is_whole = |it: &Value| it["title"].as_str().is_some_and(|it| it.len() == LENGTH / 2 * 2);
        assert!(books.len() >= 7 && books.iter().all(is_whole), "{path}");
        assert!(body["nextPageToken"].is_string() || body["missing"] == json!(["books/none"]), "{path}");
    }
}

/// The most that the resources of a response may be together, in bytes.
const MOST: usize = 100_000;
/// The lengths of books, in the order of their names.
const TITLES: [usize; 12] =
    [29_000, 29_000, 29_000, 120_000, 100, 99_900, 100, 40_000, 40_000, 40_000, 10, 10];

/// A server whose responses are short, with books.
fn short() -> Rc<Api> {
    let store = Store::in_memory(Arc::new(Ticks::default()));
    let settings = Settings { max_answer: MOST, max_names: 400, ..Settings::default() };
    let api = Rc::new(build_with(SPECIFICATION, &Schema::default(), store).with_settings(settings));
    for (number, length) in TITLES.iter().enumerate() {
        let book = json!({"name": format!("books/book-{number:02}"), "title": "x".repeat(*length)});
        assert_eq!(send(&api, "POST /v1/books", &book.to_string()).status(), 200);
    }
    api
}

/// The response to a request: its length and its content.
fn got(api: &Rc<Api>, path: &str) -> (usize, Value) {
    let response = send(api, &format!("GET {path}"), "");
    (response.body().len(), serde_json::from_slice(response.body()).expect("JSON"))
}

/// The names of the books on each page, from the first to the last one.
fn pages(api: &Rc<Api>, path: &str) -> Vec<Vec<String>> {
    let (mut pages, mut token) = (Vec::new(), String::new());
    loop {
        let (length, page) = got(api, &format!("{path}&pageToken={token}"));
        let books = page["books"].as_array().unwrap_or_else(|| panic!("{path}: {page}"));
        assert!(books.len() == 1 || length <= MOST + 1000, "{path}: {} books of {length} bytes", books.len());
        pages.push(books.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect());
        match page["nextPageToken"].as_str() {
            Some(next) => token = next.to_owned(),
            None => return pages,
        }
    }
}

#[test]
fn a_page_ends_before_it_would_be_too_long() {
    let api = short();
    let all: Vec<String> = (0..TITLES.len()).map(|it| format!("books/book-{it:02}")).collect();
    for (path, lengths) in [
        // However long a resource is, it is on a page: a list can be read to its end.
        ("/v1/books?pageSize=1000", &[3, 1, 1, 1, 3, 3][..]),
        ("/v1/books?pageSize=1000&orderBy=name", &[3, 1, 1, 1, 3, 3]),
        ("/v1/books?pageSize=1000&includePagingInfo=true", &[3, 1, 1, 1, 3, 3]),
        ("/v1/books?pageSize=1000&filter=title%20!=%20y", &[3, 1, 1, 1, 3, 3]),
        ("/v1/books:search?pageSize=1000&phrase=x", &[3, 1, 1, 1, 3, 3]),
        ("/v1/books?pageSize=2", &[2, 1, 1, 1, 1, 2, 2, 2]),
        // What is not shown does not count.
        ("/v1/books?pageSize=1000&fieldMask=name", &[12]),
    ] {
        let pages = pages(&api, path);
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), lengths, "{path}");
        assert_eq!(pages.concat(), all, "{path}");
    }
}

#[test]
fn names_of_one_request_are_limited_by_what_they_read() {
    let api = short();
    let names = |name: &str, count: usize| vec![format!("names=books/book-{name}"); count].join("&");
    let help = "send fewer names, or select fewer fields";
    for (query, message, help) in [
        (names("00", 300), "the 300 resources are longer than", help),
        (names("00", 4), "the 4 resources are longer than", help),
        (names("03", 2), "the 2 resources are longer than", help),
        (names("none", 401), "there are 401 names", "send at most 400 in one request"),
    ] {
        let (_, problem) = got(&api, &format!("/v1/books:batchGet?{query}"));
        assert_eq!(
            (&problem["status"], &problem["code"]),
            (&400.into(), &"invalid_argument".into()),
            "{problem}"
        );
        let violation = &problem["violations"][0];
        let said = [&violation["field"], &violation["code"], &violation["help"]].map(Value::as_str);
        assert_eq!(said, ["names", "api/limit", help].map(Some), "{problem}");
        assert!(violation["message"].as_str().is_some_and(|it| it.starts_with(message)), "{problem}");
    }
    for (query, count) in [
        (names("00", 3), 3),
        (names("03", 1), 1),
        (format!("{}&fieldMask=name", names("00", 300)), 300),
        (names("none", 400), 0),
    ] {
        let (_, found) = got(&api, &format!("/v1/books:batchGet?{query}"));
        assert_eq!(found["books"].as_array().map(Vec::len), Some(count), "{found}");
    }
}
