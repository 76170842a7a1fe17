//! Reading specs.

use std::{net::IpAddr, time::Duration};

use ::adapter::spec::{self, CommandLine, SpecErrors, SpecValue, commands, payload, proxies, variables};
use protocol::{Code, Problem};
use serde_json::{Map, Value as Json};

use crate::{
    reference::Reference,
    spec::{Check, Limits, Located, Mount, Pull, Readiness, Restart, ServiceSpec, Source, Stop},
};

pub(crate) const PARAMS: [&str; 12] = [
    "image",
    "build",
    "pull",
    "command",
    "env",
    "secrets",
    "cwd",
    "mounts",
    "readiness",
    "restart",
    "limits",
    "stop",
];

const SIGNALS: [&str; 7] = ["SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGKILL"];

const PULLS: [(&str, Pull); 3] =
    [("missing", Pull::Missing), ("always", Pull::Always), ("never", Pull::Never)];

impl ServiceSpec {
    /// # Errors
    /// [`InvalidSpec`](Code::InvalidSpec) with every place that is wrong.
    pub(crate) fn read(spec: &Map<String, Json>) -> Result<Self, Problem> {
        let (faults, spec) = (SpecErrors::default(), Json::Object(spec.clone()));
        let read = service(&SpecValue::root(&spec, &faults));
        faults.into_result(Code::InvalidSpec)?;
        read.ok_or_else(|| Problem::new(Code::InvalidSpec, "there is no image to run"))
    }
}

/// `None` only if an error was reported.
fn service(spec: &SpecValue<'_>) -> Option<ServiceSpec> {
    let payload = payload(spec, "container");
    let params = payload.as_ref().and_then(|it| it.key("params"));
    if let Some(params) = &params {
        params.reject_misspelled_keys(&PARAMS);
    }
    let param = |name: &str| params.as_ref().and_then(|it| it.key(name));
    let source = source(params.as_ref().or(payload.as_ref()).unwrap_or(spec), &param);
    let proxies = proxies(spec);
    let first = proxies.first().map(|it| it.remote);
    let read = ServiceSpec {
        source: source?,
        command: param("command")
            .and_then(|it| Some(CommandLine { words: it.words()?, pointer: it.pointer })),
        init: spec.key("init").map(|it| commands(&it, |_| None)).unwrap_or_default(),
        env: param("env").map(|it| variables(&it, |_| None)).unwrap_or_default(),
        secrets: param("secrets").map(|it| variables(&it, |_| None)).unwrap_or_default(),
        cwd: param("cwd").and_then(|it| absolute(&it)),
        mounts: param("mounts")
            .and_then(|it| it.items())
            .unwrap_or_default()
            .iter()
            .filter_map(mount)
            .collect(),
        network: spec.key("network").and_then(|it| it.text()),
        fixed: fixed(spec),
        readiness: readiness(param("readiness"), first),
        restart: param("restart").map_or(Restart::Never, |it| restart(&it)),
        limits: param("limits").map(|it| limits(&it)).unwrap_or_default(),
        stop: stop(param("stop")),
        proxies,
    };
    Some(read)
}

fn source<'s>(params: &SpecValue<'s>, param: &dyn Fn(&str) -> Option<SpecValue<'s>>) -> Option<Source> {
    let pull = param("pull").and_then(|it| it.choice(&PULLS)).unwrap_or(Pull::Missing);
    // A reader without this adapter's definitions takes `image` for the old spelling of `image_hash`.
    match (param("image").or_else(|| param("image_hash")), param("build")) {
        (Some(image), None) => {
            let value = image.text()?;
            if Reference::parse(&value).is_none() {
                image.report(format!("`{value}` is not an image name"));
            }
            Some(Source::Image(Located { value, pointer: image.pointer }, pull))
        }
        (None, Some(build)) => {
            Some(Source::Build(Located { value: absolute(&build)?, pointer: build.pointer }))
        }
        (Some(_), Some(build)) => {
            build.report("`image` and `build` cannot both be set");
            None
        }
        (None, None) => {
            params.report("there is no image to run: write `image` or `build` in the payload's `params`");
            None
        }
    }
}

