//! The shipped example in real containers: a real store and a real web server. Its images cannot be pulled everywhere, so
//! here they are built of this machine's own programs, under the same names.

#[path = "../../../adapter-container/tests/containers/engine.rs"]
pub(crate) mod engine;

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use engine::{Engine, engine};
use serde_json::Value as Json;

use crate::run::{Folder, RunOutput, Watch};

const APP: &str = include_str!("../../../../static/examples/visits-in-containers/app.yaml");
const WORDS: &str = "app.yaml --state state.json --adapter container";

/// The script that builds its images.
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/containers/images.sh");

struct Visits {
    folder: Folder,
    engine: &'static Engine,
}

impl Visits {
    /// Nothing where containers cannot run; that is said.
    fn new(test: &str) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(20);
        let engine = engine(test)?;
        if let Err(why) = images(engine) {
            // Around the capture of tests that pass.
            _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
            return None;
        }
        let socket: &'static str =
            Box::leak(format!("unix://{}", engine.socket().display()).into_boxed_str());
        // No two tests have the same range of addresses.
        let app = APP.replace("10.77.20", &format!("10.77.{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
        let folder = Folder::new(&[("app.yaml", &app)]).variable("CONTAINER_HOST", socket);
        Some(Self { folder, engine })
    }

    fn run(&self, verb: &str) -> RunOutput {
        self.folder.run(&format!("{verb} {WORDS} --auto-approve"))
    }

    fn state(&self) -> Json {
        self.folder.run("state show --state state.json --format json").json()
    }

    fn output(&self, address: &str, pointer: &str) -> String {
        let outputs = &self.state()["resources"][address]["outputs"];
        outputs.pointer(pointer).and_then(Json::as_str).unwrap_or_default().into()
    }

    /// The answer of the page at the port that is open on this machine, if there is one.
    fn visit(&self) -> Option<String> {
        let address = self.output("services.page", "/http_proxy/ports/0/address");
        let mut page = TcpStream::connect(address.strip_prefix("http://")?).ok()?;
        page.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
        page.write_all(b"GET / HTTP/1.0\r\n\r\n").ok()?;
        let mut said = String::new();
        page.read_to_string(&mut said).ok()?;
        said.split("\r\n\r\n").nth(1).map(|it| it.trim().to_owned())
    }

    /// The numbers of containers and networks that exist.
    fn there(&self) -> (usize, usize) {
        let lineage = self.state()["lineage"].as_str().unwrap_or_default().to_owned();
        let filter = format!("label=planloom.deployment={lineage}");
        let count = |words: &[&str]| {
            let words: Vec<&str> = words.iter().copied().chain(["--quiet", "--filter", &filter]).collect();
            self.engine.podman(&words).expect("podman").lines().count()
        };
        (count(&["ps", "--all"]), count(&["network", "ls"]))
    }
}

impl Drop for Visits {
    fn drop(&mut self) {
        self.run("destroy");
    }
}

/// The two images of the example, built of this machine's programs.
pub(crate) fn images(engine: &Engine) -> Result<(), String> {
    let made = Command::new("/bin/sh").arg(IMAGES).arg(&engine.folder).output();
    let made = made.map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&made.stderr);
    if made.status.success() { Ok(()) } else { Err(said.lines().last().unwrap_or_default().to_owned()) }
}

#[test]
fn the_page_counts_in_the_store_is_healed_and_stopped() {
    let Some(visits) = Visits::new("the_page_counts_in_the_store_is_healed_and_stopped") else { return };
    let said = visits.run("apply");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let store = visits.output("services.store", "/network_node/ip");
    assert_eq!(visits.visit(), Some(format!("visit 1, counted at {store}")));
    assert_eq!(visits.visit(), Some(format!("visit 2, counted at {store}")));
    assert_eq!(visits.there(), (2, 1));

    let watch = Watch::start(&visits.folder, WORDS);
    watch.until("planned");
    let container = visits.output("services.store", "/activity/id");
    visits.engine.podman(&["kill", &container]).expect("killed");
    // A new store counts from the beginning, and the page received its address.
    let is_healed = || visits.visit().is_some_and(|it| it.starts_with("visit 1,"));
    while watch.until("finished")["ok"] != true || !is_healed() {}
    drop(watch);
    assert_ne!(visits.output("services.store", "/activity/id"), container);

    let said = visits.run("destroy");
    assert_eq!((said.code, visits.visit()), (0, None), "{}", said.err);
    assert_eq!(visits.state()["resources"], serde_json::json!({}));
    assert_eq!(visits.there(), (0, 0));
}

/// The folder of the adapter beside the state may be lost: the containers have labels of their deployment.
#[test]
fn a_lost_folder_does_not_duplicate_containers() {
    let Some(visits) = Visits::new("a_lost_folder_does_not_duplicate_containers") else { return };
    let said = visits.run("apply");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let container = visits.output("services.store", "/activity/id");
    fs::remove_dir_all(visits.folder.path("state.json.container")).expect("it was there");
    let said = visits.run("apply");
    assert!(said.code == 0 && said.out.contains("it matches the descriptors"), "{}{}", said.out, said.err);
    assert_eq!(visits.output("services.store", "/activity/id"), container);
    assert_eq!(visits.there(), (2, 1));
    // Where the containers are not to be found either, nothing is made: they may run elsewhere.
    fs::remove_dir_all(visits.folder.path("state.json.container")).expect("it was there");
    let lineage = visits.state()["lineage"].as_str().expect("a lineage").to_owned();
    let state = visits.folder.read("state.json").expect("the state");
    let other = state.replace(&lineage, "0123456789abcdef0123456789abcdef");
    // As who edits a state does.
    let other = other.replacen("\"checksum\":\"sha256:", "\"x-checksum\":\"sha256:", 1);
    visits.folder.write("state.json", other.as_bytes());
    let said = visits.run("apply");
    assert!(said.code == 1 && said.err.contains("host/container-folder"), "{}{}", said.out, said.err);
    visits.folder.write("state.json", state.as_bytes());
    let said = visits.run("destroy");
    assert_eq!((said.code, visits.there()), (0, (0, 0)), "{}", said.err);
}
