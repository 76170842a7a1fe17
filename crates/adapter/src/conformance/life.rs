use protocol::{Call, Code, Reply, Resource, ResourceBody, spec_hash};
use serde_json::{Map, Value as Json};

use super::{
    Stop, Verdict,
    bench::{Bench, CallResult},
    ensure, failed, skipped,
};
use crate::gather::first;

pub(super) async fn create(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let call = bench.put(&subject);
    let result = bench.call(&call).await;
    let status = result.status;
    let resource = result.resource("PUT")?;
    ensure(matches!(status, 201 | 202), || format!("the answer is {status}, not 201 or 202"))?;
    if let Call::Create { body, .. } = &call {
        is_of(&resource, body)?;
    }
    bench.active(&subject.id).await?;
    Ok(String::new())
}

/// Checks that the resource was created for that deployment and from that spec.
pub(super) fn is_of(resource: &Resource, body: &ResourceBody) -> Result<(), Stop> {
    let hash = spec_hash(&Json::Object(body.spec.clone()));
    ensure(resource.spec_hash == hash, || format!("`spec_hash` is `{}`, not `{hash}`", resource.spec_hash))?;
    ensure(resource.deployment == body.deployment, || format!("`deployment` is `{}`", resource.deployment))?;
    ensure(resource.address == body.address, || format!("`address` is `{}`", resource.address))?;
    ensure(resource.generation == body.generation, || format!("`generation` is {}", resource.generation))?;
    is_as(&resource.spec, &body.spec)
}

/// Checks that the reported attributes have the values that were sent; attributes may be left out.
fn is_as(reported: &Map<String, Json>, sent: &Map<String, Json>) -> Result<(), Stop> {
    let differing =
        sent.iter().find(|(key, value)| reported.get(*key).is_some_and(|reported| !covers(reported, value)));
    ensure(differing.is_none(), || {
        format!("`spec` differs from what was sent at `/{}`", differing.map_or("", |(key, _)| key))
    })
}

/// Maps may have more keys than were sent.
fn covers(reported: &Json, sent: &Json) -> bool {
    match (reported, sent) {
        (Json::Object(reported), Json::Object(sent)) => {
            sent.iter().all(|(key, value)| reported.get(key).is_none_or(|reported| covers(reported, value)))
        }
        (Json::Array(reported), Json::Array(sent)) => {
            reported.len() == sent.len()
                && reported.iter().zip(sent).all(|(reported, sent)| covers(reported, sent))
        }
        _ => reported == sent,
    }
}

pub(super) async fn again(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let call = bench.put(&subject);
    let before = bench.call(&call).await.resource("the first PUT")?;
    let after = bench.call(&call).await;
    let status = after.status;
    let after = after.resource("the second PUT")?;
    same_identity(&before, &after)?;
    Ok(format!("the second is answered with {status}"))
}

pub(super) async fn same(bench: &Bench) -> Verdict {
    let (subject, before) = bench.made().await?;
    let result = bench.call(&bench.put(&subject)).await;
    let status = result.status;
    same_identity(&before, &result.resource("the second PUT")?)?;
    ensure(matches!(status, 200 | 202), || format!("the second is answered with {status}, not 200"))?;
    Ok(String::new())
}

fn same_identity(before: &Resource, after: &Resource) -> Result<(), Stop> {
    ensure(before.identity == after.identity, || "its identity is another: there are two".into())
}

pub(super) async fn differs(bench: &Bench) -> Verdict {
    let (subject, before) = bench.made().await?;
    let mut other = bench.body(&subject, &bench.options.spec);
    other.generation += 1;
    let mut bodies = vec![other];
    let spec = bench.options.changed.as_ref().or(bench.options.rebuild.as_ref());
    bodies.extend(spec.map(|spec| bench.body(&subject, spec)));
    for body in bodies {
        let call = Call::Create { id: subject.id.clone(), body, key: bench.key() };
        bench.call(&call).await.refused("PUT", &[409], Some(Code::ExistsDifferently))?;
    }
    unchanged(bench, &before).await
}

/// Checks that the resource is unchanged.
pub(super) async fn unchanged(bench: &Bench, before: &Resource) -> Verdict {
    let after = bench.read(&before.id).await.resource("GET")?;
    same_identity(before, &after)?;
    ensure(after.spec_hash == before.spec_hash, || "its `spec_hash` has changed".into())?;
    ensure(after.spec == before.spec, || "its `spec` has changed".into())?;
    Ok(String::new())
}

pub(super) async fn key_reused(bench: &Bench) -> Verdict {
    let Some(spec) = bench.options.changed.as_ref().or(bench.options.rebuild.as_ref()) else {
        return skipped("no other spec was given");
    };
    let subject = bench.subject();
    let call = bench.put(&subject);
    let before = bench.call(&call).await.resource("the first PUT")?;
    let Call::Create { id, key, .. } = call else { return failed("no PUT") };
    let call = Call::Create { id, body: bench.body(&subject, spec), key };
    bench.call(&call).await.refused("the second PUT", &[409, 422], None)?;
    let after = bench.active(&subject.id).await?;
    ensure(after.spec_hash == before.spec_hash, || "it was changed".into())?;
    Ok(String::new())
}

pub(super) async fn read(bench: &Bench) -> Verdict {
    let (subject, resource) = bench.made().await?;
    is_of(&resource, &bench.body(&subject, &bench.options.spec))?;
    let etag = resource.etag;
    ensure(etag.as_ref().is_some_and(|it| it.starts_with('"')), || {
        "it has no ETag, or only a weak one".into()
    })?;
    let later = bench.read(&subject.id).await.resource("GET")?;
    ensure(later.etag == etag, || "its ETag changed although nothing else did".into())?;
    Ok(String::new())
}

pub(super) async fn create_after(bench: &Bench) -> Verdict {
    let (subject, _) = bench.made().await?;
    bench.call(&bench.delete(&subject.id, None)).await;
    bench.gone(&subject.id).await?;
    let result = bench.call(&bench.put(&subject)).await;
    let status = result.status;
    result.resource("PUT")?;
    ensure(matches!(status, 201 | 202), || format!("the answer is {status}, not 201 or 202"))?;
    bench.active(&subject.id).await?;
    Ok(String::new())
}

pub(super) async fn abandoned(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let call = bench.put(&subject);
    first(bench.call(&call), bench.sleep(20)).await;
    let settled = |result: &CallResult| !matches!(result.reply, Reply::Outstanding(_));
    let result = bench.until(async || bench.call(&call).await, settled).await;
    let before = result.resource("the same PUT once more")?;
    let after = bench.active(&subject.id).await?;
    same_identity(&before, &after)?;
    Ok(String::new())
}