fn absolute(place: &SpecValue<'_>) -> Option<String> {
    let text = place.text()?;
    if !text.starts_with('/') {
        place.report(format!("`{text}` is not an absolute path"));
    }
    Some(text)
}

fn mount(item: &SpecValue<'_>) -> Option<Located<Mount>> {
    item.reject_other_keys(&["source", "target", "writable"]);
    let key = |name: &str| {
        let found = item.key(name);
        if found.is_none() {
            item.report(format!("a mount has a `{name}`"));
        }
        found
    };
    let (source, target) = (key("source"), key("target"));
    let writable = item.key("writable").and_then(|it| it.choice(&[("true", true), ("false", false)]));
    let mount = Mount {
        source: absolute(&source?)?,
        target: absolute(&target?)?,
        writable: writable.unwrap_or(false),
    };
    Some(Located { value: mount, pointer: item.pointer.clone() })
}

fn fixed(spec: &SpecValue<'_>) -> Vec<Located<IpAddr>> {
    let items = spec.key("ip").and_then(|it| it.items()).unwrap_or_default();
    let mut fixed: Vec<Located<IpAddr>> = Vec::new();
    for item in items {
        let Some(text) = item.text() else { continue };
        match text.parse::<IpAddr>() {
            Err(_) => item.report("this is not an address"),
            Ok(value) if fixed.iter().any(|it| it.value.is_ipv4() == value.is_ipv4()) => {
                item.report("a container has only one address in a network");
            }
            Ok(value) => fixed.push(Located { value, pointer: item.pointer }),
        }
    }
    if !fixed.is_empty() && spec.key("network").is_none() {
        spec.report("`ip` requires `network`");
    }
    fixed
}

fn readiness(place: Option<SpecValue<'_>>, first: Option<u16>) -> Readiness {
    let timeout = place.as_ref().and_then(|it| it.key("timeout_seconds")).and_then(|it| it.seconds(3600));
    let check = place.and_then(|it| check(&it, first)).or(None);
    Readiness { check, timeout: timeout.unwrap_or(Duration::from_secs(60)) }
}

fn check(place: &SpecValue<'_>, first: Option<u16>) -> Option<Check> {
    place.reject_other_keys(&["port", "http", "log", "health", "timeout_seconds"]);
    let read = spec::Check::read(place, first);
    let mut found: Vec<Check> = read.into_iter().map(|(it, _)| Check::Usual(it)).collect();
    let health = place.key("health").and_then(|it| it.choice(&[("true", true), ("false", false)]));
    found.extend(health.filter(|it| *it).map(|_| Check::Health));
    if found.len() > 1 {
        place.report("only one of `port`, `http`, `log` and `health` can be set");
    }
    found.pop()
}

fn restart(place: &SpecValue<'_>) -> Restart {
    let is_map = place.is_map();
    if is_map {
        place.reject_other_keys(&["policy", "limit"]);
    }
    let limit = if is_map { place.key("limit") } else { None };
    let number = limit.as_ref().and_then(|it| it.integer(1, 1000)).and_then(|it| it.try_into().ok());
    let policies =
        [("never", Restart::Never), ("on_failure", Restart::OnFailure(number)), ("always", Restart::Always)];
    let policy = if is_map { place.key("policy") } else { Some(place.clone()) };
    if policy.is_none() {
        place.report("the restart policy is missing: write `policy`");
    }
    let policy = policy.and_then(|it| it.choice(&policies)).unwrap_or(Restart::Never);
    if let (Some(limit), Restart::Never | Restart::Always) = (limit, policy) {
        limit.report("container engines support a limit with `on_failure` only");
    }
    policy
}

