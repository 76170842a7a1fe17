//! The shipped example: a real store and a real web server.

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::Command,
};

use serde_json::Value as Json;

use crate::run::{Folder, Watch};

const APP: &str = include_str!("../../../../static/examples/visits/app.yaml");
const PROGRAMS: [&str; 2] = ["/usr/bin/redis-server", "/usr/bin/python3"];

struct Visits(Folder);

impl Visits {
    /// Nothing where a program is not there; that is said.
    #[expect(clippy::print_stderr, reason = "what is skipped is said")]
    fn new() -> Option<Self> {
        let missing: Vec<&str> = PROGRAMS.into_iter().filter(|it| !Path::new(it).exists()).collect();
        if !missing.is_empty() {
            eprintln!("skipped: {} not there; `cargo xtask setup` installs it", missing.join(", "));
            return None;
        }
        Some(Self(Folder::new(&[("app.yaml", APP)])))
    }

    fn line(verb: &str) -> String {
        format!("{verb} {}", Self::words())
    }

    fn words() -> String {
        let allow: String = PROGRAMS.map(|it| format!(" --allow {it}")).concat();
        format!("app.yaml --state state.json{allow}")
    }

    fn state(&self) -> Json {
        self.0.run("state show --state state.json --format json").json()
    }

    fn output(&self, address: &str, pointer: &str) -> String {
        self.state()["resources"][address]["outputs"]
            .pointer(pointer)
            .and_then(Json::as_str)
            .unwrap_or_default()
            .into()
    }

    /// The answer of the page, if there is one.
    fn visit(&self) -> Option<String> {
        let address = self.output("services.page", "/network_node/ip");
        let mut page = TcpStream::connect((address, 8000)).ok()?;
        page.write_all(b"GET / HTTP/1.0\r\n\r\n").ok()?;
        let mut said = String::new();
        page.read_to_string(&mut said).ok()?;
        said.split("\r\n\r\n").nth(1).map(|it| it.trim().to_owned())
    }
}

impl Drop for Visits {
    fn drop(&mut self) {
        self.0.run(&(Self::line("destroy") + " --auto-approve"));
    }
}

fn kill(pid: &str) {
    assert!(Command::new("kill").args(["-9", pid]).status().expect("kill").success());
}

#[test]
fn the_page_counts_in_the_store_is_healed_and_stopped() {
    let Some(visits) = Visits::new() else { return };
    let said = visits.0.run(&(Visits::line("apply") + " --auto-approve"));
    assert_eq!(said.code, 0, "{}", said.err);
    let store = visits.output("services.store", "/network_node/ip");
    assert_eq!(visits.visit(), Some(format!("visit 1, counted at {store}")));
    assert_eq!(visits.visit(), Some(format!("visit 2, counted at {store}")));

    let watch = Watch::start(&visits.0, &Visits::words());
    watch.until("planned");
    kill(&visits.output("services.store", "/activity/id"));
    let healed = loop {
        // A new store counts from the beginning, and the page received its address.
        watch.until("finished");
        if let Some(said) = visits.visit().filter(|it| it.starts_with("visit 1,")) {
            break said;
        }
    };
    drop(watch);
    assert_eq!(
        healed,
        format!("visit 1, counted at {}", visits.output("services.store", "/network_node/ip"))
    );

    let said = visits.0.run(&(Visits::line("destroy") + " --auto-approve"));
    assert_eq!((said.code, visits.visit()), (0, None), "{}", said.err);
    assert_eq!(visits.state()["resources"], serde_json::json!({}));
}
