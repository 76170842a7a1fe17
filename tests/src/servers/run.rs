use std::{
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use api::{Problem, Reply};
use http::Response;
use protocol::LocalFuture;

/// The number of times that a future is polled: bodies are made in pieces.
const POLLS: usize = 1000;

/// The result of a future of servers that are in this process, which wait for nothing.
///
/// # Panics
/// If it waits for something.
pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    poll(pin!(future)).expect("a server waits for a reply that is held")
}

/// The result of a future; `None` if it waits for a reply that is held.
pub(super) fn poll<T>(mut future: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    let mut context = Context::from_waker(Waker::noop());
    let mut polled = (0..POLLS).map(|_| future.as_mut().poll(&mut context));
    polled.find_map(|it| match it {
        Poll::Ready(it) => Some(it),
        Poll::Pending => None,
    })
}

/// The response of a reply.
pub(super) fn complete(reply: Reply) -> LocalFuture<Response<Vec<u8>>> {
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
