//! Requests to a service, as text: a line with method and path, headers, and the body after them.

use std::collections::BTreeMap;

use workspace::view::ServiceRequest;

const METHODS: [&str; 5] = ["GET ", "POST ", "PUT ", "PATCH ", "DELETE "];

/// The requests of a file that ends with `.http`.
pub fn parse(text: &str) -> Vec<ServiceRequest> {
    let mut requests: Vec<ServiceRequest> = Vec::new();
    for line in text.lines().filter(|it| !it.trim().is_empty() && !it.starts_with('#')) {
        if METHODS.iter().any(|it| line.starts_with(it)) {
            let (method, path) = line.split_once(' ').unwrap_or((line, ""));
            let headers = BTreeMap::new();
            let (method, path) = (method.to_owned(), encoded(path.trim()));
            requests.push(ServiceRequest { method, path, headers, body: String::new() });
        } else if let Some(request) = requests.last_mut() {
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

/// What a browser would encode in an address.
fn encoded(path: &str) -> String {
    let encode = |it: char| match it {
        ' ' | '"' | '<' | '>' | '{' | '}' => format!("%{:02X}", u32::from(it)),
        _ => it.to_string(),
    };
    path.chars().map(encode).collect()
}
