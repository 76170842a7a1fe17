//! From an agreement to a service that runs.

use std::time::Duration;

use ::adapter::spec::Init;
use protocol::{Code, Problem};
use serde_json::{Value as Json, json};

use crate::{
    node::hostname,
    rent::{AttemptError, Plan},
    rental::{Rental, Stage},
    script::{self, ScriptError, execute},
    shared::Shared,
    yagna::YagnaError,
};

impl Shared {
    /// Starts the activity of a rental that has a lease, and runs its commands.
    pub(crate) async fn start(&self, plan: &Plan<'_>, rental: &mut Rental) -> Result<(), AttemptError> {
        let Some(lease) = rental.lease.clone() else { return Ok(()) };
        let (id, name) = (&plan.requested.id.id, &lease.provider_name);
        self.set_progress(id, Stage::Starting, &format!("{name} starts the activity"));
        let activity = self.yagna.start_activity(&lease.agreement).await;
        let activity = activity.map_err(|it| self.provider_problem(name, "start the activity", &it))?;
        rental.activity = Some(activity.clone());
        self.folder.put_rental(rental)?;
        if let Some(network) = &plan.network {
            self.add_node(rental, plan.spec, network).await?;
        }
        let members = plan.network.as_ref().and_then(|it| self.deploy_network(rental, it));
        let timeouts = plan.spec.timeouts;
        self.set_progress(id, Stage::Starting, &format!("{name} deploys the image"));
        let deploy = script::deploy(&hostname(&plan.requested.address), members.as_ref());
        self.step(name, &activity, "deploy the image", deploy, timeouts.deploy).await?;
        self.set_progress(id, Stage::Starting, &format!("{name} starts the runtime"));
        let start = json!({"start": {}});
        let batch = self.step(name, &activity, "start the runtime", start, timeouts.start).await?;
        let last = self.run_init(plan, name, &activity).await?;
        rental.batch = Some(last.unwrap_or(batch));
        Ok(())
    }

    /// A step that every provider can do, so that one that cannot is left for another one.
    async fn step(
        &self,
        name: &str,
        activity: &str,
        doing: &str,
        command: Json,
        limit: Duration,
    ) -> Result<String, AttemptError> {
        let done = execute(&self.yagna, activity, command, limit).await;
        done.map(|it| it.batch).map_err(|error| self.step_problem(name, doing, limit, error))
    }

    fn step_problem(&self, name: &str, doing: &str, limit: Duration, error: ScriptError) -> AttemptError {
        AttemptError::Provider(match error {
            ScriptError::Failed(result) => format!("{name} cannot {doing}: {}", script::output(&result)),
            ScriptError::Ended(why) => format!("{name} ended the activity, about to {doing}{why}"),
            ScriptError::TimedOut => format!("{name} did not {doing} within {} s", limit.as_secs()),
            ScriptError::Yagna(error) => return self.provider_problem(name, doing, &error),
        })
    }

    /// The daemon cannot do what depends on the provider: another one is tried, unless the daemon itself does
    /// not answer.
    fn provider_problem(&self, name: &str, doing: &str, error: &YagnaError) -> AttemptError {
        match error {
            YagnaError::Refused(..) => AttemptError::Provider(format!("{name} cannot {doing}: {error}")),
            _ => AttemptError::Final(self.yagna.problem(doing, error)),
        }
    }

    /// Runs the `init` commands, one after the other; returns the last batch, if there is one.
    async fn run_init(
        &self,
        plan: &Plan<'_>,
        name: &str,
        activity: &str,
    ) -> Result<Option<String>, AttemptError> {
        let count = plan.spec.init.len();
        let (mut last, mut batch) = (String::new(), None);
        for (at, init) in plan.spec.init.iter().enumerate() {
            let program = init.words.words.first().cloned().unwrap_or_default();
            let step = format!("`{program}` runs ({} of {count}){last}", at + 1);
            self.set_progress(&plan.requested.id.id, Stage::Starting, &step);
            let limit = plan.spec.timeouts.command;
            let done = execute(&self.yagna, activity, script::run(&init.words.words), limit).await;
            let done = done.map_err(|error| match error {
                ScriptError::Failed(result) => AttemptError::Final(failed(init, &script::output(&result))),
                other => self.step_problem(name, &format!("run `{program}`"), limit, other),
            })?;
            batch = Some(done.batch);
            let output = script::output(&done.result);
            last = if output.is_empty() { output } else { format!("; before it: {output}") };
        }
        Ok(batch)
    }
}

fn failed(init: &Init, output: &str) -> Problem {
    let program = init.words.words.first().map_or("", |it| it);
    let output = if output.is_empty() { "; it wrote nothing".into() } else { format!(": {output}") };
    let message = format!("`{program}` failed{output}");
    Problem::new(Code::InvalidSpec, &message).at(&init.words.pointer, message)
}
