//! Providers that do not do what they should.

use std::time::{Duration, Instant};

use golem_network::{AgreementAnswer, Behavior, Delays, Network, Provider, Stop};
use serde_json::{Value as Json, json};

use crate::requestor::{Flow, LONGEST, until, until_closed, with_network};

const SCRIPT: &str = r#"[{"deploy":{}},{"start":{}},{"run":{"entry_point":"/bin/true","args":[]}}]"#;

fn script() -> Json {
    serde_json::from_str(SCRIPT).unwrap()
}

/// Destroys an activity and closes the flow; what invoices came.
async fn finish(flow: &Flow, agreement: &str, activity: &str, invoices: usize) -> Vec<Json> {
    flow.destroy(activity).await;
    let invoices = flow.invoices(agreement, invoices).await;
    flow.close().await;
    invoices
}

fn amount(invoice: &Json) -> f64 {
    invoice["amount"].as_str().unwrap().parse().unwrap()
}

#[test]
fn a_proposal_is_refused() {
    with_network(|network| async move {
        let provider = &network.providers()[0];
        provider.set(Behavior { refuse_proposals: true, ..Behavior::default() });
        let flow = Flow::demand(network, provider).await;
        let event = flow.negotiate().await.unwrap_err();
        assert_eq!(event["eventType"], "ProposalRejectedEvent", "{event}");
        flow.close().await;
    });
}

#[test]
fn an_agreement_is_rejected_or_ignored() {
    with_network(|network| async move {
        let provider = &network.providers()[0];
        for (agreement, expected) in
            [(AgreementAnswer::Reject, "Rejected"), (AgreementAnswer::Ignore, "Pending")]
        {
            provider.set(Behavior { agreement, ..Behavior::default() });
            let flow = Flow::demand(network, provider).await;
            let proposal = flow.negotiate().await.unwrap();
            let (id, state) = flow.agree(&proposal, 3).await;
            assert_eq!(state, expected);
            if expected == "Pending" {
                assert_eq!(network.open().await.unwrap().agreements, [id.as_str()]);
                let path = format!("/market-api/v1/agreements/{id}/cancel");
                flow.api.post(&path, json!({ "message": "too late" })).await.unwrap();
            }
            flow.close().await;
        }
        until_closed(network).await;
    });
}

#[test]
fn answers_are_late() {
    with_network(|network| async move {
        let provider = &network.providers()[1];
        let delays = Delays { activity: Duration::from_millis(1500), ..Delays::default() };
        provider.set(Behavior { delays, ..Behavior::default() });
        let flow = Flow::demand(network, provider).await;
        let proposal = flow.negotiate().await.unwrap();
        let (agreement, _) = flow.agree(&proposal, 20).await;
        let begin = Instant::now();
        let activity = flow.create(&agreement).await;
        assert!(begin.elapsed() >= delays.activity);
        finish(&flow, &agreement, &activity, 1).await;
        until_closed(network).await;
    });
}

#[test]
fn a_command_fails() {
    with_network(|network| async move {
        let provider = &network.providers()[1];
        provider.set(Behavior { fail: Some("start".to_owned()), ..Behavior::default() });
        let (flow, agreement, activity) = Flow::activity(network, provider).await;
        let batch = flow.execute(&activity, script()).await;
        let results = flow.results(&activity, &batch).await;
        let of_each: Vec<_> = results.iter().map(|result| result["result"].as_str().unwrap()).collect();
        assert_eq!(of_each, ["Ok", "Error"]);
        assert_eq!(results[1]["stderr"], "simulated: start fails\n");
        finish(&flow, &agreement, &activity, 1).await;
        until_closed(network).await;
    });
}

#[test]
fn an_activity_dies() {
    with_network(|network| async move {
        let provider = &network.providers()[2];
        provider.set(Behavior { die_after: Some(2), ..Behavior::default() });
        let (flow, agreement, activity) = Flow::activity(network, provider).await;
        let batch = flow.execute(&activity, script()).await;
        let path = format!("/activity-api/v1/activity/{activity}/state");
        let state = state_when(&flow, &path, "Terminated").await;
        assert_eq!(state["reason"], "execution aborted", "{state}");
        let path = format!("/activity-api/v1/activity/{activity}/exec/{batch}?timeout=5");
        assert!(flow.api.get(&path).await.is_err());
        assert_eq!(flow.invoices(&agreement, 1).await.len(), 1);
        flow.close().await;
        until_closed(network).await;
    });
}

