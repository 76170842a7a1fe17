use std::{
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use api::{Problem, Reply};
use http::Response;

/// The number of times that a future is polled: bodies are made in pieces.
const POLLS: usize = 1000;

/// The result of a future of servers that are in this process, which wait for nothing.
///
/// # Panics
/// If it waits for something.
pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    for _ in 0..POLLS {
        if let Poll::Ready(it) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return it;
        }
    }
    panic!("a server waits for something that never happens");
}

/// The response of a reply.
pub(super) fn complete(reply: Reply) -> Pin<Box<dyn Future<Output = Response<Vec<u8>>>>> {
    Box::pin(async move {
        match reply {
            Reply::Whole(response) => response,
            Reply::Later(response) => response.await,
            Reply::Long(response) => {
                let (head, body) = response.into_parts();
                Response::from_parts(head, body.text.await)
            }
            Reply::Stream(_) => Problem::unimplemented("a page has no streams of servers").response(),
        }
    })
}
