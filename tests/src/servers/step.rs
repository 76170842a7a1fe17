use serde_json::Value as Json;
use workspace::view::ServiceRequest;

use super::Setup;
use crate::requests::{self, Said};

/// A step of a session.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line that it begins with.
    pub line: String,
    /// The place of the server that takes it; `None` if all do.
    pub server: Option<usize>,
    /// What is done.
    pub action: Action,
}

/// What is done in a step. Those of a server begin with its name, as in `eu GET /v1/projects`.
#[derive(Clone, Debug)]
pub enum Action {
    /// `GET /v1/projects` and other requests of a client, with the body in the lines after it.
    Request(ServiceRequest),
    /// `PAGES /v1/projects?pageSize=2`: a list, page by page until there is no further one.
    Pages(String),
    /// `TRANSACTION` with the writes in the lines after it.
    Transaction(Vec<Write>),
    /// `STATUS`: what `planloom region status` reports of the region, without revisions and times.
    Status,
    /// `CUT`: from now on no request comes from the server to others, or from others to it. Clients reach it.
    Cut,
    /// `LOSE`: from now on others send requests to the server, and its replies are lost.
    Lose,
    /// `HOLD`: from now on replies of the server to others wait. A request of a client that waits for one has no response yet.
    Hold,
    /// `RESTART`: the server ends with all that it is doing, and starts with what it has stored.
    Restart,
    /// `JOIN`: all of it has an end, and requests that were waiting have their responses.
    Join,
    /// `COPY`: the server requests once from each other region what that one owns.
    Copy,
    /// `WORK`: the server does what deletions and changed policies have left, and sends the requests that are to be sent.
    Work,
    /// `SETTLE`: all servers do both until nothing is left that they can do.
    Settle,
    /// `RESOURCES projects/p1`: the servers that own resources with such names, and those that have copies.
    Resources(String),
    /// `WAIT 60`: time passes, in seconds.
    Wait(i64),
}

/// A write of a transaction.
#[derive(Clone, Debug)]
pub enum Write {
    /// `CREATE Project {"name": …}`.
    Create(String, Json),
    /// `UPDATE Project {"name": …}`.
    Update(String, Json),
    /// `DELETE Project projects/p1`.
    Delete(String, String),
}

impl Step {
    /// The steps of a text. A line that begins with no server and no step belongs to the one before.
    ///
    /// # Panics
    /// If a line has another form.
    pub fn parse(text: &str, setup: &Setup) -> Vec<Self> {
        let mut blocks: Vec<(Option<usize>, &str, Vec<&str>)> = Vec::new();
        for line in text.lines().filter(|it| !it.trim().is_empty()) {
            let word = line.split(' ').next().unwrap_or_default();
            let server = setup.servers.iter().position(|it| it.name == word);
            match blocks.last_mut() {
                Some((.., body)) if server.is_none() && !["SETTLE", "RESOURCES", "WAIT"].contains(&word) => {
                    body.push(line);
                }
                _ => blocks.push((server, line, Vec::new())),
            }
        }
        blocks.into_iter().map(|(server, line, body)| Self::of(server, line, &body)).collect()
    }

    fn of(server: Option<usize>, line: &str, body: &[&str]) -> Self {
        let rest = if server.is_some() { line.split_once(' ').map_or("", |(_, rest)| rest) } else { line };
        let (word, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let action = match (word, server) {
            ("SETTLE", None) => Action::Settle,
            ("RESOURCES", None) => Action::Resources(text.to_owned()),
            ("WAIT", None) => Action::Wait(text.parse().expect("a number of seconds")),
            ("PAGES", Some(_)) => Action::Pages(text.to_owned()),
            ("TRANSACTION", Some(_)) => Action::Transaction(body.iter().map(|it| write(it)).collect()),
            ("STATUS", Some(_)) => Action::Status,
            ("CUT", Some(_)) => Action::Cut,
            ("LOSE", Some(_)) => Action::Lose,
            ("HOLD", Some(_)) => Action::Hold,
            ("RESTART", Some(_)) => Action::Restart,
            ("JOIN", Some(_)) => Action::Join,
            ("COPY", Some(_)) => Action::Copy,
            ("WORK", Some(_)) => Action::Work,
            (_, Some(_)) => Action::Request(request(&format!("{rest}\n{}", body.join("\n")))),
            (_, None) => panic!("`{line}` is no step, and names no server"),
        };
        Self { line: line.to_owned(), server, action }
    }
}

/// The only request of a text.
pub(super) fn request(text: &str) -> ServiceRequest {
    match &requests::parse(text)[..] {
        [Said::Request(request)] => request.clone(),
        _ => panic!("`{text}` is no request"),
    }
}

fn write(line: &str) -> Write {
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default().to_owned();
    let (verb, kind, text) = (word(), word(), word());
    let json = || serde_json::from_str(&text).expect("a resource in JSON");
    match &*verb {
        "CREATE" => Write::Create(kind, json()),
        "UPDATE" => Write::Update(kind, json()),
        "DELETE" => Write::Delete(kind, text),
        _ => panic!("`{line}` is no write"),
    }
}
