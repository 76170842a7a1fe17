use ::adapter::spec::SpecErrors;
use serde_json::Value as Json;

use crate::{Allowed, Limits, input::programs, limits::NAMES};

/// A requested attribute of a service that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place in the attributes (RFC 6901).
    pub pointer: String,
    /// The reason, for people.
    pub detail: String,
    /// The way to resolve it, for people.
    pub help: &'static str,
}

/// The attributes of a service, some of which may be hidden or not known yet.
pub trait Attributes {
    /// All attributes as far as they are known, for the programs and limits in them.
    fn json(&self) -> &Json;
    /// The keys of the map at a place; none if there is no map.
    fn keys(&self, pointer: &str) -> Vec<String>;
    /// The text at a place, if it is known.
    fn text(&self, pointer: &str) -> Option<String>;
}

impl Attributes for Json {
    fn json(&self) -> &Json {
        self
    }

    fn keys(&self, pointer: &str) -> Vec<String> {
        let map = self.pointer(pointer).and_then(Json::as_object);
        map.map(|it| it.keys().cloned().collect()).unwrap_or_default()
    }

    fn text(&self, pointer: &str) -> Option<String> {
        Some(self.pointer(pointer)?.as_str()?.to_owned())
    }
}

const PROGRAM: &str = "allow the program with `--allow` and its path, or install it";
const VARIABLE: &str = "allow the variable with `--allow-env` and its name, or remove it";
const RESERVED: &str = "remove it; if it is needed, write a script that sets it, and allow the script";
const LIMIT: &str = "request less, or raise the limit with `--limit`";

/// The refused attributes of a service, as far as they are known.
pub fn refusals(service: &impl Attributes, allowed: &Allowed, limits: Limits) -> Vec<Refusal> {
    let program = |pointer: String| {
        let detail = allowed.refusal(&service.text(&pointer)?)?;
        Some(Refusal { pointer, detail, help: PROGRAM })
    };
    let mut refusals: Vec<Refusal> = programs(service.json()).into_iter().filter_map(program).collect();
    refusals.extend(refused_variables(service, allowed));
    refusals.extend(refused_limits(service.json(), limits));
    refusals
}

/// Adds the refused environment variables and limits to `faults`.
pub(crate) fn note(spec: &Json, allowed: &Allowed, limits: Limits, faults: &SpecErrors) {
    let refused = refused_variables(spec, allowed).into_iter().chain(refused_limits(spec, limits));
    refused.for_each(|it| faults.add(&it.pointer, it.detail));
}

fn refused_variables(service: &impl Attributes, allowed: &Allowed) -> Vec<Refusal> {
    let commands = service.json().get("init").and_then(Json::as_array).map_or(0, Vec::len);
    let mut maps = vec!["/payload/params/env".to_owned(), "/payload/params/secrets".to_owned()];
    maps.extend((0..commands).map(|at| format!("/init/{at}/run/env")));
    let mut refusals = Vec::new();
    for map in maps {
        for name in service.keys(&map) {
            let pointer = format!("{map}/{}", name.replace('~', "~0").replace('/', "~1"));
            if let Some(detail) = allowed.variable_refusal(&name, service.text(&pointer).as_deref()) {
                let help = if allowed.may_permit(&name) { VARIABLE } else { RESERVED };
                refusals.push(Refusal { pointer, detail, help });
            }
        }
    }
    refusals
}

fn refused_limits(spec: &Json, limits: Limits) -> Vec<Refusal> {
    let refused = NAMES.iter().filter_map(|name| {
        let pointer = format!("/payload/params/limits/{name}");
        let detail = limits.refusal(name, spec.pointer(&pointer)?.as_u64()?)?;
        Some(Refusal { pointer, detail, help: LIMIT })
    });
    refused.collect()
}