async fn state_when(flow: &Flow, path: &str, expected: &str) -> Json {
    let begin = Instant::now();
    loop {
        let state = flow.api.get(path).await.unwrap();
        if state["state"][0] == expected {
            return state;
        }
        assert!(begin.elapsed() < LONGEST, "{state}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn a_provider_disappears_and_comes_back() {
    with_network(|network| async move {
        let provider = &network.providers()[2];
        let (flow, _, activity) = Flow::activity(network, provider).await;
        provider.kill();
        let path = format!("/activity-api/v1/activity/{activity}/exec?timeout=5");
        assert!(flow.api.post(&path, json!({ "text": SCRIPT })).await.is_err());
        let path = format!("/activity-api/v1/activity/{activity}?timeout=3");
        assert!(flow.api.delete(&path).await.is_err());
        assert_eq!(network.open().await.unwrap().activities, [activity.as_str()]);
        flow.close().await;
        provider.revive();
        provider.published(2).await;
        works(network, provider).await;
        let path = format!("/activity-api/v1/activity/{activity}?timeout=10");
        let _ = flow.api.delete(&path).await;
        until_closed(network).await;
    });
}

/// An activity is created, runs a command, and is paid.
async fn works(network: &Network, provider: &Provider) {
    let (flow, agreement, activity) = Flow::activity(network, provider).await;
    let batch = flow.execute(&activity, script()).await;
    assert_eq!(flow.results(&activity, &batch).await.len(), 3);
    finish(&flow, &agreement, &activity, 1).await;
}

#[test]
fn invoices_are_too_high_twice_or_missing() {
    with_network(|network| async move {
        let provider = &network.providers()[0];
        provider.set(Behavior { overcharge: 1000.0, invoices: 2, ..Behavior::default() });
        let (flow, agreement, activity) = Flow::activity(network, provider).await;
        let invoices = finish(&flow, &agreement, &activity, 2).await;
        // No activity of this test takes a minute, which would cost 0.018.
        assert!(amount(&invoices[0]) > 0.0 && amount(&invoices[0]) == amount(&invoices[1]));
        assert_eq!(provider.record().invoices.iter().rev().take(2).count(), 2);
        provider.set(Behavior { invoices: 0, ..Behavior::default() });
        let (flow, agreement, activity) = Flow::activity(network, provider).await;
        finish(&flow, &agreement, &activity, 0).await;
        until_closed(network).await;
        assert!(flow.invoices(&agreement, 0).await.is_empty());
    });
}

#[test]
fn the_requestors_daemon_restarts() {
    with_network(|network| async move {
        for how in [Stop::Kill, Stop::Terminate] {
            let provider = &network.providers()[1];
            let (flow, agreement, activity) = Flow::activity(network, provider).await;
            let begin = Instant::now();
            network.restart_requestor(how).unwrap();
            eprintln!("restarted in {:?}", begin.elapsed());
            assert_eq!(network.open().await.unwrap().agreements, [agreement.as_str()]);
            let begin = Instant::now();
            let path = format!("/activity-api/v1/activity/{activity}/exec?timeout=5");
            while flow.api.post(&path, json!({ "text": SCRIPT })).await.is_err() {
                assert!(begin.elapsed() < LONGEST);
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            eprintln!("connected in {:?}", begin.elapsed());
            finish(&flow, &agreement, &activity, 1).await;
            until_closed(network).await;
        }
    });
}

#[test]
fn an_invoice_waits_for_the_requestors_daemon() {
    with_network(|network| async move {
        let provider = &network.providers()[0];
        provider.set(Behavior { die_after: Some(1), ..Behavior::default() });
        let (flow, agreement, activity) = Flow::activity(network, provider).await;
        let script = json!([{ "run": { "entry_point": "sleep", "args": ["1"] } }, { "terminate": {} }]);
        flow.execute(&activity, script).await;
        network.stop_requestor(Stop::Kill);
        let has_ended = || async { provider.record().destroyed.contains(&activity) };
        until(has_ended, "the activity ends while there is no requestor").await;
        network.start_requestor().unwrap();
        let begin = Instant::now();
        flow.invoices(&agreement, 1).await;
        eprintln!("the invoice came after {:?}", begin.elapsed());
        flow.close().await;
        until_closed(network).await;
    });
}
