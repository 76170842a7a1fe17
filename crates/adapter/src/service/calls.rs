mod work;

use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

use protocol::{Answer, Call, Code, Problem, ResourceId, Verb, spec_hash};
use serde_json::json;

use super::Limits;
pub(super) use work::RunningWrite;

/// A write that was asked for.
pub(super) struct WriteRequest {
    pub(super) id: ResourceId,
    verb: Verb,
    address: String,
    key: String,
    /// What a key may be used for only once.
    payload: String,
}

impl WriteRequest {
    pub(super) fn of(call: &Call) -> Option<Self> {
        let (id, key, wanted) = match call {
            Call::Create { id, wanted, key } | Call::Update { id, wanted, key, .. } => {
                (id, key, Some(wanted))
            }
            Call::Destroy { id, key, .. } => (id, key, None),
            _ => return None,
        };
        let verb = call.verb()?;
        let payload = spec_hash(&json!([verb, id, wanted]));
        let address = wanted.map(|it| it.address.clone()).unwrap_or_default();
        Some(Self { id: id.clone(), verb, address, key: key.clone(), payload })
    }
}

/// Whether a requested write is new or a replay.
pub(super) enum Admission {
    /// It is to be done.
    New(Rc<RunningWrite>),
    /// It was done before: what was answered then.
    Replayed(Answer),
}

/// The writes that are under way, and those that have ended lately.
pub(super) struct Calls {
    started: i64,
    number: u64,
    works: BTreeMap<String, Rc<RunningWrite>>,
    /// Which write a key was used for.
    keys: BTreeMap<String, String>,
    /// Which write works on a resource.
    busy: BTreeMap<ResourceId, String>,
    /// When each of the others ended, the oldest first.
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
        ask: WriteRequest,
        known: Option<String>,
        now: i64,
        limits: Limits,
    ) -> Result<Admission, Problem> {
        self.forget(now, limits);
        if let Some(work) = self.keys.get(&ask.key).and_then(|op| self.works.get(op)) {
            if work.payload != ask.payload {
                return Err(Problem::new(Code::KeyReused, "the key was used for a different request"));
            }
            return work.answer().map(Admission::Replayed).ok_or_else(|| pending(work));
        }
        if let Some(work) = self.busy.get(&ask.id).and_then(|op| self.works.get(op)) {
            return Err(pending(work));
        }
        if self.busy.len() >= limits.outstanding {
            return Err(Problem::new(Code::Busy, "too many writes are in progress"));
        }
        Ok(Admission::New(self.begin(ask, known, now)))
    }

    fn begin(&mut self, ask: WriteRequest, known: Option<String>, now: i64) -> Rc<RunningWrite> {
        self.number += 1;
        // Names of an earlier start are not given again: whoever asks for one is told that it is not known any more.
        let op = format!("{:x}-{}", self.started, self.number);
        let address = Some(ask.address).filter(|it| !it.is_empty()).or(known).unwrap_or_default();
        let work = Rc::new(RunningWrite::new(
            op.clone(),
            ask.verb,
            ask.id.clone(),
            address,
            ask.payload,
            ask.key.clone(),
            now,
        ));
        self.keys.insert(ask.key, op.clone());
        self.busy.insert(ask.id, op.clone());
        self.works.insert(op, work.clone());
        work
    }

    /// Notes what came of a work. A key stands for what was done: where nothing was, or nobody knows, it is free again.
    pub(super) fn end(&mut self, work: &Rc<RunningWrite>, answer: Answer, now: i64) {
        self.busy.remove(&work.id);
        if !is_final(&answer) {
            self.keys.remove(&work.key);
        }
        self.ended.push_back((now, work.op.clone()));
        work.end(answer);
    }

    /// Forgets what ended long ago, and the oldest where they are too many.
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

/// Whether a further try of the same call would come to the same.
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
