//! The OpenAPI documents of what is served.

use std::{
    rc::Rc,
    sync::{Arc, LazyLock},
};

use api::Problem;
use fields::schema::Schema;
use host::{Handler, Mounts};
use http::{HeaderValue, Request, Response, header::CONTENT_TYPE};
use protocol::LocalFuture;
use spec::Services;

/// The OpenAPI documents: of the first service at `/openapi.json`, of each at `/openapi/SERVICE/VERSION.json`. Each is
/// generated when it is first requested: for a large specification that takes seconds, and few clients read it.
pub(super) fn openapi(services: &Arc<Services>, schemas: &Arc<Vec<Schema>>) -> Mounts {
    let mut mounts = Mounts::new();
    let served = services.services.iter().enumerate().filter(|(_, it)| !it.is_import);
    for (nth, (at, service)) in served.enumerate() {
        let (services, schemas) = (Arc::clone(services), Arc::clone(schemas));
        let document: Rc<dyn Handler> = Rc::new(json(move || document(&services, &schemas, at)));
        let path = format!("/openapi/{}/{}.json", service.name, service.version);
        mounts = mounts.mount_exactly(&path, document.clone());
        if nth == 0 {
            mounts = mounts.mount_exactly("/openapi.json", document);
        }
    }
    mounts
}

fn document(services: &Services, schemas: &[Schema], at: usize) -> String {
    let definition = schemas.get(at).and_then(|it| generate::Definition::new(services, at, it));
    let Some(definition) = definition else { return "{}".to_owned() };
    let mut document = generate::openapi(definition);
    // It is served from the origin of the methods, regardless of the host in the specification.
    document["servers"] = serde_json::json!([{"url": "/"}]);
    document.to_string()
}

/// Serves a text that is made once, in a thread of its own, so that other requests are answered meanwhile.
fn json(
    text: impl FnOnce() -> String + Send + 'static,
) -> impl Fn(Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
    let text = Arc::new(LazyLock::new(text));
    move |_| {
        let text = Arc::clone(&text);
        Box::pin(async move {
            let made = tokio::task::spawn_blocking(move || text.as_bytes().to_vec()).await;
            let Ok(made) = made else {
                return Problem::internal("the document could not be generated").response();
            };
            let mut response = Response::new(made);
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_document_is_made_once_and_not_before_it_is_requested() {
        let made = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&made);
        let handler = json(move || {
            count.fetch_add(1, Ordering::Relaxed);
            "{}".to_owned()
        });
        assert_eq!(made.load(Ordering::Relaxed), 0);
        let bodies = host::run(async {
            let (one, other) = (handler(Request::new(Vec::new())), handler(Request::new(Vec::new())));
            (one.await.into_body(), other.await.into_body())
        });
        assert_eq!(bodies.expect("a runtime"), (b"{}".to_vec(), b"{}".to_vec()));
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }
}
