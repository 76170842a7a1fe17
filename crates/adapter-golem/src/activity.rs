//! The activity API: activities and the commands that they execute (`/activity-api/v1`).

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::yagna::{Yagna, YagnaError, id};

const API: &str = "/activity-api/v1/activity";

/// The maximum time that a provider may take to start an activity.
const PROVIDER: Duration = Duration::from_secs(60);

/// The maximum time that it may take to end one.
const END: Duration = Duration::from_secs(15);

/// The state of an activity, and the reason of its end.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivityState {
    /// The current state and the next one.
    state: (String, Option<String>),
    #[serde(default)]
    pub(crate) reason: Option<String>,
    #[serde(default)]
    pub(crate) error_message: Option<String>,
}

impl ActivityState {
    /// The name of the current state: `New`, `Initialized`, `Deployed`, `Ready`, `Unresponsive`, `Terminated`.
    pub(crate) fn name(&self) -> &str {
        &self.state.0
    }

    pub(crate) fn is_terminated(&self) -> bool {
        self.name() == "Terminated" || self.state.1.as_deref() == Some("Terminated")
    }

    /// The reason why it has ended, as its provider says it.
    pub(crate) fn why(&self) -> String {
        let why = [&self.reason, &self.error_message].into_iter().flatten().find(|it| !it.is_empty());
        why.map(|it| format!(": {}", it.chars().take(300).collect::<String>())).unwrap_or_default()
    }
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CommandResult {
    pub(crate) index: usize,
    pub(crate) result: String,
    #[serde(default)]
    pub(crate) stdout: Option<String>,
    #[serde(default)]
    pub(crate) stderr: Option<String>,
    #[serde(default)]
    pub(crate) message: Option<String>,
    #[serde(default)]
    pub(crate) is_batch_finished: bool,
}

impl CommandResult {
    pub(crate) fn is_ok(&self) -> bool {
        self.result == "Ok"
    }
}

impl Yagna {
    /// Starts an activity under an agreement.
    pub(crate) async fn start_activity(&self, agreement: &str) -> Result<String, YagnaError> {
        let path = format!("{API}?timeout={}", PROVIDER.as_secs());
        let answer = self.post_and_wait(&path, &json!({"agreementId": agreement}), PROVIDER).await?;
        match answer.get("activityId") {
            Some(activity) => id(activity.clone()),
            None => id(answer),
        }
    }

    /// The activities that were started under an agreement.
    pub(crate) async fn activities(&self, agreement: &str) -> Result<Vec<String>, YagnaError> {
        match self.get(&format!("{API}?agreementId={agreement}")).await {
            Err(error) if error.is_absent() => Ok(Vec::new()),
            answer => answer,
        }
    }

    /// True if the executor of an activity can be reached, by a request about a batch that has ended. The states that the
    /// daemons know are only the last ones that were reported to them.
    pub(crate) async fn reaches(&self, activity: &str, batch: &str) -> Result<bool, YagnaError> {
        match self.results(activity, batch, Duration::from_secs(5)).await {
            Ok(_) => Ok(true),
            Err(YagnaError::Lost(error)) => Err(YagnaError::Lost(error)),
            Err(_) => Ok(false),
        }
    }

    pub(crate) async fn activity_state(&self, activity: &str) -> Result<ActivityState, YagnaError> {
        let wait = Duration::from_secs(10);
        let path = format!("{API}/{activity}/state?timeout={}", wait.as_secs());
        let none = || YagnaError::Malformed("there is no state".into());
        self.poll(&path, wait).await?.ok_or_else(none)
    }

    /// Sends commands; returns the id of their batch.
    pub(crate) async fn execute(&self, activity: &str, commands: &[Json]) -> Result<String, YagnaError> {
        let text = Json::from(commands).to_string();
        let path = format!("{API}/{activity}/exec?timeout={}", PROVIDER.as_secs());
        id(self.post_and_wait(&path, &json!({"text": text}), PROVIDER).await?)
    }

    /// The results of a batch so far. Without an index: with one, executors say that the batch is finished
    /// when the command is.
    pub(crate) async fn results(
        &self,
        activity: &str,
        batch: &str,
        wait: Duration,
    ) -> Result<Vec<CommandResult>, YagnaError> {
        let path = format!("{API}/{activity}/exec/{batch}?timeout={}", wait.as_secs());
        Ok(self.poll(&path, wait).await?.unwrap_or_default())
    }

    /// Ends the activities of an agreement, and returns them. A provider that cannot be reached any more does not
    /// confirm it; the end of the agreement, which has to follow, counts.
    pub(crate) async fn end_activities(&self, agreement: &str) -> Result<Vec<String>, YagnaError> {
        let activities = self.activities(agreement).await?;
        for activity in &activities {
            _ = self.end_activity(activity).await;
        }
        Ok(activities)
    }

    /// Ends an activity; it is no error if it has ended.
    async fn end_activity(&self, activity: &str) -> Result<(), YagnaError> {
        self.delete(&format!("{API}/{activity}?timeout={}", END.as_secs()), END).await
    }
}
