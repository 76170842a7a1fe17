//! A requestor rents, runs, connects and pays, all by the REST API of its daemon.

mod support;

use std::time::Duration;

use golem_network::Network;
use serde_json::json;
use support::{Flow, with_network};

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
        assert_eq!(provider.record().commands, [["/bin/echo", "hello"]]);
        until_closed(network).await;
    });
}

async fn until_closed(network: &Network) {
    for _ in 0..100 {
        if network.open().await.unwrap().is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{:?}", network.open().await);
}
