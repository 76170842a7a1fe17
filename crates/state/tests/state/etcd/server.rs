use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    future::ready,
    rc::Rc,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{Request, Response, StatusCode};
use planloom_state::testing::LeapingTimer;
use protocol::{LocalFuture, Transport, TransportError};
use runtime::Timer;
use serde_json::{Value as Json, json};

/// etcd's JSON gateway, in memory: all its members share the data. Past revisions can be read until they are
/// compacted, and leases expire by the timer. Its limits on the size of requests are those of etcd.
#[derive(Clone)]
pub(crate) struct EtcdServer {
    kept: Rc<RefCell<Kept>>,
    timer: Rc<LeapingTimer>,
}

struct Kept {
    /// The keys at each revision; the last ones are the current ones.
    revisions: Vec<BTreeMap<String, Pair>>,
    compacted: usize,
    leases: BTreeMap<i64, Grant>,
    faults: VecDeque<Option<Fault>>,
    down: Vec<&'static str>,
    requests: Vec<(String, Json)>,
    longest: usize,
}

#[derive(Clone)]
struct Pair {
    /// In Base64.
    value: Rc<str>,
    created: usize,
    modified: usize,
    lease: i64,
}

struct Grant {
    seconds: i64,
    until: i64,
}

/// A fault of a request.
pub(crate) enum Fault {
    /// The request is executed, and the answer is lost.
    LostReply,
    /// The request is not executed; the answer has that status and reason.
    Status(u16, &'static str),
    /// Something else happens first.
    Meanwhile(Box<dyn FnOnce()>),
}

type Answer = (u16, Json);

impl EtcdServer {
    pub(crate) fn new(timer: Rc<LeapingTimer>) -> Self {
        let kept = Kept {
            revisions: vec![BTreeMap::new(); 2],
            compacted: 0,
            leases: BTreeMap::new(),
            faults: VecDeque::new(),
            down: Vec::new(),
            requests: Vec::new(),
            longest: 32 << 20,
        };
        Self { kept: Rc::new(RefCell::new(kept)), timer }
    }

    /// The faults of the next requests, one after the other.
    pub(crate) fn faults(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        self.kept.borrow_mut().faults = faults.into_iter().collect();
    }

