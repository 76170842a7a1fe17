//! The commands of an activity. Only joining a virtual private network is more than an answer.

use std::{net::Ipv4Addr, rc::Rc};

use serde_json::Value as Json;
use tokio::time;

use crate::{Outcome, activity::Activity, batch::Batch, vpn::Node};

impl Activity {
    /// Executes the commands of a batch one after another, until one fails or the activity dies.
    pub(crate) async fn execute_all(self: &Rc<Self>, batch: &Batch) {
        for (index, command) in batch.script.iter().enumerate() {
            let behavior = self.agent.shared.behavior();
            if behavior.die_after.is_some_and(|count| self.commands.get() >= count) {
                // In a task of its own, because this one ends with the activity.
                let (activity, agent) = (Rc::clone(self), Rc::clone(&self.agent));
                agent.spawn(async move { activity.die().await });
                return;
            }
            batch.started(index);
            let outcome = self.execute_one(command, behavior.fail.as_deref()).await;
            self.commands.set(self.commands.get() + 1);
            let has_failed = outcome.exit_code != 0;
            batch.ended(index, outcome);
            if has_failed {
                return;
            }
        }
    }

    async fn execute_one(&self, command: &Json, fail: Option<&str>) -> Outcome {
        let (name, given) = command.as_object().and_then(|it| it.iter().next()).unzip();
        let (name, given) = (name.map_or("", String::as_str), given.unwrap_or(&Json::Null));
        if fail == Some(name) {
            return failed(&format!("simulated: {name} fails"));
        }
        match name {
            "deploy" => return self.deploy(given).await,
            "start" => self.set_state("Ready"),
            "terminate" => self.set_state("Terminated"),
            "run" => return self.run_words(given).await,
            _ => {}
        }
        Outcome::default()
    }

    async fn run_words(&self, given: &Json) -> Outcome {
        let shared = &self.agent.shared;
        let program = given["entry_point"].as_str().into_iter();
        let words = program.chain(given["args"].as_array().into_iter().flatten().filter_map(Json::as_str));
        let words: Vec<String> = words.map(str::to_owned).collect();
        shared.record(|record| record.commands.push(words.clone()));
        let outcome = shared.settings.runner.run(&words);
        time::sleep(outcome.duration).await;
        outcome
    }

    async fn deploy(&self, given: &Json) -> Outcome {
        for network in given["net"].as_array().into_iter().flatten() {
            if let Err(why) = self.join(network).await {
                return failed(&format!("the network cannot be joined: {why}"));
            }
        }
        self.set_state("Deployed");
        Outcome { stdout: format!("simulated: {} is deployed\n", self.id), ..Outcome::default() }
    }

    async fn join(&self, network: &Json) -> Result<(), String> {
        let text =
            |keys: [&str; 2]| keys.into_iter().find_map(|key| network[key].as_str()).unwrap_or_default();
        let (ip, mask) = (text(["nodeIp", "node_ip"]), text(["mask", "mask"]));
        let ip: Ipv4Addr = ip.parse().map_err(|_| format!("`{ip}` is no address"))?;
        let mask = mask.parse().unwrap_or(Ipv4Addr::new(255, 255, 255, 0));
        let settings = &self.agent.shared.settings;
        let node = Node {
            ip,
            prefix: u8::try_from(u32::from(mask).leading_ones()).unwrap_or(24),
            provider: settings.offer.name.clone(),
            activity: self.id.clone(),
            ports: settings.ports.clone(),
        };
        let joined = self.agent.vpn.join(text(["id", "id"]), &self.requestor, node).await;
        self.members.borrow_mut().push(joined.map_err(|why| why.to_string())?);
        Ok(())
    }
}

fn failed(why: &str) -> Outcome {
    Outcome { exit_code: 1, stderr: format!("{why}\n"), ..Outcome::default() }
}