fn limits(place: &SpecValue<'_>) -> Limits {
    place.reject_other_keys(&["memory_mib", "cpus", "pids"]);
    let number = |name: &str, least, most| {
        let number = place.key(name).and_then(|it| it.integer(least, most));
        number.and_then(|it| u32::try_from(it).ok())
    };
    let nano_cpus = place.key("cpus").and_then(|it| {
        let cpus = it.text()?.parse::<f64>().ok().filter(|it| (0.01..=1024.0).contains(it));
        if cpus.is_none() {
            it.report("must be a number from 0.01 to 1024");
        }
        // At most 1024 * 10^9, so it fits.
        cpus.map(|it| (it * 1e9).round() as i64)
    });
    Limits { memory_mib: number("memory_mib", 6, 1 << 24), nano_cpus, pids: number("pids", 1, 1 << 22) }
}

fn stop(place: Option<SpecValue<'_>>) -> Stop {
    if let Some(place) = &place {
        place.reject_other_keys(&["signal", "grace_seconds"]);
    }
    let key = |name: &str| place.as_ref().and_then(|it| it.key(name));
    let signals = SIGNALS.map(|it| (it, it));
    Stop {
        signal: key("signal").and_then(|it| it.choice(&signals)).map(str::to_owned),
        grace: key("grace_seconds").and_then(|it| it.seconds(300)).unwrap_or(Duration::from_secs(10)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(params: Json, rest: Json, expected: &[&str]) {
        let mut spec = json!({"payload": {"runtime": "container", "params": params}});
        spec.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        let read = ServiceSpec::read(spec.as_object().unwrap());
        let violations = read.err().map(|it| it.violations).unwrap_or_default();
        assert_eq!(violations.iter().map(|it| &*it.pointer).collect::<Vec<_>>(), expected, "{violations:?}");
    }

    #[test]
    fn invalid_input_is_named() {
        let image = |more: Json| {
            let mut params = json!({"image": "a"});
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            params
        };
        check(image(json!({})), json!({}), &[]);
        check(json!({}), json!({}), &["/payload/params"]);
        check(json!({"image": "a b"}), json!({}), &["/payload/params/image"]);
        check(json!({"image": "a", "build": "/b"}), json!({}), &["/payload/params/build"]);
        check(json!({"build": "b"}), json!({}), &["/payload/params/build"]);
        check(image(json!({"comand": ["a"], "image_hash": "b"})), json!({}), &["/payload/params/comand"]);
        check(image(json!({"mounts": [{"source": "/a"}]})), json!({}), &["/payload/params/mounts/0"]);
        check(
            image(json!({"limits": {"cpus": 0, "pids": "a"}})),
            json!({}),
            &["/payload/params/limits/cpus", "/payload/params/limits/pids"],
        );
        check(
            image(json!({"restart": {"policy": "always", "limit": 3}})),
            json!({}),
            &["/payload/params/restart/limit"],
        );
        check(
            image(json!({"readiness": {"port": 1, "health": true}})),
            json!({}),
            &["/payload/params/readiness"],
        );
        check(
            image(json!({"env": {"PLANLOOM_ID": "a", "A=": "b"}})),
            json!({}),
            &["/payload/params/env/PLANLOOM_ID", "/payload/params/env/A="],
        );
        check(image(json!({})), json!({"ip": ["10.0.0.2", "10.0.0.3"], "network": "a"}), &["/ip/1"]);
        check(image(json!({})), json!({"ip": ["10.0.0.2"]}), &[""]);
    }

    #[test]
    fn limits_are_in_the_units_of_the_engine() {
        let spec = json!({"payload": {"runtime": "container", "params": {
            "image": "a", "limits": {"memory_mib": 64, "cpus": 0.5, "pids": 9}}}});
        let limits = ServiceSpec::read(spec.as_object().unwrap()).unwrap().limits;
        assert_eq!(
            (limits.memory(), limits.nano_cpus, limits.pids),
            (Some(67_108_864), Some(500_000_000), Some(9))
        );
    }
}
