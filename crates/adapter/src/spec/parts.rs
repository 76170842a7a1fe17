use super::SpecValue;

/// A program and its arguments, and where in the spec they stand.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// At least one.
    pub words: Vec<String>,
    /// Of the list.
    pub pointer: String,
}

/// A start command.
#[derive(Clone, Debug)]
pub struct Init {
    /// What is run.
    pub words: CommandLine,
    /// Variables for it alone.
    pub env: Vec<Variable>,
}

/// An environment variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Neither empty nor with `=` in it.
    pub name: String,
    /// Without zero bytes.
    pub value: String,
}

/// A port that is opened on the machine's own address.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// `http_proxy` or `tcp_proxy`.
    pub field: &'static str,
    /// Of the port.
    pub pointer: String,
    /// The port here; a free one where it is left out.
    pub local: Option<u16>,
    /// The port of the service.
    pub remote: u16,
}

/// Start commands: a list of `{run: {args: […], env: {…}}}`. `refuse` says why a variable may not be set.
pub fn commands(init: &SpecValue<'_>, refuse: fn(&str) -> Option<String>) -> Vec<Init> {
    init.items().unwrap_or_default().iter().filter_map(|it| command(it, refuse)).collect()
}

fn command(item: &SpecValue<'_>, refuse: fn(&str) -> Option<String>) -> Option<Init> {
    item.reject_other_keys(&["run"]);
    let Some(run) = item.key("run") else {
        item.report("only `run` is supported");
        return None;
    };
    let Some(args) = run.key("args") else {
        run.report("`run` needs `args`");
        return None;
    };
    let env = run.key("env").map(|it| variables(&it, refuse)).unwrap_or_default();
    Some(Init { words: CommandLine { words: args.words()?, pointer: args.pointer }, env })
}

/// A map of environment variables. `refuse` says why one may not be set.
pub fn variables(map: &SpecValue<'_>, refuse: fn(&str) -> Option<String>) -> Vec<Variable> {
    let entries = map.entries().into_iter();
    entries.filter_map(|(name, place)| variable(name, &place, refuse)).collect()
}

fn variable(name: String, place: &SpecValue<'_>, refuse: fn(&str) -> Option<String>) -> Option<Variable> {
    let is_name = !name.is_empty() && !name.contains(['=', '\0']);
    let refused = match is_name {
        true if name.starts_with("PLANLOOM_") => {
            Some("names with PLANLOOM_ are reserved for the adapter".into())
        }
        true => refuse(&name),
        false => Some("this is not a name for an environment variable".into()),
    };
    if let Some(why) = refused {
        place.report(why);
        return None;
    }
    Some(Variable { value: place.text()?, name })
}

/// The ports of `http_proxy` and `tcp_proxy`, in that order.
pub fn proxies(spec: &SpecValue<'_>) -> Vec<Proxy> {
    let mut proxies = Vec::new();
    for field in ["http_proxy", "tcp_proxy"] {
        let ports = spec.key(field).and_then(|it| it.key("ports")).and_then(|it| it.items());
        proxies.extend(ports.unwrap_or_default().iter().filter_map(|port| proxy(field, port)));
    }
    proxies
}

fn proxy(field: &'static str, port: &SpecValue<'_>) -> Option<Proxy> {
    let Some(remote) = port.key("remote_port") else {
        port.report("a port has a `remote_port`");
        return None;
    };
    let local = port.key("local_port").and_then(|it| it.port());
    Some(Proxy { field, pointer: port.pointer.clone(), local, remote: remote.port()? })
}
