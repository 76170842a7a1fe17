//! Requests to the JSON gateway of a cluster.

use std::{cell::Cell, fmt, rc::Rc};

use http::{Method, Request, Response, header};
use protocol::{Transport, TransportError, line};
use runtime::Timer;
use serde_json::Value as Json;
use store::Millis;

use super::{
    EtcdOptions,
    wire::{Keys, Outcome, Pair, RangeOptions, Transaction, pairs, range, revision},
};
use crate::BackendError;

/// The members of the cluster, which are tried one after the other until one answers.
pub struct Gateway {
    pub(super) transport: Rc<dyn Transport>,
    pub(super) timer: Rc<dyn Timer>,
    pub(super) options: EtcdOptions,
    /// The member that answered last.
    current: Cell<usize>,
}

/// The reason why there is no usable answer.
#[derive(Clone, Debug)]
pub enum GatewayError {
    /// None of the members answered.
    Down(String),
    /// The answer is too long to be read.
    TooLong,
    /// The request was refused: the status and the message.
    Refused(u16, String),
}

impl From<GatewayError> for BackendError {
    fn from(denied: GatewayError) -> Self {
        Self::Unavailable(match denied {
            GatewayError::Down(why) => why,
            GatewayError::TooLong => "etcd's response is too long".into(),
            GatewayError::Refused(401 | 403, why) => format!("etcd denies access: {why}"),
            GatewayError::Refused(404, why) => format!("no etcd gateway at this address: {why}"),
            GatewayError::Refused(status, why) => format!("etcd refuses ({status}): {why}"),
        })
    }
}

impl Gateway {
    /// The gateway of a cluster.
    pub fn new(transport: Rc<dyn Transport>, timer: Rc<dyn Timer>, options: EtcdOptions) -> Self {
        Self { transport, timer, options, current: Cell::new(0) }
    }

    /// A key's full name.
    pub(super) fn key(&self, name: &str) -> String {
        let prefix = self.options.prefix.trim_end_matches('/');
        if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
    }

    /// The current time, in milliseconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.timer.now().0
    }

    /// Sends an idempotent request, to one member after the other.
    ///
    /// # Errors
    /// If none of them answers, or one refuses it.
    pub async fn post(&self, path: &str, body: &Json) -> Result<Json, GatewayError> {
        let mut last = GatewayError::Down("no address of etcd is given".into());
        for round in 0..self.options.rounds {
            if round > 0 {
                self.rest(round - 1).await;
            }
            for _ in 0..self.options.endpoints.len() {
                match self.once(path, body).await {
                    Err(GatewayError::Down(why)) => last = GatewayError::Down(why),
                    other => return other,
                }
                self.current.set((self.current.get() + 1) % self.options.endpoints.len());
            }
        }
        Err(last)
    }

    async fn rest(&self, round: u32) {
        let wait = self.options.wait.saturating_mul(1 << round.min(16)).min(self.options.longest_wait);
        self.timer.sleep_until(Millis(self.now().saturating_add_unsigned(wait))).await;
    }

    async fn once(&self, path: &str, body: &Json) -> Result<Json, GatewayError> {
        let endpoint = self.options.endpoints.get(self.current.get()).map_or("", String::as_str);
        let to = format!("{}{}{path}", endpoint.trim_end_matches('/'), self.options.gateway);
        let request = Request::builder().method(Method::POST).uri(&to);
        let request =
            request.header(header::CONTENT_TYPE, "application/json").body(body.to_string().into_bytes());
        let Ok(mut request) = request else {
            return Err(GatewayError::Refused(0, format!("`{}` is not an address", line(&to))));
        };
        request.headers_mut().extend(self.options.headers.clone());
        match self.transport.send(request).await {
            Ok(answer) => read(endpoint, &answer),
            Err(TransportError::TooLong) => Err(GatewayError::TooLong),
            Err(error) => Err(GatewayError::Down(format!("etcd at {endpoint}: {error}"))),
        }
    }

    pub(super) async fn transact(&self, transaction: &Transaction) -> Result<Outcome, BackendError> {
        Outcome::read(&self.post("/kv/txn", &transaction.json()).await?)
    }

    /// One key, with the revision at which it was read.
    pub(super) async fn one(&self, key: String) -> Result<(Option<Pair>, i64), BackendError> {
        let answer = self.post("/kv/range", &range(&Keys::One(key), RangeOptions::default())).await?;
        Ok((pairs(&answer)?.pop(), revision(&answer)))
    }

    /// All keys with a prefix, in order, page by page; pages that are too long are made shorter. `None` if
    /// that revision is not available any more.
    pub(super) async fn all(
        &self,
        prefix: &str,
        mut how: RangeOptions,
    ) -> Result<Option<Vec<Pair>>, BackendError> {
        let (mut found, mut keys) = (Vec::new(), Keys::under(prefix));
        loop {
            match self.post("/kv/range", &range(&keys, how)).await {
                Err(GatewayError::TooLong) if how.limit > 1 => how.limit /= 2,
                Err(GatewayError::Refused(_, why)) if why.contains("compacted") => return Ok(None),
                answer => {
                    let answer = answer?;
                    found.extend(pairs(&answer)?);
                    let last = found.last().map(|it: &Pair| format!("{}\0", it.key));
                    match last.filter(|_| answer.get("more").and_then(Json::as_bool) == Some(true)) {
                        Some(next) => keys = Keys::from(&next, prefix),
                        None => return Ok(Some(found)),
                    }
                }
            }
        }
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gateway").field(&self.options.endpoints).finish()
    }
}

fn read(endpoint: &str, answer: &Response<Vec<u8>>) -> Result<Json, GatewayError> {
    let status = answer.status();
    let json = serde_json::from_slice::<Json>(answer.body());
    let said =
        json.as_ref().ok().and_then(|it| ["message", "error"].iter().find_map(|key| it.get(key)?.as_str()));
    let said = line(said.unwrap_or(status.canonical_reason().unwrap_or("no reason given")));
    match status.as_u16() {
        200 => json.map_err(|_| GatewayError::Refused(200, format!("{endpoint} responds with invalid JSON"))),
        408 | 429 | 500.. => Err(GatewayError::Down(format!("etcd at {endpoint}: {said}"))),
        status => Err(GatewayError::Refused(status, said)),
    }
}
