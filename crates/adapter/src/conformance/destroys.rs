use protocol::{Code, Reply};

use super::{
    Stop, Verdict,
    bench::{Bench, CallResult},
    ensure,
    life::unchanged,
};

fn done(result: &CallResult, what: &str) -> Result<(), Stop> {
    ensure(matches!(result.reply, Reply::Done | Reply::Absent), || {
        format!("{what}: {}", result.description())
    })
}

pub(super) async fn destroy(bench: &Bench) -> Verdict {
    let (subject, before) = bench.made().await?;
    let result = bench.call(&bench.delete(&subject.id, before.etag)).await;
    let status = result.status;
    ensure(matches!(result.reply, Reply::Done), || format!("DELETE: {}", result.description()))?;
    ensure(matches!(status, 204 | 202), || format!("the answer is {status}, not 204 or 202"))?;
    bench.gone(&subject.id).await?;
    Ok(String::new())
}

pub(super) async fn twice(bench: &Bench) -> Verdict {
    let (subject, _) = bench.made().await?;
    let call = bench.delete(&subject.id, None);
    done(&bench.call(&call).await, "the first DELETE")?;
    done(&bench.call(&call).await, "the second DELETE, with the same key")?;
    done(&bench.call(&bench.delete(&subject.id, None)).await, "the third DELETE, with another key")?;
    let never = bench.subject();
    done(&bench.call(&bench.delete(&never.id, None)).await, "DELETE of a resource that never existed")?;
    Ok(String::new())
}

pub(super) async fn stale(bench: &Bench) -> Verdict {
    let (subject, before) = bench.made().await?;
    let call = bench.delete(&subject.id, Some("\"of-another-time\"".into()));
    bench.call(&call).await.refused("DELETE", &[412], Some(Code::Stale))?;
    unchanged(bench, &before).await
}
