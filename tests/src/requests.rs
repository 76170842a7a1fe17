//! Requests to a service, as text: a line with method and path, headers, and the body after them. `WAIT 60` lets a minute
//! pass before the next one. A line that is an object in JSON with the key `command` is a command.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;
use workspace::view::{CacheQuestion, ServiceCommand, ServiceLimit, ServiceRequest};

/// A message to a service.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Said {
    /// A request over HTTP.
    Request(ServiceRequest),
    /// A command, as it is written.
    Command(Json),
}

impl Said {
    /// The command of an object in JSON.
    ///
    /// # Panics
    /// If it is none.
    pub fn command(json: &Json) -> ServiceCommand {
        serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{error} in {json}"))
    }
}

/// The lines of a file `merge.txt`: a kind, and the resources in JSON that are merged in order.
///
/// # Panics
/// If a line has another form.
pub fn parse_merges(text: &str) -> Vec<(String, Vec<Json>)> {
    let merge = |line: &str| {
        let (kind, rest) = line.split_once(' ').expect("a kind and resources");
        let values = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
        (kind.to_owned(), values.map(|it| it.expect("JSON")).collect())
    };
    text.lines().filter(|it| !it.trim().is_empty()).map(merge).collect()
}

const METHODS: [&str; 5] = ["GET ", "POST ", "PUT ", "PATCH ", "DELETE "];

/// The lists and writes of a file `cache.txt`: `LIST TYPE PARENT [FILTER]` and `WRITE TYPE RESOURCE`, the latter in JSON.
///
/// # Panics
/// If a line is neither.
pub fn parse_cached(text: &str) -> Vec<CacheQuestion> {
    let question = |line: &str| {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (type_name, rest) = rest.split_once(' ').expect("a type and more");
        let question = CacheQuestion { type_name: type_name.to_owned(), ..CacheQuestion::default() };
        let (parent, filter) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "LIST" => {
                let filter = (!filter.is_empty()).then(|| filter.to_owned());
                CacheQuestion { parent: Some(parent.to_owned()), filter, ..question }
            }
            "WRITE" => {
                CacheQuestion { resource: Some(serde_json::from_str(rest).expect("JSON")), ..question }
            }
            _ => panic!("`{line}` is neither a list nor a write"),
        }
    };
    text.lines().filter(|it| !it.trim().is_empty()).map(question).collect()
}

/// The limits of a file `limits.txt`: `PROJECT TYPE NUMBER` or `PROJECT/REGION TYPE NUMBER`.
///
/// # Panics
/// If a line is none.
pub fn parse_limits(text: &str) -> Vec<ServiceLimit> {
    let limit = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [scope, type_name, limit] = words[..] else { panic!("`{line}` is no limit") };
        let (project, region) =
            scope.split_once('/').map_or((scope, None), |(it, region)| (it, Some(region)));
        ServiceLimit {
            project: project.to_owned(),
            region: region.map(str::to_owned),
            type_name: type_name.to_owned(),
            limit: limit.parse().expect("a number"),
        }
    };
    text.lines().filter(|it| !it.trim().is_empty()).map(limit).collect()
}

/// The requests of a file that ends with `.http`.
pub fn parse(text: &str) -> Vec<Said> {
    let (mut requests, mut wait): (Vec<Said>, u32) = (Vec::new(), 0);
    for line in text.lines().filter(|it| !it.trim().is_empty() && !it.starts_with('#')) {
        if METHODS.iter().any(|it| line.starts_with(it)) {
            let (method, path) = line.split_once(' ').unwrap_or((line, ""));
            let headers = BTreeMap::new();
            let (method, path) = (method.to_owned(), encoded(path.trim()));
            let wait_seconds = std::mem::take(&mut wait);
            let request = ServiceRequest { method, path, headers, body: String::new(), wait_seconds };
            requests.push(Said::Request(request));
        } else if line.starts_with("{\"command\"") {
            requests.push(Said::Command(serde_json::from_str(line).expect("a command in JSON")));
        } else if let Some(seconds) = line.strip_prefix("WAIT ") {
            wait += seconds.trim().parse::<u32>().expect("a number of seconds");
        } else if let Some(Said::Request(request)) = requests.last_mut() {
            add(request, line);
        }
    }
    requests
}

fn add(request: &mut ServiceRequest, line: &str) {
    let header = line
        .split_once(": ")
        .filter(|(name, _)| name.chars().all(|it| it.is_ascii_alphabetic() || it == '-'));
    match header.filter(|_| request.body.is_empty()) {
        Some((name, value)) => drop(request.headers.insert(name.to_owned(), value.to_owned())),
        None => {
            request.body.push_str(line);
            request.body.push('\n');
        }
    }
}

/// The path, encoded as a browser would encode it in an address.
fn encoded(path: &str) -> String {
    let encode = |it: char| match it {
        ' ' | '"' | '<' | '>' | '{' | '}' => format!("%{:02X}", u32::from(it)),
        _ => it.to_string(),
    };
    path.chars().map(encode).collect()
}
