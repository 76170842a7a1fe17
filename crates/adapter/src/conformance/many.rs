use std::collections::BTreeSet;

use protocol::{Call, Feature, Reply, Resource, ResourceId};

use super::{
    Stop, Verdict,
    bench::{Bench, CallResult},
    ensure, failed, skipped,
};
use crate::gather::gather;

pub(super) async fn batch(bench: &Bench) -> Verdict {
    bench.needs(Feature::BatchRead)?;
    let (one, _) = bench.made().await?;
    let (two, _) = bench.made().await?;
    let never = bench.subject();
    let result =
        bench.call_once(&Call::BatchRead(vec![one.id.clone(), never.id.clone(), two.id.clone()])).await;
    let Reply::Batch(batch) = result.reply else { return failed(format!("POST: {}", result.description())) };
    let there: BTreeSet<ResourceId> = batch.items.into_iter().map(|item| item.id).collect();
    ensure(there == [one.id, two.id].into(), || "`items` are not those that exist".into())?;
    ensure(batch.missing == [never.id], || "`missing` is not the one that does not exist".into())?;
    Ok(String::new())
}

pub(super) async fn list(bench: &Bench) -> Verdict {
    bench.needs(Feature::List)?;
    let mut made = BTreeSet::new();
    for _ in 0..3 {
        made.insert(bench.made().await?.0.id);
    }
    let (ids, pages) = listed(bench, &bench.options.lineage).await?;
    ensure(made.iter().all(|id| ids.contains(id)), || "one that exists is not listed".into())?;
    let (others, _) = listed(bench, &format!("{}-other", bench.options.lineage)).await?;
    ensure(others.is_empty(), || "another deployment's list is not empty".into())?;
    Ok(format!("{pages} page{}", if pages == 1 { "" } else { "s" }))
}

/// The ids of a deployment, and the number of pages they come in.
async fn listed(bench: &Bench, deployment: &str) -> Result<(BTreeSet<ResourceId>, usize), Stop> {
    let (mut ids, mut pages, mut page) = (BTreeSet::new(), 0, None);
    loop {
        let call = Call::List { deployment: deployment.to_owned(), page };
        let result = bench.call_once(&call).await;
        let Reply::Page(part) = result.reply else { return failed(format!("GET: {}", result.description())) };
        pages += 1;
        for item in part.items {
            let id = item.id.id.clone();
            ensure(item.deployment == deployment, || format!("`{id}` is of another deployment"))?;
            ensure(ids.insert(item.id), || format!("`{id}` is listed twice"))?;
        }
        ensure(pages < 1_000, || "the list has no end".into())?;
        if part.next.is_none() {
            return Ok((ids, pages));
        }
        page = part.next;
    }
}

pub(super) async fn unknown_operation(bench: &Bench) -> Verdict {
    let call = Call::Operation { op: "no-such-operation".into(), wait: None };
    let result = bench.call_once(&call).await;
    ensure(matches!(result.reply, Reply::Absent), || format!("GET: {}", result.description()))?;
    Ok(String::new())
}

pub(super) async fn long_poll(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let call = bench.put(&subject);
    // Sent only once, so that an operation is left for this check.
    let result = bench.call_once(&call).await;
    let Reply::Operation(operation) = result.reply else {
        return skipped(format!("it answered at once, with {}", result.status));
    };
    let Some(ended) = bench.end_of(&operation.op).await else { return failed("the operation did not end") };
    ensure(ended.problem.is_none(), || "the operation failed".into())?;
    ensure(ended.resource.is_some(), || "the operation ended without its resource".into())?;
    ensure(bench.end_of(&operation.op).await == Some(ended), || {
        "a second request reports something else".into()
    })?;
    Ok(String::new())
}

pub(super) async fn parallel(bench: &Bench) -> Verdict {
    let count = bench.options.parallel;
    let subjects: Vec<_> = (0..count).map(|_| bench.subject()).collect();
    let calls: Vec<Call> = subjects.iter().map(|subject| bench.put(subject)).collect();
    let mut identities = BTreeSet::new();
    for result in at_once(bench, &calls).await {
        let identity = result.resource("PUT")?.identity;
        let text = serde_json::Value::Object(identity).to_string();
        ensure(text == "{}" || identities.insert(text), || "two have the same identity".into())?;
    }
    for subject in &subjects {
        bench.active(&subject.id).await?;
    }
    Ok(format!("{count} at a time"))
}

async fn at_once(bench: &Bench, calls: &[Call]) -> Vec<CallResult> {
    gather(calls.iter().map(|call| Box::pin(bench.call(call)) as _), calls.len()).await
}

pub(super) async fn same_id(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let calls: Vec<Call> = (0..8).map(|_| bench.put(&subject)).collect();
    let mut received: Vec<Resource> = Vec::new();
    for result in at_once(bench, &calls).await {
        match result {
            CallResult { reply: Reply::Resource(resource), .. } => received.push(*resource),
            CallResult { reply: Reply::Outstanding(_), .. } => {}
            other => return failed(format!("PUT: {}", other.description())),
        }
    }
    let first = received.first().map(|it| it.identity.clone());
    ensure(first.is_some(), || "none of them succeeded".into())?;
    let now = bench.active(&subject.id).await?.identity;
    ensure(received.iter().all(|it| it.identity == now), || "they are different resources".into())?;
    Ok(format!("{} of {} were answered with it", received.len(), calls.len()))
}

pub(super) async fn clean(bench: &Bench) -> Verdict {
    let made = bench.ever_made();
    for id in &made {
        bench.gone(id).await?;
    }
    if bench.needs(Feature::List).is_ok() {
        let (left, _) = listed(bench, &bench.options.lineage).await?;
        ensure(left.is_empty(), || format!("{} are still listed", left.len()))?;
    }
    Ok(format!("{} resources were created", made.len()))
}