    /// The members that do not answer.
    pub(crate) fn down<const N: usize>(&self, members: [&'static str; N]) {
        self.kept.borrow_mut().down = members.into();
    }

    /// Limits the length of the answers that are read.
    pub(crate) fn longest(&self, bytes: usize) {
        self.kept.borrow_mut().longest = bytes;
    }

    /// The addresses and bodies of the requests so far; clears them.
    pub(crate) fn requests(&self) -> Vec<(String, Json)> {
        std::mem::take(&mut self.kept.borrow_mut().requests)
    }

    /// The keys with a prefix.
    pub(crate) fn keys(&self, prefix: &str) -> Vec<String> {
        let kept = self.kept.borrow();
        kept.now().keys().filter(|it| it.starts_with(prefix)).cloned().collect()
    }

    pub(crate) fn value(&self, key: &str) -> Vec<u8> {
        BASE64_STANDARD.decode(&*self.kept.borrow().now()[key].value).expect("it was written so")
    }

    pub(crate) fn put(&self, key: &str, value: impl AsRef<[u8]>) {
        let value = BASE64_STANDARD.encode(value).into();
        self.kept.borrow_mut().change(|now, at| {
            now.insert(key.into(), Pair { value, created: at, modified: at, lease: 0 });
        });
    }

    pub(crate) fn remove(&self, key: &str) {
        self.kept.borrow_mut().change(|now, _| drop(now.remove(key)));
    }

    /// Drops all revisions before the current one.
    pub(crate) fn compact(&self) {
        let mut kept = self.kept.borrow_mut();
        kept.compacted = kept.revisions.len() - 1;
    }

    fn answer(&self, request: &Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        let mut kept = self.kept.borrow_mut();
        let body = serde_json::from_slice(request.body()).unwrap_or_default();
        kept.requests.push((request.uri().to_string(), body));
        if kept.down.iter().any(|it| request.uri().host() == Some(*it)) {
            return Err(TransportError::Unreachable("connection refused".into()));
        }
        kept.expire(self.timer.now().0);
        let (_, body) = kept.requests.last().cloned().unwrap_or_default();
        let (status, answer) = kept.answer(request.uri().path(), &body, self.timer.now().0);
        let answer = answer.to_string().into_bytes();
        if answer.len() > kept.longest { Err(TransportError::TooLong) } else { Ok(response(status, answer)) }
    }
}

impl Transport for EtcdServer {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let fault = self.kept.borrow_mut().faults.pop_front().flatten();
        Box::pin(ready(match fault {
            None => self.answer(&request),
            Some(Fault::Meanwhile(what)) => {
                what();
                self.answer(&request)
            }
            Some(Fault::LostReply) => {
                self.answer(&request).and(Err(TransportError::Broken("connection reset".into())))
            }
            Some(Fault::Status(status, why)) => {
                Ok(response(status, refused(status, why).1.to_string().into_bytes()))
            }
        }))
    }
}

fn response(status: u16, body: Vec<u8>) -> Response<Vec<u8>> {
    let mut answer = Response::new(body);
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    answer
}

fn refused(status: u16, why: &str) -> Answer {
    (status, json!({"error": why, "message": why}))
}

fn number(json: &Json, key: &str) -> i64 {
    json[key].as_str().and_then(|it| it.parse().ok()).unwrap_or_default()
}

fn text(json: &Json, key: &str) -> Option<String> {
    String::from_utf8(BASE64_STANDARD.decode(json.get(key)?.as_str()?).ok()?).ok()
}

/// The pairs of a range, in order.
fn within<'m>(now: &'m BTreeMap<String, Pair>, keys: &Json) -> Vec<(&'m String, &'m Pair)> {
    let from = text(keys, "key").unwrap_or_default();
    let to = text(keys, "range_end");
    let is_in = |key: &String| to.as_ref().map_or(*key == from, |to| to == "\0" || key < to);
    now.range(from.clone()..).filter(|(key, _)| is_in(key)).collect()
}

impl Kept {
    fn now(&self) -> &BTreeMap<String, Pair> {
        self.revisions.last().expect("there is always one")
    }

    fn change(&mut self, what: impl FnOnce(&mut BTreeMap<String, Pair>, usize)) {
        let mut next = self.now().clone();
        what(&mut next, self.revisions.len());
        self.revisions.push(next);
    }

    fn expire(&mut self, now: i64) {
        let over: Vec<i64> =
            self.leases.iter().filter(|(_, it)| it.until <= now).map(|(id, _)| *id).collect();
        over.into_iter().for_each(|id| self.end(id));
    }

    fn end(&mut self, lease: i64) {
        self.leases.remove(&lease);
        self.change(|now, _| now.retain(|_, it| it.lease != lease));
    }

    fn answer(&mut self, path: &str, body: &Json, now: i64) -> Answer {
        let (id, ttl) = (number(body, "ID"), number(body, "TTL"));
        match path {
            "/v3/kv/range" => self.range(body),
            "/v3/kv/txn" => self.transact(body),
            "/v3/lease/grant" => {
                let id = 7000 + i64::try_from(self.requests.len()).unwrap_or_default() + now % 1000;
                self.leases.insert(id, Grant { seconds: ttl, until: now + ttl * 1000 });
                (200, json!({"ID": id.to_string(), "TTL": ttl.to_string()}))
            }
            "/v3/lease/keepalive" => match self.leases.get_mut(&id) {
                Some(grant) => {
                    grant.until = now + grant.seconds * 1000;
                    (200, json!({"result": {"ID": id.to_string(), "TTL": grant.seconds.to_string()}}))
                }
                None => (200, json!({"result": {"ID": id.to_string()}})),
            },
            "/v3/lease/timetolive" => {
                let left = self.leases.get(&id).map_or(-1, |it| (it.until - now) / 1000);
                (200, json!({"ID": id.to_string(), "TTL": left.to_string()}))
            }
            "/v3/lease/revoke" if self.leases.contains_key(&id) => {
                self.end(id);
                (200, json!({}))
            }
            "/v3/lease/revoke" => refused(404, "etcdserver: requested lease not found"),
            _ => refused(404, "Not Found"),
        }
    }

