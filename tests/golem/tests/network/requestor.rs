//! Networks for the tests of a program, and the requests of a requestor.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use golem_network::{
    Api, Failure, Network, Networks, Options, Outcome, PLATFORM, Provider, Runner, Unavailable,
};
use serde_json::{Map, Value as Json, json};

/// The longest wait for something that has to come: on a machine that is busy with other work, it takes a while.
pub(crate) const LONGEST: Duration = Duration::from_secs(120);

/// Runs a test with a network that no other test uses; skips it where there is no network.
pub(crate) fn with_network<F: Future<Output = ()>>(test: impl FnOnce(&'static Network) -> F) {
    static NETWORKS: Networks = Networks::new(options);
    match NETWORKS.take() {
        Ok(own) => {
            let network = own.network();
            for provider in network.providers() {
                provider.set(golem_network::Behavior::default());
            }
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(test(network));
        }
        Err(why) => skipped(why),
    }
}

/// Three providers. For the first one `sleep 1` takes a second; the last one sends a debit note each second.
fn options() -> Options {
    let mut options = Options::default();
    options.providers[0].runner = Runner::new(|words| Outcome {
        stdout: format!("simulated: {}\n", words.join(" ")),
        duration: Duration::from_secs(u64::from(words[0] == "sleep")),
        ..Outcome::default()
    });
    options.providers[2].offer.debit_notes = Duration::from_secs(1);
    options
}

fn skipped(why: &Unavailable) {
    eprintln!("skipped: {why}");
}

/// A requestor on its way to an agreement with one provider.
pub(crate) struct Flow {
    pub(crate) api: Api,
    pub(crate) allocation: String,
    pub(crate) demand: String,
    properties: Map<String, Json>,
    constraints: String,
}

/// The time at which everything expires, if nothing ends it before.
const EXPIRATION: &str = "2099-01-01T00:00:00Z";
const EXPIRATION_MILLISECONDS: u64 = 4_070_908_800_000;

fn text(value: &Json) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

impl Flow {
    /// Reserves money and publishes a demand that only one provider fits.
    pub(crate) async fn demand(network: &Network, provider: &Provider) -> Self {
        let api = network.requestor().api.clone();
        let body = json!({ "paymentPlatform": PLATFORM, "totalAmount": "1", "makeDeposit": false, "timeout": EXPIRATION });
        let allocation = text(&api.post("/payment-api/v1/allocations", body).await.unwrap()["allocationId"]);
        let path = format!("/payment-api/v1/demandDecorations?allocationIds={allocation}");
        let decorations = api.get(&path).await.unwrap();
        let mut properties: Map<String, Json> = decorations["properties"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (text(&it["key"]), it["value"].clone()))
            .collect();
        properties.insert("golem.srv.comp.expiration".to_owned(), json!(EXPIRATION_MILLISECONDS));
        properties.insert("golem.node.debug.subnet".to_owned(), json!("public"));
        properties.insert("golem.com.payment.chosen-platform".to_owned(), json!(PLATFORM));
        properties.insert("golem.com.payment.protocol.version".to_owned(), json!(2));
        let mut constraints = format!("(&(golem.runtime.name=vm)(golem.node.id.name={})", provider.name());
        decorations["constraints"].as_array().unwrap().iter().for_each(|it| constraints += &text(it));
        constraints += ")";
        let body = json!({ "properties": properties, "constraints": constraints });
        let demand = text(&api.post("/market-api/v1/demands", body).await.unwrap());
        Self { api, allocation, demand, properties, constraints }
    }

    fn proposal(&self) -> Json {
        json!({ "properties": self.properties, "constraints": self.constraints })
    }

    /// Answers proposals until the provider has answered, too; the id of its answer, or its rejection.
    pub(crate) async fn negotiate(&self) -> Result<String, Json> {
        let path = format!("/market-api/v1/demands/{}/events?timeout=2&maxEvents=5", self.demand);
        let begin = Instant::now();
        while begin.elapsed() < LONGEST {
            for event in self.api.get(&path).await.unwrap().as_array().unwrap().clone() {
                let proposal = &event["proposal"];
                match (event["eventType"].as_str(), proposal["state"].as_str()) {
                    (Some("ProposalEvent"), Some("Initial")) => {
                        let id = text(&proposal["proposalId"]);
                        let path = format!("/market-api/v1/demands/{}/proposals/{id}", self.demand);
                        self.api.post(&path, self.proposal()).await.unwrap();
                    }
                    (Some("ProposalEvent"), _) => return Ok(text(&proposal["proposalId"])),
                    _ => return Err(event),
                }
            }
        }
        panic!("no provider answers");
    }

    /// Proposes an agreement and waits until the provider has decided; its id and its state.
    pub(crate) async fn agree(&self, proposal: &str, seconds: u64) -> (String, String) {
        let body = json!({ "proposalId": proposal, "validTo": EXPIRATION });
        let id = text(&self.api.post("/market-api/v1/agreements", body).await.unwrap());
        let path = format!("/market-api/v1/agreements/{id}");
        self.api.post(&format!("{path}/confirm"), Json::Null).await.unwrap();
        let _ = self.api.post(&format!("{path}/wait?timeout={seconds}"), Json::Null).await;
        (id.clone(), self.agreement_state(&id).await)
    }

    pub(crate) async fn agreement_state(&self, id: &str) -> String {
        text(&self.api.get(&format!("/market-api/v1/agreements/{id}")).await.unwrap()["state"])
    }

    /// A demand, an approved agreement and an activity in it.
    pub(crate) async fn activity(network: &Network, provider: &Provider) -> (Self, String, String) {
        let flow = Self::demand(network, provider).await;
        let proposal = flow.negotiate().await.expect("an answer");
        let (agreement, state) = flow.agree(&proposal, 30).await;
        assert_eq!(state, "Approved");
        let activity = flow.create(&agreement).await;
        (flow, agreement, activity)
    }

    pub(crate) async fn create(&self, agreement: &str) -> String {
        let body = json!({ "agreementId": agreement });
        text(&self.api.post("/activity-api/v1/activity?timeout=30", body).await.unwrap()["activityId"])
    }

    /// Sends commands; the id of their batch.
    pub(crate) async fn execute(&self, activity: &str, script: Json) -> String {
        let path = format!("/activity-api/v1/activity/{activity}/exec?timeout=20");
        text(&self.api.post(&path, json!({ "text": script.to_string() })).await.unwrap())
    }

    /// The results of a batch when it has finished.
    pub(crate) async fn results(&self, activity: &str, batch: &str) -> Vec<Json> {
        let path = format!("/activity-api/v1/activity/{activity}/exec/{batch}?timeout=10");
        loop {
            let results = self.api.get(&path).await.unwrap().as_array().unwrap().clone();
            if results.last().is_some_and(|last| last["isBatchFinished"] == true) {
                return results;
            }
        }
    }

    pub(crate) async fn destroy(&self, activity: &str) {
        let path = format!("/activity-api/v1/activity/{activity}?timeout=20");
        match self.api.delete(&path).await {
            // On a busy machine the daemon may give up before the provider has answered; it may have ended since.
            Err(Failure { status: Some(408), .. }) => drop(self.api.delete(&path).await),
            ended => drop(ended.unwrap()),
        }
    }

    /// The invoices for an agreement, when there are that many.
    pub(crate) async fn invoices(&self, agreement: &str, count: usize) -> Vec<Json> {
        let begin = Instant::now();
        loop {
            let all = self.api.get("/payment-api/v1/invoices").await.unwrap();
            let of = all.as_array().unwrap().iter().filter(|it| it["agreementId"] == agreement);
            let of: Vec<Json> = of.cloned().collect();
            if of.len() >= count {
                return of;
            }
            assert!(begin.elapsed() < LONGEST, "{} invoices instead of {count}", of.len());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn accept(&self, invoice: &Json) {
        let body = json!({ "totalAmountAccepted": invoice["amount"], "allocationId": self.allocation });
        let path = format!("/payment-api/v1/invoices/{}/accept?timeout=20", text(&invoice["invoiceId"]));
        self.api.post(&path, body).await.unwrap();
    }

    /// Withdraws the demand and releases the money.
    pub(crate) async fn close(&self) {
        let withdrawn = self.api.delete(&format!("/market-api/v1/demands/{}", self.demand)).await;
        // The daemon forgets its demands when it restarts.
        assert!(withdrawn.is_ok() || withdrawn.is_err_and(|why| why.status == Some(404)));
        self.api.delete(&format!("/payment-api/v1/allocations/{}", self.allocation)).await.unwrap();
    }
}

/// Returns when a condition holds.
pub(crate) async fn until<F: Future<Output = bool>>(holds: impl Fn() -> F, what: &str) {
    let begin = Instant::now();
    while !holds().await {
        assert!(begin.elapsed() < LONGEST, "not so in {LONGEST:?}: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns when nothing is open any more at the requestor's daemon.
pub(crate) async fn until_closed(network: &Network) {
    until(|| async { network.open().await.unwrap().is_empty() }, "nothing is open any more").await;
}
