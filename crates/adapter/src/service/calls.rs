mod work;

use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

use protocol::{Answer, Call, Code, Problem, ResourceId, Verb, spec_hash};
use serde_json::json;

use super::Limits;
pub(super) use work::RunningWrite;

/// A requested write.
pub(super) struct WriteRequest {
    pub(super) id: ResourceId,
    verb: Verb,
    address: String,
    key: String,
    /// A hash of the request: a key may be used for one payload only.
    payload: String,
}

impl WriteRequest {
    pub(super) fn of(call: &Call) -> Option<Self> {
        let (id, key, body) = match call {
            Call::Create { id, body, key } | Call::Update { id, body, key, .. } => (id, key, Some(body)),
            Call::Destroy { id, key, .. } => (id, key, None),
            _ => return None,
        };
        let verb = call.verb()?;
        let payload = spec_hash(&json!([verb, id, body]));
        let address = body.map(|it| it.address.clone()).unwrap_or_default();
        Some(Self { id: id.clone(), verb, address, key: key.clone(), payload })
    }
}

/// The admission of a requested write, which is new or a replay.
pub(super) enum Admission {
    /// The write has to be applied.
    New(Rc<RunningWrite>),
    /// The write was applied before: its answer.
    Replayed(Answer),
}

/// The writes that are in progress, and those that have ended lately.
pub(super) struct Calls {
    started: i64,
    number: u64,
    works: BTreeMap<String, Rc<RunningWrite>>,
    /// The operation of each key.
    keys: BTreeMap<String, String>,
    /// The operation that works on each resource.
    busy: BTreeMap<ResourceId, String>,
    /// The time at which each of the other operations ended, the oldest first.
    ended: VecDeque<(i64, String)>,
}

impl Calls {
    pub(super) fn new(started: i64) -> Self {
        let (works, keys, busy) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { started, number: 0, works, keys, busy, ended: VecDeque::new() }
    }

    pub(super) fn is_busy(&self, id: &ResourceId) -> bool {
        self.busy.contains_key(id)
    }

    pub(super) fn work(&self, op: &str) -> Option<Rc<RunningWrite>> {
        self.works.get(op).cloned()
    }

    pub(super) fn admit(
        &mut self,
        request: WriteRequest,
        known: Option<String>,
        now: i64,
        limits: Limits,
    ) -> Result<Admission, Problem> {
        self.forget(now, limits);
        if let Some(work) = self.keys.get(&request.key).and_then(|op| self.works.get(op)) {
            if work.payload != request.payload {
                return Err(Problem::new(Code::KeyReused, "the key was used for a different request"));
            }
            return work.answer().map(Admission::Replayed).ok_or_else(|| pending(work));
        }
        if let Some(work) = self.busy.get(&request.id).and_then(|op| self.works.get(op)) {
            return Err(pending(work));
        }
        if self.busy.len() >= limits.outstanding {
            return Err(Problem::new(Code::Busy, "too many writes are in progress"));
        }
        Ok(Admission::New(self.begin(request, known, now)))
    }

    fn begin(&mut self, request: WriteRequest, known: Option<String>, now: i64) -> Rc<RunningWrite> {
        self.number += 1;
        // Names from before a restart are not used again: a request for one of them is answered with 404.
        let op = format!("{:x}-{}", self.started, self.number);
        let address = Some(request.address).filter(|it| !it.is_empty()).or(known).unwrap_or_default();
        let work = Rc::new(RunningWrite::new(
            op.clone(),
            request.verb,
            request.id.clone(),
            address,
            request.payload,
            request.key.clone(),
            now,
        ));
        self.keys.insert(request.key, op.clone());
        self.busy.insert(request.id, op.clone());
        self.works.insert(op, work.clone());
        work
    }

    /// Records the answer of a write. A key stays in use only if its answer is final: if nothing was done, or
    /// it is not known what was done, the key is free again.
    pub(super) fn end(&mut self, work: &Rc<RunningWrite>, answer: Answer, now: i64) {
        self.busy.remove(&work.id);
        if !is_final(&answer) {
            self.keys.remove(&work.key);
        }
        self.ended.push_back((now, work.op.clone()));
        work.end(answer);
    }

    /// Forgets the writes that ended long ago, and the oldest if there are too many.
    pub(super) fn forget(&mut self, now: i64, limits: Limits) {
        while let Some((ended, op)) = self.ended.front() {
            let is_old = now.saturating_sub(*ended) >= limits.keep_ms;
            if !is_old && self.ended.len() <= limits.keep {
                break;
            }
            if let Some(work) = self.works.remove(op)
                && self.keys.get(&work.key) == Some(op)
            {
                self.keys.remove(&work.key);
            }
            self.ended.pop_front();
        }
    }
}

/// True if another attempt of the same call would have the same result.
fn is_final(answer: &Answer) -> bool {
    match answer {
        Answer::Problem(problem) => {
            let passes = problem.retryable || problem.is(Code::Stale);
            problem.status < 500 && !passes
        }
        _ => true,
    }
}

fn pending(work: &RunningWrite) -> Problem {
    let detail = format!("a {} of the same resource is in progress", work.verb.as_str());
    Problem { op: Some(work.op.clone()), ..Problem::new(Code::OperationPending, detail) }
}
