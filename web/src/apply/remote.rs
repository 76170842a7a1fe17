//! The worker that applies, as the page talks to it: with what writes and reads messages, loaded when it is needed.

use gloo_worker::{HandlerId, Worker, WorkerScope};
use yew::Callback;

use super::{
    link::WORKER,
    message::{Request, Response},
};
use crate::worker_link::{self, Sender};

/// The interface of the worker to the page: its input and its output. The worker itself is not part of the page's
/// program.
#[derive(Debug)]
struct Remote;

impl Worker for Remote {
    type Message = ();
    type Input = Request;
    type Output = Response;

    fn create(_: &WorkerScope<Self>) -> Self {
        Self
    }

    fn update(&mut self, _: &WorkerScope<Self>, (): ()) {}

    fn received(&mut self, _: &WorkerScope<Self>, _: Request, _: HandlerId) {}
}

/// Starts the worker, which ends when what sends to it is dropped.
pub fn spawn(on_response: Callback<Response>) -> Sender<Request> {
    worker_link::spawn::<Remote>(WORKER, move |response| on_response.emit(response))
}
