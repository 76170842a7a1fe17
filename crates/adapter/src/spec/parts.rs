use super::SpecValue;

/// A program and its arguments, and their place in the spec.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The program and its arguments; at least one item.
    pub words: Vec<String>,
    /// The pointer of the list.
    pub pointer: String,
}

/// A start command.
#[derive(Clone, Debug)]
pub struct Init {
    /// The command.
    pub words: CommandLine,
    /// The variables of this command only.
    pub env: Vec<Variable>,
}

/// An environment variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name; neither empty nor with `=` in it.
    pub name: String,
    /// The value, without zero bytes.
    pub value: String,
}

/// A port that is opened on the address of the machine.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// `http_proxy` or `tcp_proxy`.
    pub field: &'static str,
    /// The pointer of the port.
    pub pointer: String,
    /// The port of the machine; a free one if omitted.
    pub local: Option<u16>,
    /// The port of the service.
    pub remote: u16,
}

/// Start commands: a list of `{run: {args: […], env: {…}}}`. `refuse` returns the reason if a variable must
/// not be set.
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

/// A map of environment variables. `refuse` returns the reason if one must not be set.
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
