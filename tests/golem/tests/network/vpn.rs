//! Activities answer in a virtual private network.

use futures_util::{SinkExt, StreamExt};
use golem_network::{Network, Provider};
use serde_json::{Value as Json, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::requestor::{Flow, until_closed, with_network};

/// A TCP connection to a node of a network, through the requestor's daemon.
struct Connection(WebSocketStream<TcpStream>);

impl Connection {
    async fn open(network: &Network, id: &str, node: &str) -> Self {
        let requestor = network.requestor();
        let authority = requestor.api_url.strip_prefix("http://").unwrap();
        let url = format!("ws://{authority}/net-api/v2/vpn/net/{id}/tcp/{node}");
        let mut request = url.into_client_request().unwrap();
        let key = format!("Bearer {}", requestor.app_key).parse().unwrap();
        request.headers_mut().insert("Authorization", key);
        let stream = TcpStream::connect(authority).await.unwrap();
        Self(client_async(request, stream).await.unwrap().0)
    }

    /// The body of the answer to a request; the connection can be used again.
    async fn get(&mut self, path: &str) -> Vec<u8> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: node\r\n\r\n");
        self.0.send(Message::binary(request.into_bytes())).await.unwrap();
        let mut received = Vec::new();
        loop {
            received.extend_from_slice(&self.0.next().await.unwrap().unwrap().into_data());
            if let Some(body) = body(&received) {
                return body;
            }
        }
    }
}

/// The body, when all of it has arrived.
fn body(received: &[u8]) -> Option<Vec<u8>> {
    let head = received.windows(4).position(|it| it == b"\r\n\r\n")? + 4;
    let lines = String::from_utf8_lossy(&received[..head]).to_lowercase();
    let length = lines.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let length: usize = length.parse().unwrap();
    (received.len() >= head + length).then(|| received[head..].to_vec())
}

/// Creates a network of the requestor, which has the first address.
async fn create(network: &Network) -> Json {
    let api = &network.requestor().api;
    let created = api.post("/net-api/v2/vpn/net", json!({ "ip": "192.168.0.0/24" })).await.unwrap();
    let path = format!("/net-api/v2/vpn/net/{}/addresses", created["id"].as_str().unwrap());
    api.post(&path, json!({ "ip": "192.168.0.1" })).await.unwrap();
    created
}

/// Lets an activity join with an address, and starts it.
async fn join(network: &Network, created: &Json, flow: &Flow, provider: &Provider, activity: &str, ip: &str) {
    let path = format!("/net-api/v2/vpn/net/{}/nodes", created["id"].as_str().unwrap());
    network.requestor().api.post(&path, json!({ "id": provider.identity(), "ip": ip })).await.unwrap();
    let nodes = json!({ "192.168.0.1": network.requestor().identity, ip: provider.identity() });
    let net = json!([{ "id": created["id"], "ip": "192.168.0.0", "mask": "255.255.255.0", "nodeIp": ip, "nodes": nodes }]);
    let batch = flow.execute(activity, json!([{ "deploy": { "net": net } }, { "start": {} }])).await;
    let results = flow.results(activity, &batch).await;
    assert!(results.iter().all(|result| result["result"] == "Ok"), "{results:?}");
}

#[test]
fn activities_answer_http() {
    with_network(|network| async move {
        let created = create(network).await;
        let id = created["id"].as_str().unwrap();
        let mut flows = Vec::new();
        for (provider, ip) in network.providers().iter().zip(["192.168.0.2", "192.168.0.3"]) {
            let (flow, _, activity) = Flow::activity(network, provider).await;
            join(network, &created, &flow, provider, &activity, ip).await;
            let mut connection = Connection::open(network, id, &format!("{ip}/80")).await;
            let expected =
                format!("simulated provider {}: {ip}:80 GET /x (activity {activity})\n", provider.name());
            for _ in 0..2 {
                assert_eq!(String::from_utf8_lossy(&connection.get("/x").await), expected);
            }
            flows.push((flow, activity));
        }
        let begin = std::time::Instant::now();
        let mut connection = Connection::open(network, id, "192.168.0.3/8080").await;
        assert_eq!(connection.get("/bytes/1048576").await.len(), 1 << 20);
        eprintln!("1 MiB in {:?}", begin.elapsed());
        for (flow, activity) in flows {
            flow.destroy(&activity).await;
            flow.close().await;
        }
        network.requestor().api.delete(&format!("/net-api/v2/vpn/net/{id}")).await.unwrap();
        until_closed(network).await;
    });
}
