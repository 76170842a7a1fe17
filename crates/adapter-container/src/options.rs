use std::{env, fmt, path::PathBuf};

use crate::Allowed;

/// The options of an adapter.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sockets to try, in this order. The first one with an engine that responds is used.
    pub sockets: Vec<PathBuf>,
    /// The images and folders that may be used.
    pub allowed: Allowed,
}

impl Options {
    /// Options with this list, and the usual sockets: those in `CONTAINER_HOST` and `DOCKER_HOST`, then those
    /// of Podman and Docker, of this user and of the system.
    pub fn new(allowed: Allowed) -> Self {
        Self { sockets: usual(|name| env::var(name).ok()), allowed }
    }

    /// Options with this list and this socket only.
    pub fn at(socket: impl Into<PathBuf>, allowed: Allowed) -> Self {
        Self { sockets: vec![socket.into()], allowed }
    }
}

fn usual(variable: impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let named = ["CONTAINER_HOST", "DOCKER_HOST"].into_iter().filter_map(&variable);
    let named = named.filter_map(|it| it.strip_prefix("unix://").map(PathBuf::from));
    let own = variable("XDG_RUNTIME_DIR").filter(|it| !it.is_empty()).map(PathBuf::from);
    let own = own.iter().flat_map(|it| [it.join("podman/podman.sock"), it.join("docker.sock")]);
    let system = ["/run/podman/podman.sock", "/run/docker.sock"].map(PathBuf::from);
    let mut sockets: Vec<PathBuf> = Vec::new();
    for socket in named.chain(own).chain(system) {
        if !sockets.contains(&socket) {
            sockets.push(socket);
        }
    }
    sockets
}

/// The reason why the adapter cannot start.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// No engine responds: each socket that was tried, with its error.
    NoEngine(Vec<(PathBuf, String)>),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::NoEngine(tried) = self;
        f.write_str("no container engine responds")?;
        for (at, (socket, why)) in tried.iter().enumerate() {
            let lead = if at == 0 { ": " } else { "; " };
            write!(f, "{lead}`{}` {why}", socket.display())?;
        }
        f.write_str(". Podman is started by `podman system service --time=0`")
    }
}

impl std::error::Error for OpenError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_tried_in_this_order() {
        let sockets = usual(|name| match name {
            "DOCKER_HOST" => Some("unix:///a/docker.sock".into()),
            "CONTAINER_HOST" => Some("tcp://127.0.0.1:2375".into()),
            "XDG_RUNTIME_DIR" => Some("/run/user/7".into()),
            _ => None,
        });
        let names: Vec<_> = sockets.iter().filter_map(|it| it.to_str()).collect();
        assert_eq!(
            names,
            [
                "/a/docker.sock",
                "/run/user/7/podman/podman.sock",
                "/run/user/7/docker.sock",
                "/run/podman/podman.sock",
                "/run/docker.sock"
            ]
        );
        let error =
            OpenError::NoEngine(vec![("/a".into(), "is not there".into()), ("/b".into(), "x".into())]);
        assert!(error.to_string().starts_with("no container engine responds: `/a` is not there; `/b` x. "));
    }
}
