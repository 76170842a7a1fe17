//! A requestor rents, runs and pays.

use std::time::Duration;

use golem_network::{Api, Network};
use hyper::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::requestor::{Flow, until_closed, with_network};

#[test]
fn the_whole_flow() {
    with_network(|network| async move {
        let provider = &network.providers()[0];
        let (flow, agreement, activity) = Flow::activity(network, provider).await;
        let script = json!([{ "deploy": {} }, { "start": {} }, { "run": { "entry_point": "/bin/echo", "args": ["hello"] } }]);
        let batch = flow.execute(&activity, script).await;
        let results = flow.results(&activity, &batch).await;
        assert_eq!(results.len(), 3);
        assert_eq!(results[2]["stdout"], "simulated: /bin/echo hello\n");
        flow.destroy(&activity).await;
        let invoice = flow.invoices(&agreement, 1).await.remove(0);
        flow.accept(&invoice).await;
        flow.close().await;
        assert!(provider.record().commands.iter().any(|words| words == &["/bin/echo", "hello"]));
        until_closed(network).await;
    });
}

#[test]
fn a_requestor_terminates_the_agreement() {
    with_network(|network| async move {
        let provider = &network.providers()[1];
        let (flow, agreement, activity) = Flow::activity(network, provider).await;
        let path = format!("/market-api/v1/agreements/{agreement}/terminate");
        flow.api.post(&path, json!({ "message": "enough" })).await.unwrap();
        let invoice = flow.invoices(&agreement, 1).await.remove(0);
        assert_eq!(invoice["activityIds"], json!([activity]));
        flow.accept(&invoice).await;
        flow.close().await;
        until_closed(network).await;
    });
}

#[test]
fn debit_notes_grow() {
    with_network(|network| async move {
        let (flow, agreement, activity) = Flow::activity(network, &network.providers()[2]).await;
        let notes = loop {
            let notes = flow.api.get("/payment-api/v1/debitNotes").await.unwrap();
            let of_activity = notes.as_array().unwrap().iter().filter(|note| note["activityId"] == activity);
            let amounts =
                of_activity.map(|note| note["totalAmountDue"].as_str().unwrap().parse::<f64>().unwrap());
            let amounts: Vec<f64> = amounts.collect();
            if amounts.len() > 1 {
                break amounts;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        assert_ne!(notes[0], notes[1]);
        flow.destroy(&activity).await;
        flow.invoices(&agreement, 1).await;
        flow.close().await;
        until_closed(network).await;
    });
}

#[test]
fn events_are_streamed() {
    with_network(|network| async move {
        let (flow, agreement, activity) = Flow::activity(network, &network.providers()[0]).await;
        let script =
            json!([{ "deploy": {} }, { "start": {} }, { "run": { "entry_point": "sleep", "args": ["1"] } }]);
        let batch = flow.execute(&activity, script).await;
        let path = format!("/activity-api/v1/activity/{activity}/exec/{batch}");
        let events = stream(network, &path, "return_code").await;
        assert!(events.contains("simulated: sleep 1"), "{events}");
        flow.destroy(&activity).await;
        flow.invoices(&agreement, 1).await;
        flow.close().await;
        until_closed(network).await;
    });
}

/// The events of a stream, up to a text in it.
async fn stream(network: &Network, path: &str, last: &str) -> String {
    let requestor = network.requestor();
    let authority = requestor.api_url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(authority).await.unwrap();
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {authority}\r\nAccept: text/event-stream\r\nAuthorization: Bearer {}\r\n\r\n",
        requestor.app_key
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while !text.contains(last) {
        let read = timeout(Duration::from_secs(10), stream.read(&mut buffer)).await;
        let length = read.unwrap_or_else(|_| panic!("{text}")).unwrap();
        assert_ne!(length, 0, "{text}");
        text += &String::from_utf8_lossy(&buffer[..length]);
    }
    text
}

#[test]
fn images_are_registered() {
    with_network(|network| async move {
        let registry = Api::new(network.registry_url().strip_prefix("http://").unwrap(), "");
        let image = registry.get("/v1/image/info?tag=golem/alpine:latest").await.unwrap();
        let url = image["http"].as_str().unwrap();
        let path = url.strip_prefix(network.registry_url()).unwrap();
        for method in [Method::HEAD, Method::GET] {
            registry.call(method, path, None).await.unwrap();
        }
        let of_hash = registry.get("/v1/image/info?hash=sha3:abc").await.unwrap();
        assert_eq!(of_hash["sha3"], "abc");
        let missing = registry.get("/v1/image/info?tag=missing/image:latest").await.unwrap_err();
        assert_eq!(missing.status, Some(404));
    });
}
