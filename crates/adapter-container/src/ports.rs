use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    net::TcpListener,
    ops::Range,
};

use ::adapter::spec::Proxy;
use bollard::models::{ContainerInspectResponse, PortBinding, PortMap};
use protocol::{Code, Problem};
use serde_json::{Map, Value as Json, json};

const HERE: &str = "127.0.0.1";

/// A port of this machine that is forwarded to one of the container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    pub(crate) field: &'static str,
    pub(crate) pointer: String,
    pub(crate) local: u16,
    pub(crate) remote: u16,
    /// True if the spec sets the port.
    pub(crate) fixed: bool,
}

/// Ports that are tried first: below those that systems assign by themselves.
const USUAL: Range<u16> = 20_000..32_000;

/// Chooses a free port for each that is omitted, because engines choose another one at each start: the usual
/// one of `whose`, so that a recreated container keeps its port; any port if that is in use or `whose` is
/// `None`.
///
/// # Errors
/// If there is no free port.
pub(crate) fn choose(proxies: &[Proxy], whose: Option<&str>) -> Result<Vec<Port>, Problem> {
    // All ports are held until all are chosen, so that no two are the same.
    let mut held = Vec::new();
    let mut ports = Vec::new();
    for proxy in proxies {
        let local = match proxy.local {
            Some(local) => local,
            None => {
                let usual = TcpListener::bind((HERE, whose.map_or(0, |whose| usual(whose, proxy))));
                let free = usual.or_else(|_| TcpListener::bind((HERE, 0)));
                let free = free.and_then(|it| Ok((it.local_addr()?.port(), it)));
                let (local, listener) = free.map_err(|error| {
                    Problem::new(Code::Unavailable, format!("no port of {HERE} can be opened: {error}"))
                })?;
                held.push(listener);
                local
            }
        };
        let (field, pointer, remote) = (proxy.field, proxy.pointer.clone(), proxy.remote);
        ports.push(Port { field, pointer, local, remote, fixed: proxy.local.is_some() });
    }
    Ok(ports)
}

/// A port that is always the same for the same proxy.
fn usual(whose: &str, proxy: &Proxy) -> u16 {
    let mut hasher = DefaultHasher::new();
    (whose, &proxy.pointer, proxy.remote).hash(&mut hasher);
    let offset = hasher.finish() % u64::from(USUAL.end - USUAL.start);
    USUAL.start + u16::try_from(offset).unwrap_or_default()
}

fn key(remote: u16) -> String {
    format!("{remote}/tcp")
}

pub(crate) fn bindings(ports: &[Port]) -> PortMap {
    let mut bindings: PortMap = HashMap::new();
    for port in ports {
        let binding = PortBinding { host_ip: Some(HERE.into()), host_port: Some(port.local.to_string()) };
        bindings.entry(key(port.remote)).or_default().get_or_insert_default().push(binding);
    }
    bindings
}

pub(crate) fn exposed(ports: &[Port]) -> Vec<String> {
    let mut exposed: Vec<String> = ports.iter().map(|it| key(it.remote)).collect();
    exposed.sort_unstable();
    exposed.dedup();
    exposed
}

/// The ports of this machine that are forwarded to that port of the container.
pub(crate) fn published(container: &ContainerInspectResponse, remote: u16) -> Vec<u16> {
    let bindings = container.host_config.as_ref().and_then(|it| it.port_bindings.as_ref());
    let bindings = bindings.and_then(|it| it.get(&key(remote))).into_iter().flatten().flatten();
    bindings.filter_map(|it| it.host_port.as_ref()?.parse().ok()).collect()
}

/// The outputs of a container's proxies.
pub(crate) fn outputs(proxies: &[Proxy], container: &ContainerInspectResponse) -> Map<String, Json> {
    let (mut outputs, mut taken) = (Map::new(), Vec::new());
    for proxy in proxies {
        let published = published(container, proxy.remote).into_iter();
        let is_it = |it: &u16| !taken.contains(it) && proxy.local.is_none_or(|local| local == *it);
        // A proxy without a port must not get one that another proxy sets.
        let named: Vec<u16> = proxies.iter().filter_map(|it| it.local).collect();
        let free = |it: &u16| proxy.local.is_some() || !named.contains(it);
        let Some(local) = published.filter(free).find(is_it) else { continue };
        taken.push(local);
        let scheme = if proxy.field == "http_proxy" { "http://" } else { "" };
        let address = format!("{scheme}{HERE}:{local}");
        let port = json!({"remote_port": proxy.remote, "local_port": local, "address": address});
        let ports = outputs.entry(proxy.field).or_insert_with(|| json!({"ports": []}));
        if let Some(ports) = ports.get_mut("ports").and_then(Json::as_array_mut) {
            ports.push(port);
        }
    }
    outputs
}

#[cfg(test)]
mod tests {
    use bollard::models::HostConfig;

    use super::*;

    #[test]
    fn a_recreated_container_keeps_its_port_if_it_is_free() {
        let proxies =
            ["/0", "/1"].map(|it| Proxy { field: "tcp_proxy", pointer: it.into(), local: None, remote: 80 });
        let local =
            |whose| -> Vec<u16> { choose(&proxies, whose).unwrap().iter().map(|it| it.local).collect() };
        let (ada, bob) = (local(Some("ada")), local(Some("bob")));
        assert_eq!((&local(Some("ada")), &local(Some("bob"))), (&ada, &bob));
        assert!(ada[0] != ada[1] && ada != bob, "{ada:?} {bob:?}");
        let _held = TcpListener::bind((HERE, ada[0])).unwrap();
        let now = local(Some("ada"));
        assert!(now[0] != ada[0] && now[1] == ada[1], "{ada:?} {now:?}");
        assert_ne!(local(None), ada);
    }

    #[test]
    fn each_proxy_finds_its_port() {
        let proxy = |field, local, remote| Proxy { field, pointer: String::new(), local, remote };
        let proxies = [
            proxy("http_proxy", None, 80),
            proxy("http_proxy", Some(9), 80),
            proxy("tcp_proxy", None, 81),
            proxy("tcp_proxy", None, 80),
        ];
        let ports = choose(&proxies, None).unwrap();
        assert_eq!(exposed(&ports), ["80/tcp", "81/tcp"]);
        let host_config = Some(HostConfig { port_bindings: Some(bindings(&ports)), ..Default::default() });
        let container = ContainerInspectResponse { host_config, ..Default::default() };
        let reported = Json::Object(outputs(&proxies, &container));
        let local = |pointer: &str| reported.pointer(pointer).and_then(Json::as_u64).unwrap();
        assert_eq!(local("/http_proxy/ports/0/local_port"), u64::from(ports[0].local));
        assert_eq!(local("/http_proxy/ports/1/local_port"), 9);
        assert_eq!(local("/tcp_proxy/ports/0/local_port"), u64::from(ports[2].local));
        assert_eq!(local("/tcp_proxy/ports/1/local_port"), u64::from(ports[3].local));
        assert_eq!(reported["http_proxy"]["ports"][1]["address"], "http://127.0.0.1:9");
        assert_eq!(reported["http_proxy"]["ports"][1]["remote_port"], 80);
    }
}
