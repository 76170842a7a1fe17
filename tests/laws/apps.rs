//! Applications that are right: what they need is declared, and nothing needs itself.

use proptest::{collection::vec, prelude::*, sample::subsequence};
use serde_json::{Map, Value as Json, json};

/// One service: which payload and network, which earlier services it needs and takes values of.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    payload: usize,
    network: Option<usize>,
    needs: Vec<usize>,
    takes: Vec<usize>,
    label: u8,
    instances: Option<u8>,
}

/// An application.
#[derive(Clone, Debug)]
pub(crate) struct App {
    images: Vec<u8>,
    networks: usize,
    services: Vec<Service>,
}

impl App {
    /// Any application.
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        (vec(any::<u8>(), 1..3), 0..3usize, 1..7usize).prop_flat_map(|(images, networks, count)| {
            let services: Vec<_> = (0..count).map(|n| service(n, images.len(), networks)).collect();
            services.prop_map(move |services| Self { images: images.clone(), networks, services })
        })
    }

    /// It as the text of a descriptor.
    pub(crate) fn text(&self) -> String {
        let payload = |(n, image): (usize, &u8)| {
            (format!("p{n}"), json!({"runtime": "vm", "params": {"image_hash": format!("h{image}")}}))
        };
        let network = |n: usize| (format!("n{n}"), json!({"ip": format!("10.{n}.0.0/16")}));
        let service = |(n, it): (usize, &Service)| (name(n), self.service(it));
        let document = json!({
            "payloads": self.images.iter().enumerate().map(payload).collect::<Map<_, _>>(),
            "networks": (0..self.networks).map(network).collect::<Map<_, _>>(),
            "services": self.services.iter().enumerate().map(service).collect::<Map<_, _>>(),
        });
        format!("{document:#}\n")
    }

    fn service(&self, it: &Service) -> Json {
        let mut service = json!({
            "payload": format!("p{}", it.payload),
            "labels": {"tier": it.label.to_string()},
            "depends_on": it.needs.iter().map(|n| name(*n)).collect::<Vec<_>>(),
            "init": it.takes.iter().map(|n| vec![format!("connect ${{services.{}.network_node.ip}}", self.one_of(*n))])
                .collect::<Vec<_>>(),
        });
        if let Some(network) = it.network {
            service["network"] = json!(format!("n{network}"));
        }
        if let Some(instances) = it.instances {
            service["instances"] = json!(instances);
        }
        service
    }

    /// The name of a service, or of its last instance.
    fn one_of(&self, n: usize) -> String {
        match self.services[n].instances {
            Some(count) => format!("{}[{}]", name(n), count - 1),
            None => name(n),
        }
    }

    /// The application with another label for a service.
    pub(crate) fn relabel(&self, n: usize) -> Self {
        self.with(n, |service| service.label = service.label.wrapping_add(1))
    }

    /// The application with another image for a service's payload.
    pub(crate) fn reimage(&self, n: usize) -> Self {
        let mut app = self.clone();
        let payload = app.services[n % self.services.len()].payload;
        app.images[payload] = app.images[payload].wrapping_add(1);
        app
    }

    fn with(&self, n: usize, change: impl Fn(&mut Service)) -> Self {
        let mut app = self.clone();
        let n = n % app.services.len();
        change(&mut app.services[n]);
        app
    }
}

fn name(n: usize) -> String {
    format!("s-{n}")
}

fn service(n: usize, payloads: usize, networks: usize) -> BoxedStrategy<Service> {
    let earlier: Vec<usize> = (0..n).collect();
    let network = if networks == 0 { Just(None).boxed() } else { proptest::option::of(0..networks).boxed() };
    let some = || subsequence(earlier.clone(), 0..=n.min(2));
    (0..payloads, network, some(), some(), any::<u8>(), proptest::option::weighted(0.2, 1..4u8))
        .prop_map(|(payload, network, needs, takes, label, instances)| Service {
            payload,
            network,
            needs,
            takes,
            label,
            instances,
        })
        .boxed()
}
