use std::{collections::BTreeMap, net::IpAddr, time::Duration};

use serde_json::{Value as Json, json};
use tokio::time::{Instant, sleep};

use crate::{
    activity::CommandResult,
    yagna::{Yagna, YagnaError},
};

/// The time that the daemon waits for further results.
const POLL: Duration = Duration::from_secs(2);

/// The number of times that results are asked for again, if the provider cannot be reached.
const TRIES: u32 = 5;

/// The command that runs a program and returns its output.
pub(crate) fn run(words: &[String]) -> Json {
    let capture = json!({"atEnd": {"part": {"head": {"length": 65536}}, "format": "string"}});
    json!({"run": {
        "entry_point": words.first().map_or("", |it| it),
        "args": words.get(1..).unwrap_or_default(),
        "capture": {"stdout": capture, "stderr": capture},
    }})
}

/// A network as it is described to its members.
#[derive(Clone, Debug)]
pub(crate) struct DeployNetwork<'n> {
    pub(crate) vpn: &'n str,
    pub(crate) range: ipnet::IpNet,
    pub(crate) ip: IpAddr,
    /// The members' identities, by their addresses.
    pub(crate) nodes: BTreeMap<IpAddr, String>,
    /// The members' addresses, by their names.
    pub(crate) hosts: BTreeMap<String, IpAddr>,
}

/// The command that deploys the image, under that host name.
pub(crate) fn deploy(hostname: &str, network: Option<&DeployNetwork<'_>>) -> Json {
    let Some(network) = network else { return json!({"deploy": {"hostname": hostname}}) };
    json!({"deploy": {
        "hostname": hostname,
        "hosts": network.hosts,
        "net": [{
            "id": network.vpn,
            "ip": network.range.network(),
            "mask": network.range.netmask(),
            "nodeIp": network.ip,
            "nodes": network.nodes,
        }],
    }})
}

/// The reason why commands were not executed.
#[derive(Clone, Debug)]
pub(crate) enum ScriptError {
    /// A command failed.
    Failed(CommandResult),
    /// The activity has ended; with the reason.
    Ended(String),
    /// The time is up.
    TimedOut,
    /// The provider cannot be reached, or the daemon.
    Yagna(YagnaError),
}

/// A command that was executed successfully.
#[derive(Clone, Debug)]
pub(crate) struct Executed {
    pub(crate) result: CommandResult,
    /// The batch that it was executed in.
    pub(crate) batch: String,
}

/// Executes a command, and waits for its result.
pub(crate) async fn execute(
    yagna: &Yagna,
    activity: &str,
    command: Json,
    limit: Duration,
) -> Result<Executed, ScriptError> {
    let deadline = Instant::now() + limit;
    let batch = yagna.execute(activity, &[command]).await.map_err(ScriptError::Yagna)?;
    let mut tries = 0;
    while Instant::now() < deadline {
        match yagna.results(activity, &batch, POLL).await {
            Ok(results) => match results.into_iter().find(|it| it.index == 0) {
                Some(result) if result.is_ok() => return Ok(Executed { result, batch }),
                Some(result) => return Err(ScriptError::Failed(result)),
                None => sleep(Duration::from_millis(50)).await,
            },
            Err(error) => {
                tries += 1;
                ended(yagna, activity).await?;
                if tries >= TRIES {
                    return Err(ScriptError::Yagna(error));
                }
                sleep(Duration::from_secs(1)).await;
            }
        }
    }
    Err(ScriptError::TimedOut)
}

/// Polling the results of an activity that has ended is answered with an error that does not say so.
async fn ended(yagna: &Yagna, activity: &str) -> Result<(), ScriptError> {
    match yagna.activity_state(activity).await {
        Ok(state) if state.is_terminated() => Err(ScriptError::Ended(state.why())),
        _ => Ok(()),
    }
}

/// The last lines of what a command wrote, for messages.
pub(crate) fn output(result: &CommandResult) -> String {
    let texts = [&result.stderr, &result.stdout, &result.message].into_iter().flatten();
    let text = texts.map(|it| it.trim()).find(|it| !it.is_empty()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().rev().take(8).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" | ").chars().take(1000).collect()
}
