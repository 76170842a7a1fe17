use std::{collections::BTreeSet, sync::Arc, time::Duration};

use serde::Serialize;
use store::{Kind, Millis};

use crate::{
    AccessDenied, Declaration, Input, Output, Strength, codes, cycles::cycles, engine::State,
    register::conflict, worker::Worker,
};

/// A problem of controllers, or a likely one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lint {
    /// A stable name, `runtime/what`.
    pub code: &'static str,
    /// One line for people, lower case, without full stop.
    pub message: String,
    /// The controllers that it is about; of a cycle, in its order.
    pub controllers: Vec<Arc<str>>,
    /// The kinds that it is about; of a cycle, the one that leads from each controller to the next.
    pub kinds: Vec<Kind>,
}

/// Problems of declarations, found without running the controllers.
///
/// - `runtime/two-writers`: both write a kind that one of them declares as exclusive. One would not be
///   registered.
/// - `runtime/teardown-cycle`: each holds what the one before writes, so that none of it may ever be
///   destroyed.
/// - `runtime/write-loop`: each is woken by the writes of the one before. It may settle; if not, it is slowed
///   down.
///
/// A controller that reads what it writes itself is not a cycle. Outputs that only remove do not cause a
/// loop.
pub fn lint(declarations: &[Declaration]) -> Vec<Lint> {
    let mut lints = two_writers(declarations);
    lints.extend(teardown_cycles(declarations));
    lints.extend(write_loops(declarations));
    lints
}

fn two_writers(declarations: &[Declaration]) -> Vec<Lint> {
    let mut lints = Vec::new();
    for (at, one) in declarations.iter().enumerate() {
        for other in &declarations[at + 1..] {
            let pairs = one.outputs.iter().flat_map(|a| other.outputs.iter().map(move |b| (a, b)));
            let conflicts = pairs.filter(|(a, b)| conflict(a, b));
            lints.extend(conflicts.map(|(output, _)| Lint {
                code: codes::TWO_WRITERS.as_str(),
                message: format!(
                    "`{}` and `{}` both write `{}`, which is not shared",
                    one.id, other.id, output.name
                ),
                controllers: vec![one.id.clone(), other.id.clone()],
                kinds: vec![output.kind()],
            }));
        }
    }
    lints
}

fn teardown_cycles(declarations: &[Declaration]) -> Vec<Lint> {
    let holds = |input: &Input, output: &Output| {
        input.strength == Strength::Strong && !output.removes_only && output.covers(&input.kind)
    };
    let say = |names: &str| {
        format!(
            "a teardown can wait for itself: each of {names} holds resources that the one before \
                 writes"
        )
    };
    cyclic(declarations, codes::TEARDOWN_CYCLE.as_str(), holds, say)
}

fn write_loops(declarations: &[Declaration]) -> Vec<Lint> {
    let wakes = |input: &Input, output: &Output| {
        input.strength != Strength::DestroyReady && !output.removes_only && output.covers(&input.kind)
    };
    let say = |names: &str| {
        format!(
            "writes can form a loop: each of {names} is triggered by writes of the one \
                               before"
        )
    };
    cyclic(declarations, codes::WRITE_LOOP.as_str(), wakes, say)
}

fn cyclic(
    declarations: &[Declaration],
    code: &'static str,
    leads: impl Fn(&Input, &Output) -> bool,
    say: impl Fn(&str) -> String,
) -> Vec<Lint> {
    let link = |from: &Declaration, to: &Declaration| {
        let reads = |input: &&Input| from.outputs.iter().any(|output| leads(input, output));
        to.inputs.iter().find(reads).map(|input| input.kind.clone())
    };
    let successors = |from: &Declaration| -> BTreeSet<usize> {
        let linked = declarations.iter().enumerate().filter(|(_, to)| link(from, to).is_some());
        linked.map(|(at, _)| at).collect()
    };
    let edges: Vec<_> = declarations.iter().map(successors).collect();
    let found = cycles(&edges).into_iter().map(|cycle| {
        let members: Vec<&Declaration> = cycle.into_iter().map(|at| &declarations[at]).collect();
        let next = members.iter().skip(1).chain(members.first());
        let names: Vec<String> = members.iter().map(|member| format!("`{}`", member.id)).collect();
        Lint {
            code,
            message: say(&names.join(", ")),
            controllers: members.iter().map(|member| member.id.clone()).collect(),
            kinds: members.iter().zip(next).filter_map(|(from, to)| link(from, to)).collect(),
        }
    });
    found.collect()
}

/// Problems that occurred at run time.
///
/// - `runtime/denied`: a call that was not declared.
/// - `runtime/livelock`: a loop of writes that does not settle.
/// - `runtime/stuck-teardown`: a resource that has been tearing down for long, and still has finalizers.
pub(crate) fn lint_running(state: &State, now: Millis, longest: Duration) -> Vec<Lint> {
    let denied = state.workers.iter().flat_map(|worker| worker.controller.denied());
    let mut lints: Vec<Lint> = denied.map(|(denied, times)| refused(&denied, times)).collect();
    lints.extend(state.workers.iter().filter_map(|worker| looping(worker, now)));
    lints.extend(stuck(state, now, longest));
    lints
}

fn refused(denied: &AccessDenied, times: u64) -> Lint {
    let times = if times == 1 { String::new() } else { format!(", {times} times") };
    Lint {
        code: codes::DENIED.as_str(),
        message: format!("{denied}{times}"),
        controllers: vec![denied.controller.clone()],
        kinds: vec![denied.kind.clone()],
    }
}

fn looping(worker: &Worker, now: Millis) -> Option<Lint> {
    let looped = worker.looped_at(now)?;
    let id = &worker.controller.id;
    let (steps, span) = (looped.steps, (looped.last.0 - looped.since.0).max(0));
    Some(Lint {
        code: codes::LIVELOCK.as_str(),
        message: match &looped.kind {
            Some(kind) => format!(
                "`{id}` is triggered through `{kind}` by a loop of writes that does not settle: {steps} runs in a row in {span} ms"
            ),
            None => {
                format!("`{id}` wakes itself at once and does not settle: {steps} runs in a row in {span} ms")
            }
        },
        controllers: vec![id.clone()],
        kinds: looped.kind.iter().cloned().collect(),
    })
}

fn stuck(state: &State, now: Millis, longest: Duration) -> Vec<Lint> {
    let known = |name: &Arc<str>| state.workers.iter().any(|worker| worker.is_called(name));
    let leaving = state.taps.values().flat_map(|tap| tap.mirror.leaving());
    let old = leaving.filter(|(it, since)| now.since(*since) > longest && !it.metadata.finalizers.is_empty());
    let lints = old.map(|(resource, _)| {
        let (live, gone): (Vec<_>, Vec<_>) =
            resource.metadata.finalizers.iter().cloned().partition(|name| known(name));
        let names: Vec<String> = live.iter().map(|name| format!("`{name}`")).collect();
        let unknown = gone.iter().map(|name| format!("`{name}`, which is not a registered controller"));
        let names: Vec<String> = names.into_iter().chain(unknown).collect();
        Lint {
            code: codes::STUCK_TEARDOWN.as_str(),
            message: format!("`{}` is still held by {}", resource.key(), names.join(", ")),
            controllers: live,
            kinds: vec![resource.key().kind.clone()],
        }
    });
    lints.collect()
}
