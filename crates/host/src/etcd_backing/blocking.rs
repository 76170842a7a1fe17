use std::{
    rc::Rc,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use protocol::Transport;
use serde_json::Value as Json;
use state::{
    BackendError,
    etcd::{
        EtcdOptions,
        gateway::{Gateway, GatewayError},
        wire::{Outcome, Transaction},
    },
};
use tokio::runtime::{Builder, Runtime};

use crate::SystemTimer;

/// A gateway for callers that wait: its requests are sent in a thread of its own, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct BlockingGateway(Sender<Call>);

struct Call {
    path: &'static str,
    body: Json,
    reply: Sender<Result<Json, GatewayError>>,
}

/// The reason why there is no usable answer.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) why: String,
    /// True if the request may have been executed, or may still be.
    pub(super) is_open: bool,
    /// True if an answer is too long to be read.
    pub(super) is_too_long: bool,
}

impl BlockingGateway {
    pub(super) fn start(
        options: impl FnOnce() -> EtcdOptions + Send + 'static,
        transport: impl FnOnce() -> Result<Rc<dyn Transport>, String> + Send + 'static,
    ) -> Result<Self, String> {
        let (calls, received) = channel();
        let (started, is_started) = channel();
        let run = move || {
            let runtime = Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|why| format!("cannot wait for the network: {why}"));
            let parts = runtime.and_then(|it| Ok((it, transport()?)));
            match parts {
                Ok((runtime, transport)) => {
                    drop(started.send(Ok(())));
                    answer(&runtime, &Gateway::new(transport, SystemTimer::new(), options()), &received);
                }
                Err(why) => drop(started.send(Err(why))),
            }
        };
        let thread = thread::Builder::new().name("etcd".into()).spawn(run);
        thread.map_err(|why| format!("cannot start a thread: {why}"))?;
        is_started.recv().unwrap_or_else(|_| Err("the thread for etcd has panicked".to_owned()))?;
        Ok(Self(calls))
    }

    /// Sends an idempotent request, several times if necessary.
    pub(super) fn post(&self, path: &'static str, body: Json) -> Result<Json, Failed> {
        let (reply, replied) = channel();
        let sent = self.0.send(Call { path, body, reply });
        let replied = sent.ok().and_then(|()| replied.recv().ok());
        replied
            .ok_or_else(|| Failed::open("the thread for etcd has panicked".to_owned()))?
            .map_err(Failed::of)
    }

    pub(super) fn transact(&self, transaction: &Transaction) -> Result<Outcome, Failed> {
        let answer = self.post("/kv/txn", transaction.json())?;
        Outcome::read(&answer).map_err(|why| Failed::open(why.to_string()))
    }
}

fn answer(runtime: &Runtime, gateway: &Gateway, calls: &Receiver<Call>) {
    while let Ok(Call { path, body, reply }) = calls.recv() {
        let answer = runtime.block_on(gateway.post(path, &body));
        // Who does not wait any more needs no answer.
        drop(reply.send(answer));
    }
}

impl Failed {
    fn open(why: String) -> Self {
        Self { why, is_open: true, is_too_long: false }
    }

    fn of(error: GatewayError) -> Self {
        let (is_open, is_too_long) = match &error {
            GatewayError::Down(_) => (true, false),
            GatewayError::TooLong => (true, true),
            GatewayError::Refused(..) => (false, false),
        };
        let help = match &error {
            GatewayError::Down(_) => "; check that it runs and that this address is right",
            GatewayError::Refused(401 | 403, _) => "; use an etcd without authentication",
            GatewayError::TooLong | GatewayError::Refused(..) => "",
        };
        Self { why: format!("{}{help}", BackendError::from(error)), is_open, is_too_long }
    }
}
