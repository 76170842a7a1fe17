//! A requestor rents, runs and pays.

use serde_json::json;

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
        assert_eq!(provider.record().commands, [["/bin/echo", "hello"]]);
        until_closed(network).await;
    });
}