    fn range(&self, requested: &Json) -> Answer {
        let latest = self.revisions.len() - 1;
        let revision = match usize::try_from(number(requested, "revision")) {
            Ok(0) => latest,
            Ok(revision) if revision < self.compacted => {
                return refused(400, "etcdserver: mvcc: required revision has been compacted");
            }
            Ok(revision) => revision,
            Err(_) => return refused(400, "no revision"),
        };
        let mut found = within(&self.revisions[revision], requested);
        let limit = usize::try_from(number(requested, "limit")).unwrap_or_default();
        let more = limit > 0 && found.len() > limit;
        if more {
            found.truncate(limit);
        }
        let pair = |(key, it): (&String, &Pair)| {
            let mut pair = json!({
                "key": BASE64_STANDARD.encode(key),
                "create_revision": it.created.to_string(),
                "mod_revision": it.modified.to_string(),
            });
            if requested["keys_only"] != json!(true) {
                pair["value"] = (*it.value).into();
            }
            if it.lease != 0 {
                pair["lease"] = it.lease.to_string().into();
            }
            pair
        };
        let pairs: Vec<Json> = found.into_iter().map(pair).collect();
        let mut answer = json!({"header": {"revision": latest.to_string()}, "kvs": pairs});
        if more {
            answer["more"] = true.into();
        }
        (200, answer)
    }

    fn transact(&mut self, requested: &Json) -> Answer {
        let holds = |it: &Json| {
            let pair = text(it, "key").and_then(|key| self.now().get(&key));
            let (is, field) = match it["target"].as_str() {
                Some("CREATE") => (pair.map_or(0, |it| it.created), "create_revision"),
                _ => (pair.map_or(0, |it| it.modified), "mod_revision"),
            };
            i64::try_from(is) == Ok(number(it, field))
        };
        let happens = requested["compare"].as_array().is_some_and(|it| it.iter().all(holds));
        let deeds =
            requested[if happens { "success" } else { "failure" }].as_array().cloned().unwrap_or_default();
        if deeds.len() > 128 || requested.to_string().len() > 2 << 20 {
            return refused(400, "etcdserver: request is too large");
        }
        let (mut next, at, mut is_other) = (self.now().clone(), self.revisions.len(), false);
        let mut responses = Vec::new();
        for deed in &deeds {
            if let Some(put) = deed.get("request_put") {
                let (key, lease) = (text(put, "key").unwrap_or_default(), number(put, "lease"));
                if lease != 0 && !self.leases.contains_key(&lease) {
                    return refused(404, "etcdserver: requested lease not found");
                }
                let created = next.get(&key).map_or(at, |it| it.created);
                let value = put["value"].as_str().unwrap_or_default().into();
                next.insert(key, Pair { value, created, modified: at, lease });
                is_other = true;
            } else if let Some(keys) = deed.get("request_delete_range") {
                let gone: Vec<String> = within(&next, keys).into_iter().map(|(key, _)| key.clone()).collect();
                is_other |= !gone.is_empty();
                gone.iter().for_each(|key| drop(next.remove(key)));
            } else if let Some(keys) = deed.get("request_range") {
                responses.push(json!({"response_range": self.range(keys).1}));
            }
        }
        if is_other {
            self.revisions.push(next);
        }
        let revision = (self.revisions.len() - 1).to_string();
        (200, json!({"header": {"revision": revision}, "succeeded": happens, "responses": responses}))
    }
}
