use std::time::Duration;

use serde_json::{Map, Value as Json, json};

/// The payment platform of the network: test tokens, which never move.
pub const PLATFORM: &str = "erc20-holesky-tglm";

/// The offer of a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The name of the provider (`golem.node.id.name`).
    pub name: String,
    /// The subnet (`golem.node.debug.subnet`).
    pub subnet: String,
    /// The runtime (`golem.runtime.name`).
    pub runtime: String,
    /// The capabilities of the runtime (`golem.runtime.capabilities`).
    pub capabilities: Vec<String>,
    /// Cores of the processor.
    pub cores: u32,
    /// Threads of the processor.
    pub threads: u32,
    /// Memory in GiB.
    pub memory: f64,
    /// Storage in GiB.
    pub storage: f64,
    /// The linear prices: for a second, for a second of the processor, and once.
    pub prices: [f64; 3],
    /// The interval at which debit notes are sent for an activity.
    pub debit_notes: Duration,
    /// Further properties, which win over those above.
    pub properties: Map<String, Json>,
    /// The constraints for demands.
    pub constraints: String,
}

impl Offer {
    /// The offer of a provider with this name, with the usual values.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The properties of the offer, for a provider that is paid at this address.
    pub(crate) fn properties(&self, identity: &str) -> Json {
        let mut properties = json!({
            "golem.node.id.name": self.name,
            "golem.node.debug.subnet": self.subnet,
            "golem.node.net.is-public": false,
            "golem.runtime.name": self.runtime,
            "golem.runtime.version": "0.5.0",
            "golem.runtime.capabilities": self.capabilities,
            "golem.activity.caps.transfer.protocol": ["http", "https", "gftp"],
            "golem.srv.caps.multi-activity": true,
            "golem.srv.caps.payload-manifest": true,
            "golem.inf.cpu.architecture": "x86_64",
            "golem.inf.cpu.cores": self.cores,
            "golem.inf.cpu.threads": self.threads,
            "golem.inf.mem.gib": self.memory,
            "golem.inf.storage.gib": self.storage,
            "golem.com.pricing.model": "linear",
            "golem.com.pricing.model.linear.coeffs": self.prices,
            "golem.com.usage.vector": ["golem.usage.duration_sec", "golem.usage.cpu_sec"],
            "golem.com.scheme": "payu",
            "golem.com.scheme.payu.payment-timeout-sec?": 120,
            "golem.com.scheme.payu.debit-note.interval-sec?": self.debit_notes.as_secs().max(1),
            "golem.com.payment.debit-notes.accept-timeout?": 240,
            "golem.com.payment.protocol.version": 2,
        });
        properties[format!("golem.com.payment.platform.{PLATFORM}.address")] = json!(identity);
        self.properties.iter().for_each(|(key, value)| properties[key] = value.clone());
        properties
    }

    /// The price of an activity that ran that long, with one thread busy.
    pub(crate) fn price(&self, elapsed: Duration) -> f64 {
        let [second, processor, once] = self.prices;
        (second + processor).mul_add(elapsed.as_secs_f64(), once)
    }
}

impl Default for Offer {
    fn default() -> Self {
        Self {
            name: "provider".to_owned(),
            subnet: "public".to_owned(),
            runtime: "vm".to_owned(),
            capabilities: ["vpn", "inet", "manifest-support"].map(str::to_owned).to_vec(),
            cores: 4,
            threads: 8,
            memory: 8.0,
            storage: 64.0,
            prices: [0.0001, 0.0002, 0.0],
            debit_notes: Duration::from_secs(120),
            properties: Map::new(),
            constraints: "(golem.srv.comp.expiration>0)".to_owned(),
        }
    }
}
