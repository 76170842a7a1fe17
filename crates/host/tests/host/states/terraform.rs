//! Terraform's protocol over real sockets.

use std::{cell::Cell, rc::Rc, time::Duration};

use http::{Request, Response};
use planloom_host::{
    AnswerPosition, Fault, Handler, HttpTransport, Limits, Listener, Loopback, Server, SystemTimer,
    TransportOptions, run,
};
use protocol::LocalFuture;
use state::{
    Backend, Encryption, Snapshot,
    terraform::{TerraformBackend, TerraformOptions},
    testing::{BackendFeatures, Bench, Opener, TerraformServer, claim, commits, conform},
};

use super::place::encrypted;

/// Serves states; the responses to some requests have faults.
async fn serve(
    states: TerraformServer,
    fault: impl Fn(&Request<Vec<u8>>) -> Option<Fault> + 'static,
) -> Server {
    let listener = Listener::bind(Loopback::V4, 0).await.expect("there is a port");
    let handler = move |request: Request<Vec<u8>>| -> LocalFuture<Response<Vec<u8>>> {
        let mut answer = states.answer(&request);
        if let Some(fault) = fault(&request) {
            answer.extensions_mut().insert(fault);
        }
        Box::pin(std::future::ready(answer))
    };
    let (guard, handler): (_, Rc<dyn Handler>) = (listener.guard(), Rc::new(handler));
    listener.serve(handler, guard, Limits::default())
}

pub(crate) fn transport() -> Rc<HttpTransport> {
    let options = TransportOptions { timeout: Duration::from_secs(5), ..TransportOptions::default() };
    Rc::new(HttpTransport::new(options).expect("there is TLS"))
}

/// Options with fast retries.
pub(crate) fn quick(address: String, encryption: Encryption) -> TerraformOptions {
    TerraformOptions { wait: 10, longest_wait: 50, encryption, ..TerraformOptions::at(address) }
}

fn conforms(encryption: fn() -> Encryption) {
    run(async {
        let server = Rc::new(serve(TerraformServer::default(), |_| None).await);
        let (timer, transport) = (SystemTimer::new(), transport());
        let time = timer.clone();
        let fresh = move |name: &str| {
            let options = quick(format!("{}/{}", server.origin(), name.replace(' ', "-")), encryption());
            let (transport, time, server) = (transport.clone(), time.clone(), server.clone());
            let open = move || {
                let _lives = &server;
                TerraformBackend::new(transport.clone(), time.clone(), options.clone())
            };
            Rc::new(move || Rc::new(open()) as Rc<dyn Backend>) as Opener
        };
        let can = BackendFeatures { expire: false, name_holder: false, history: None };
        conform(Bench { fresh: Rc::new(fresh), timer, ttl: 100, can }).await;
    })
    .expect("it runs");
}

#[test]
fn a_server_over_sockets_conforms() {
    conforms(Encryption::none);
}

#[test]
fn a_server_over_sockets_conforms_with_encrypted_states() {
    conforms(encrypted);
}

#[test]
fn commits_are_stored_once_when_every_third_answer_is_torn() {
    run(async {
        let states = TerraformServer::default();
        let count = Cell::new(0_usize);
        let server = serve(states.clone(), move |_| {
            count.set(count.get() + 1);
            let faults = [
                Fault::Reset(AnswerPosition::Head(0)),
                Fault::Reset(AnswerPosition::Body(5)),
                Fault::Cut(AnswerPosition::Body(1)),
            ];
            count.get().is_multiple_of(3).then(|| faults[count.get() / 3 % 3])
        })
        .await;
        let options = quick(format!("{}/shop", server.origin()), Encryption::none());
        let backend = TerraformBackend::new(transport(), SystemTimer::new(), options);
        let lease = backend.acquire(claim("ada", 0, 1000)).await.expect("nobody holds it");
        let mut last = None;
        for (commit, after) in commits(&Snapshot::new("shop", "l"), 40, 3) {
            assert_eq!(backend.commit(&lease, commit, after.clone()).await, Ok(()));
            last = Some((*after).clone());
        }
        assert_eq!(backend.load().await, Ok(last));
        backend.release(&lease).await.expect("it is held");
        assert!(backend.acquire(claim("bob", 0, 1000)).await.is_ok());
    })
    .expect("it runs");
}
