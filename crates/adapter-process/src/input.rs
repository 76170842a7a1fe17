//! Reading specs.

use std::{net::IpAddr, time::Duration};

use ::adapter::spec::{Check, SpecErrors, SpecValue, commands, payload, proxies, variables};
use protocol::{Code, Problem};
use rustix::process::Signal;
use serde_json::{Map, Value as Json};

use crate::limits::{Limits, MOST, NAMES};
use crate::spec::{CommandLine, Policy, Readiness, Restart, ServiceSpec, Stop, Tuning};

const PARAMS: [&str; 9] =
    ["command", "env", "secrets", "cwd", "readiness", "restart", "log", "stop", "limits"];

const SIGNALS: [(&str, Signal); 7] = [
    ("SIGTERM", Signal::TERM),
    ("SIGINT", Signal::INT),
    ("SIGQUIT", Signal::QUIT),
    ("SIGHUP", Signal::HUP),
    ("SIGUSR1", Signal::USR1),
    ("SIGUSR2", Signal::USR2),
    ("SIGKILL", Signal::KILL),
];

const POLICIES: [(&str, Policy); 3] =
    [("never", Policy::Never), ("on_failure", Policy::OnFailure), ("always", Policy::Always)];

impl ServiceSpec {
    /// # Errors
    /// [`InvalidSpec`](Code::InvalidSpec) with every place that is wrong.
    pub(crate) fn read(spec: &Map<String, Json>) -> Result<Self, Problem> {
        let (faults, spec) = (SpecErrors::default(), Json::Object(spec.clone()));
        let read = service(&SpecValue::root(&spec, &faults));
        faults.into_result(Code::InvalidSpec)?;
        Ok(read)
    }
}

/// The programs that a service's attributes name. Attributes that cannot be read are ignored.
pub(crate) fn programs(spec: &Json) -> Vec<String> {
    let faults = SpecErrors::default();
    let read = service(&SpecValue::root(spec, &faults));
    let words = read.command.into_iter().chain(read.init.into_iter().map(|it| it.words));
    words.map(|it| format!("{}/0", it.pointer)).collect()
}

fn service(spec: &SpecValue<'_>) -> ServiceSpec {
    let payload = payload(spec, "process");
    let params = payload.and_then(|it| it.key("params"));
    if let Some(params) = &params {
        params.reject_misspelled_keys(&PARAMS);
    }
    let param = |name: &str| params.as_ref().and_then(|it| it.key(name));
    let command =
        param("command").and_then(|it| Some(CommandLine { words: it.words()?, pointer: it.pointer }));
    let init = spec.key("init").map(|it| commands(&it, |_| None)).unwrap_or_default();
    if command.is_none() && init.is_empty() {
        spec.report("there is no program to run: write `command` in the payload's `params`, or `init`");
    }
    let proxies = proxies(spec);
    let first = proxies.first().map(|it| it.remote);
    ServiceSpec {
        command,
        init,
        env: param("env").map(|it| variables(&it, |_| None)).unwrap_or_default(),
        secrets: param("secrets").map(|it| variables(&it, |_| None)).unwrap_or_default(),
        cwd: param("cwd").and_then(|it| Some((it.text()?, it.pointer))),
        network: spec.key("network").and_then(|it| it.text()),
        fixed: fixed(spec),
        readiness: readiness(param("readiness"), first),
        limits: param("limits").map_or(Limits::NONE, |it| limits(&it)),
        tuning: Tuning {
            restart: restart(param("restart")),
            log_limit: log_limit(param("log")),
            stop: stop(param("stop")),
        },
        proxies,
    }
}

fn fixed(spec: &SpecValue<'_>) -> Option<IpAddr> {
    let addresses = spec.key("ip")?;
    let address = addresses.items()?.into_iter().next()?;
    let read = address.text()?.parse().ok();
    if read.is_none() {
        address.report("this is not an address");
    }
    read
}

fn readiness(place: Option<SpecValue<'_>>, first: Option<u16>) -> Readiness {
    let timeout = place.as_ref().and_then(|it| it.key("timeout_seconds")).and_then(|it| it.seconds(3600));
    let (written, pointer) = place.map(|it| check(&it, first)).unwrap_or_default();
    let implied = || first.map_or(Check::Alive, Check::Port);
    let timeout = timeout.unwrap_or(Duration::from_secs(60));
    Readiness { check: written.unwrap_or_else(implied), pointer, timeout }
}

fn check(place: &SpecValue<'_>, first: Option<u16>) -> (Option<Check>, String) {
    place.reject_other_keys(&["port", "http", "log", "timeout_seconds"]);
    let mut found = Check::read(place, first);
    if found.len() > 1 {
        place.report("only one of `port`, `http` and `log` can be set");
    }
    match found.pop() {
        Some((check, pointer)) => (Some(check), pointer),
        None => (None, place.pointer.clone()),
    }
}

fn restart(place: Option<SpecValue<'_>>) -> Restart {
    let is_map = place.as_ref().is_some_and(SpecValue::is_map);
    let map = place.as_ref().filter(|_| is_map);
    if let Some(map) = map {
        map.reject_other_keys(&["policy", "limit", "delay_seconds", "max_delay_seconds"]);
    }
    let key = |name: &str| map.and_then(|it| it.key(name));
    let policy = if is_map { key("policy") } else { place.clone() };
    Restart {
        policy: policy.and_then(|it| it.choice(&POLICIES)).unwrap_or(Policy::Never),
        limit: key("limit").and_then(|it| it.integer(1, 1000)).map_or(10, |it| it as u32),
        delay: key("delay_seconds").and_then(|it| it.seconds(3600)).unwrap_or(Duration::from_secs(1)),
        max_delay: key("max_delay_seconds")
            .and_then(|it| it.seconds(3600))
            .unwrap_or(Duration::from_secs(60)),
    }
}

fn limits(place: &SpecValue<'_>) -> Limits {
    place.reject_other_keys(&NAMES);
    let mut limits = Limits::NONE;
    for name in NAMES {
        if let Some(limit) = limits.get_mut(name) {
            *limit = place.key(name).and_then(|it| it.integer(1, MOST));
        }
    }
    limits
}

fn log_limit(place: Option<SpecValue<'_>>) -> u64 {
    let limit = place.and_then(|it| {
        it.reject_other_keys(&["max_bytes"]);
        it.key("max_bytes")
    });
    limit.and_then(|it| it.integer(4096, 1 << 30)).unwrap_or(1 << 20)
}

fn stop(place: Option<SpecValue<'_>>) -> Stop {
    if let Some(place) = &place {
        place.reject_other_keys(&["signal", "grace_seconds"]);
    }
    let key = |name: &str| place.as_ref().and_then(|it| it.key(name));
    let usual = Stop::default();
    Stop {
        signal: key("signal").and_then(|it| it.choice(&SIGNALS)).unwrap_or(usual.signal),
        grace: key("grace_seconds").and_then(|it| it.seconds(300)).unwrap_or(usual.grace),
    }
}
