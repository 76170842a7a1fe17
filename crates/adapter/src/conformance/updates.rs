use protocol::{Call, Code, Reply};
use serde_json::{Map, Value as Json};

use super::{
    Stop, Verdict,
    bench::Bench,
    ensure,
    life::{is_of, unchanged},
    skipped,
};

fn changed(bench: &Bench) -> Result<&Map<String, Json>, Stop> {
    bench.options.changed.as_ref().map_or_else(|| skipped("no change in place was given"), Ok)
}

pub(super) async fn update(bench: &Bench) -> Verdict {
    let spec = changed(bench)?;
    let (subject, before) = bench.made().await?;
    let body = bench.body(&subject, spec);
    let result = bench.call(&bench.patch(&subject, spec, before.etag.clone())).await;
    let status = result.status;
    let after = result.resource("PATCH")?;
    ensure(matches!(status, 200 | 202), || format!("the answer is {status}, not 200 or 202"))?;
    is_of(&after, &body)?;
    let after = bench.active(&subject.id).await?;
    is_of(&after, &body)?;
    ensure(after.etag != before.etag, || "its ETag has not changed".into())?;
    bench.call(&bench.patch(&subject, &bench.options.spec, None)).await.resource("PATCH without If-Match")?;
    is_of(&bench.active(&subject.id).await?, &bench.body(&subject, &bench.options.spec))?;
    Ok(String::new())
}

pub(super) async fn again(bench: &Bench) -> Verdict {
    let spec = changed(bench)?;
    let (subject, _) = bench.made().await?;
    let call = bench.patch(&subject, spec, None);
    let first = bench.call(&call).await.resource("the first PATCH")?;
    let second = bench.call(&call).await.resource("the second PATCH")?;
    ensure(first.identity == second.identity, || "its identity has changed".into())?;
    is_of(&second, &bench.body(&subject, spec))?;
    Ok(String::new())
}

pub(super) async fn stale(bench: &Bench) -> Verdict {
    let spec = changed(bench)?;
    let (subject, before) = bench.made().await?;
    let call = bench.patch(&subject, spec, Some("\"of-another-time\"".into()));
    bench.call(&call).await.refused("PATCH", &[412], Some(Code::Stale))?;
    unchanged(bench, &before).await
}

pub(super) async fn rebuild(bench: &Bench) -> Verdict {
    let Some(spec) = bench.options.rebuild.as_ref() else {
        return skipped("no change that needs a rebuild was given");
    };
    let (subject, before) = bench.made().await?;
    let result = bench.call(&bench.patch(&subject, spec, None)).await;
    result.refused("PATCH", &[409], Some(Code::RebuildRequired))?;
    unchanged(bench, &before).await
}

pub(super) async fn absent(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let call: Call = bench.patch(&subject, &bench.options.spec, None);
    let result = bench.call(&call).await;
    ensure(matches!(result.reply, Reply::Absent), || format!("PATCH: {}", result.description()))?;
    let result = bench.read(&subject.id).await;
    ensure(matches!(result.reply, Reply::Absent), || "it created something".into())?;
    Ok(String::new())
}
