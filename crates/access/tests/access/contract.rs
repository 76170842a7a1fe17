//! The contract of every access.

use std::{future::Future, rc::Rc};

use fields::FieldMask;
use futures_util::FutureExt;
use host::{ApiHandler, HttpTransport, Limits, Listener, Loopback, TokenAuth, TransportOptions};
use planloom_access::{Access, AccessError, ByService, ErrorKind, ListQuery, Resource, Update};
use serde_json::{Value, json};

use crate::support::Library;

/// A case over a library with the publishers `p` and `q`, the author `a`, and the books `b0` to `b4` of `p`.
struct Case<'c> {
    library: &'c Library,
    access: &'c dyn Access,
}

type Failed = Option<ErrorKind>;

impl Case<'_> {
    async fn prepare(&self) {
        for (kind, name) in
            [("Publisher", "publishers/p1"), ("Publisher", "publishers/p2"), ("Author", "authors/a1")]
        {
            self.create(kind, json!({"name": name})).await.expect("it is new");
        }
        for at in 0..5 {
            let name = format!("publishers/p1/books/b{at}");
            self.create("Book", json!({"name": name, "title": "T", "year": at})).await.expect("it is new");
        }
    }

    async fn create(&self, kind: &str, resource: Value) -> Result<Resource, AccessError> {
        self.access.create(self.library.kind(kind), resource).await
    }

    async fn get(&self, name: &str) -> Result<Resource, AccessError> {
        self.access.get(self.library.kind("Book"), name).await
    }

    async fn names(&self, parent: &str, filter: &str) -> Result<Vec<String>, AccessError> {
        let query = ListQuery { parent: parent.into(), filter: filter.into() };
        let found = self.access.list(self.library.kind("Book"), query).await?;
        Ok(found.iter().map(|it| it.name().rsplit('/').next().unwrap_or_default().to_owned()).collect())
    }

    async fn update(
        &self,
        resource: Value,
        mask: &str,
        expected: Option<&Resource>,
    ) -> Result<Resource, AccessError> {
        let update = Update {
            name: "publishers/p1/books/b0".into(),
            resource,
            mask: Some(FieldMask::parse(mask).expect("a mask")),
            expected: expected.and_then(|it| it.version.clone()),
        };
        self.access.update(self.library.kind("Book"), update).await
    }

    /// Reads see what writes did, page by page.
    async fn reads(&self) {
        let book = self.get("publishers/p1/books/b1").await.expect("it is there");
        assert_eq!(book.value.pointer("/year"), Some(&json!(1)));
        assert!(book.version.is_some());
        assert_eq!(kind(self.get("publishers/p1/books/no").await), Some(ErrorKind::NotFound));
        for (parent, filter, expected) in [
            ("publishers/p1", "", Ok(vec!["b0", "b1", "b2", "b3", "b4"])),
            ("publishers/-", "year > 2", Ok(vec!["b3", "b4"])),
            ("publishers/p2", "", Ok(vec![])),
            ("publishers/p1", "year >", Err(ErrorKind::InvalidArgument)),
            ("shelves/s", "", Err(ErrorKind::InvalidArgument)),
        ] {
            let found = self.names(parent, filter).await.map_err(|it| it.kind);
            let expected = expected.map(|it| it.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(found, expected, "{parent} {filter}");
        }
        let names = ["b3", "no", "b0"].map(|it| format!("publishers/p1/books/{it}")).to_vec();
        let found = self.access.batch_get(self.library.kind("Book"), names).await.expect("a list");
        let found: Vec<&str> = found.iter().map(Resource::name).collect();
        assert_eq!(found, ["publishers/p1/books/b3", "publishers/p1/books/b0"]);
    }

    /// The errors of creations.
    async fn creations(&self) {
        for (book, failed) in [
            (json!({"name": "publishers/p1/books/b0", "title": "T"}), Some(ErrorKind::AlreadyExists)),
            (json!({"name": "publishers/p1/books/b9"}), Some(ErrorKind::InvalidArgument)),
            (json!({"title": "T"}), Some(ErrorKind::InvalidArgument)),
            (json!({"name": "books/b", "title": "T"}), Some(ErrorKind::InvalidArgument)),
            (json!({"name": "publishers/no/books/b9", "title": "T"}), Some(ErrorKind::FailedPrecondition)),
            (
                json!({"name": "publishers/p1/books/b9", "title": "T", "author": "authors/no"}),
                Some(ErrorKind::FailedPrecondition),
            ),
            (json!({"name": "publishers/p1/books/b9", "title": "T", "author": "authors/a1"}), None),
        ] {
            assert_eq!(kind(self.create("Book", book.clone()).await), failed, "{book}");
        }
        let refused =
            self.create("Book", json!({"name": "publishers/p1/books/b8", "title": "T", "year": "x"})).await;
        let violations = refused.expect_err("it is no year").violations;
        assert_eq!(violations.first().map(|it| &*it.field), Some("#/year"));
    }

    /// Only the fields of the mask change, and only the expected version.
    async fn updates(&self) {
        let first = self.get("publishers/p1/books/b0").await.expect("it is there");
        let second = self
            .update(json!({"title": "New", "year": 9}), "title", Some(&first))
            .await
            .expect("it has that version");
        assert_eq!((second.value.get("title"), second.value.get("year")), (Some(&json!("New")), None));
        assert_ne!(first.version, second.version);
        for (value, mask, expected, failed) in [
            (json!({"title": "X"}), "title", Some(&first), Some(ErrorKind::Aborted)),
            (json!({"title": "X"}), "nothing", None, Some(ErrorKind::InvalidArgument)),
            (json!({}), "title", None, Some(ErrorKind::InvalidArgument)),
            (json!({"isbn": "1"}), "isbn", None, Some(ErrorKind::InvalidArgument)),
            (json!({"metadata": {"labels": {"a_b": "1"}}}), "metadata.labels.a_b", None, None),
            (json!({"year": 3}), "year", None, None),
            (json!({}), "year", None, None),
        ] {
            assert_eq!(kind(self.update(value.clone(), mask, expected).await), failed, "{value} {mask}");
        }
        let last = self.get("publishers/p1/books/b0").await.expect("it is there").value;
        assert_eq!((last.get("title"), last.get("year")), (Some(&json!("New")), None));
        assert_eq!(last.pointer("/metadata/labels/a_b"), Some(&json!("1")));
    }

    /// Only the expected version is deleted, and only what nothing refers to.
    async fn deletions(&self) {
        let (books, authors) = (self.library.kind("Book"), self.library.kind("Author"));
        let old = self.get("publishers/p1/books/b0").await.expect("it is there");
        self.update(json!({"author": "authors/a1"}), "author", None).await.expect("the author exists");
        let deleted = self.access.delete(authors, "authors/a1", None).await;
        assert_eq!(deleted.map_err(|it| it.kind), Err(ErrorKind::FailedPrecondition));
        let stale = self.access.delete(books, "publishers/p1/books/b0", old.version).await;
        assert_eq!(stale.map_err(|it| it.kind), Err(ErrorKind::Aborted));
        for expected in [Ok(()), Err(ErrorKind::NotFound)] {
            let deleted = self.access.delete(books, "publishers/p1/books/b0", None).await;
            assert_eq!(deleted.map_err(|it| it.kind), expected);
        }
        self.access.delete(books, "publishers/p1/books/b9", None).await.expect("it was created");
        self.access.delete(authors, "authors/a1", None).await.expect("nothing refers to it any more");
    }

    async fn all(&self) {
        self.prepare().await;
        self.reads().await;
        self.creations().await;
        self.updates().await;
        self.deletions().await;
    }
}

fn kind(result: Result<Resource, AccessError>) -> Failed {
    result.err().map(|it| it.kind)
}

/// Runs what does not wait.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("nothing is waited for")
}

#[test]
fn the_store_keeps_the_contract() {
    let library = Library::new();
    now(Case { library: &library, access: &library.store() }.all());
}

#[test]
fn requests_in_one_process_keep_the_contract() {
    let library = Library::new();
    let http = library.http(library.transport(), "http://library.example.com");
    let access = ByService::new().with(0, Rc::new(http));
    now(Case { library: &library, access: &access }.all());
}

#[test]
fn requests_over_the_network_keep_the_contract() {
    host::run(async {
        let library = Library::new();
        let auth = TokenAuth::from_token("0123456789abcdef").expect("a token");
        let handler = auth.protect(Rc::new(ApiHandler::new(library.api.clone())));
        let listener = Listener::bind(Loopback::V4, 0).await.expect("a port");
        let guard = listener.guard();
        let server = listener.serve(Rc::new(handler), guard, Limits::default());
        let transport = Rc::new(HttpTransport::new(TransportOptions::default()).expect("a network"));
        let access = library.http(transport, server.origin());
        Case { library: &library, access: &access }.all().await;
    })
    .expect("a network");
}
