//! Checks of the instance of an adapter, and of the deployment that each resource belongs to.

use protocol::{Call, Code, Feature, Reply, Resource};

use super::{Verdict, bench::Bench, ensure, failed, life::unchanged, skipped};

pub(super) async fn instance(bench: &Bench) -> Verdict {
    let mut reported: Vec<String> = Vec::new();
    for _ in 0..2 {
        let result = bench.call_once(&Call::Describe).await;
        let Reply::Described(description) = result.reply else {
            return failed(format!("it does not describe itself: {}", result.description()));
        };
        reported.push(description.instance);
    }
    ensure(reported.first() == reported.last(), || "it reports another one the second time".into())?;
    if reported.iter().all(String::is_empty) {
        return skipped("it does not report it, so an engine cannot distinguish it from another adapter");
    }
    Ok(reported.pop().unwrap_or_default())
}

/// The lineage of a deployment without resources.
fn other(bench: &Bench) -> String {
    format!("{}-other", bench.options.lineage)
}

pub(super) async fn changes(bench: &Bench) -> Verdict {
    bench.needs(Feature::Lineage)?;
    let (subject, before) = bench.made().await?;
    let mut body = bench.body(&subject, &bench.options.spec);
    body.deployment = other(bench);
    let (id, key) = (subject.id.clone(), bench.key());
    let update = Call::Update { id, body: body.clone(), key, if_match: None };
    bench.call(&update).await.refused("PATCH", &[403], Some(Code::OtherLineage))?;
    let create = Call::Create { id: subject.id.clone(), body, key: bench.key() };
    bench.call(&create).await.refused("PUT", &[403], Some(Code::OtherLineage))?;
    still_belongs(bench, &before).await
}

pub(super) async fn destroys(bench: &Bench) -> Verdict {
    bench.needs(Feature::Lineage)?;
    let (subject, before) = bench.made().await?;
    let (id, key, deployment) = (subject.id.clone(), bench.key(), Some(other(bench)));
    let call = Call::Destroy { id, key, if_match: None, deployment };
    bench.call(&call).await.refused("DELETE", &[403], Some(Code::OtherLineage))?;
    still_belongs(bench, &before).await
}

async fn still_belongs(bench: &Bench, before: &Resource) -> Verdict {
    let after = bench.read(&before.id).await.resource("GET")?;
    ensure(after.deployment == bench.options.lineage, || {
        format!("it now belongs to the deployment `{}`", after.deployment)
    })?;
    unchanged(bench, before).await
}

pub(super) async fn list(bench: &Bench) -> Verdict {
    bench.needs(Feature::Lineage)?;
    let (subject, _) = bench.made().await?;
    let name = bench.options.lineage.clone();
    let own = bench.options.lineage.clone();
    let found = named(bench, &name, Some(other(bench))).await?;
    let item = found.iter().find(|it| it.id == subject.id);
    ensure(item.is_some(), || "one that exists is not listed".into())?;
    ensure(found.iter().all(|it| it.deployment == own), || {
        "one lacks the lineage that it was created for".into()
    })?;
    let without = named(bench, &name, Some(own)).await?;
    ensure(without.is_empty(), || "one is listed whose deployment was excluded".into())?;
    let other = named(bench, &format!("{name} of nobody"), None).await?;
    ensure(other.is_empty(), || "another deployment's name is listed, too".into())?;
    Ok(String::new())
}

/// All resources that are listed under a name.
async fn named(bench: &Bench, name: &str, except: Option<String>) -> Result<Vec<Resource>, super::Stop> {
    let (mut found, mut page) = (Vec::new(), None);
    for _ in 0..1_000 {
        let call = Call::ListByName { name: name.to_owned(), except: except.clone(), page };
        let result = bench.call_once(&call).await;
        let Reply::Page(part) = result.reply else { return failed(format!("GET: {}", result.description())) };
        found.extend(part.items);
        page = part.next;
        if page.is_none() {
            return Ok(found);
        }
    }
    failed("the list has no end")
}
