//! Every shipped example is carried through: applied from nothing and from each state that is shipped with it, with each
//! adapter that it is meant for; then there is nothing to do, and destroying leaves nothing. A new folder is met by itself.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
};

use serde_json::{Value as Json, json};

use crate::{
    containers::{engine::engine, images},
    run::{Folder, RunOutput},
    serve::{Served, TOKEN},
};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../static/examples");

/// The folder of the programs of examples.
const PROGRAMS: &str = "/usr/bin";

/// A folder with descriptors, and the states that are shipped with them.
struct Example {
    name: String,
    descriptors: Vec<(String, String)>,
    /// Names and texts.
    states: Vec<(String, String)>,
}

impl Example {
    /// Those that can be applied.
    fn all() -> Vec<Self> {
        Self::shipped().into_iter().filter(|it| !it.is_of_services()).collect()
    }

    /// True if its files are specifications of services, which describe no resources.
    fn is_of_services(&self) -> bool {
        self.descriptors.iter().all(|(_, text)| text.contains("\nproto:"))
    }

    fn shipped() -> Vec<Self> {
        let entries = fs::read_dir(EXAMPLES).expect("the examples").map(|it| it.expect("an entry").path());
        let mut folders: Vec<PathBuf> = entries.filter(|it| it.is_dir()).collect();
        folders.sort();
        folders.iter().map(|it| Self::read(it)).collect()
    }

    /// Files are layers in the order of their names.
    fn read(folder: &Path) -> Self {
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path()).collect();
        paths.sort();
        let mut example = Self { name: name(folder), descriptors: Vec::new(), states: Vec::new() };
        for path in paths {
            let text = fs::read_to_string(&path).expect("a text");
            match path.extension().and_then(|it| it.to_str()) {
                Some("yaml" | "yml") => example.descriptors.push((name(&path), text)),
                Some("json") if text.contains("planloom.state/1") => example.states.push((name(&path), text)),
                other => {
                    panic!("{}: what a file of type {other:?} is for has to be said here", path.display())
                }
            }
        }
        example
    }

    fn folder(&self) -> Folder {
        let files = self.descriptors.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        Folder::new(&files.collect::<Vec<_>>())
    }

    fn files(&self) -> String {
        self.descriptors.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn payloads(&self) -> Vec<Json> {
        let merged = self.folder().run(&format!("merge {} --format json", self.files()));
        assert_eq!(merged.code, 0, "{}: {}", self.name, merged.out);
        let merged = merged.json();
        merged["document"]["payloads"].as_object().into_iter().flatten().map(|(_, it)| it.clone()).collect()
    }

    /// Nothing, and each state that is shipped.
    fn starts(&self) -> impl Iterator<Item = Option<&(String, String)>> {
        std::iter::once(None).chain(self.states.iter().map(Some))
    }
}

/// One example, one adapter, one state to begin with.
struct Way<'e> {
    example: &'e Example,
    start: Option<&'e (String, String)>,
    folder: Folder,
    words: String,
}

impl<'e> Way<'e> {
    fn new(example: &'e Example, start: Option<&'e (String, String)>, folder: Folder, words: &str) -> Self {
        if let Some((_, state)) = start {
            folder.write("state.json", state.as_bytes());
        }
        Self { example, start, folder, words: words.to_owned() }
    }

    /// The name of the case, for the message of a failure.
    fn name(&self) -> String {
        let start = self.start.map_or("nothing", |(name, _)| name);
        format!("{} from {start} with {}", self.example.name, self.words)
    }

    fn run(&self, verb: &str, more: &str) -> RunOutput {
        self.folder.run(&format!("{verb} {} --state state.json {} {more}", self.example.files(), self.words))
    }

    #[track_caller]
    fn done(&self, said: &RunOutput) {
        assert_eq!(said.code, 0, "{}: {}{}", self.name(), said.out, said.err);
        assert!(!said.err.contains("apply/orphans"), "{}: {}", self.name(), said.err);
    }

    fn state(&self) -> Json {
        self.folder.run("state show --state state.json --format json").json()
    }

    /// All the way.
    fn go(&self) {
        self.done(&self.run("apply", "--auto-approve"));
        let planned = self.run("plan", "--refresh --format json");
        self.done(&planned);
        let planned = planned.json();
        let nothing = (&json!([]), &json!(true));
        assert_eq!((&planned["actions"], &planned["refreshed"]), nothing, "{}", self.name());
        let again = self.run("apply", "--auto-approve");
        self.done(&again);
        assert!(again.out.contains("it matches the descriptors"), "{}: {}", self.name(), again.out);
        self.done(&self.run("destroy", "--auto-approve"));
        assert_eq!(self.state()["resources"], json!({}), "{}", self.name());
    }
}

impl Drop for Way<'_> {
    fn drop(&mut self) {
        // Nothing is left over where a step in between failed.
        self.run("destroy", "--auto-approve --remove-orphans");
    }
}

/// The resources that an adapter has of a deployment.
fn left(adapter: &str, deployment: &str) -> Json {
    let (host, path) = adapter.trim_start_matches("http://").split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("it is served");
    let head = format!(
        "GET /{path}/v1/resources?deployment={deployment} HTTP/1.1\r\nHost: {host}\r\nAdapter-Protocol: 1\r\n\
         Authorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    let start = body.find('{').expect("an object");
    let end = body.rfind('}').expect("its end");
    let body: Json = serde_json::from_str(&body[start..=end]).expect("JSON");
    body["items"].clone()
}

#[test]
fn each_is_carried_through_by_the_simulator() {
    let examples = Example::all();
    assert!(examples.iter().map(|it| it.starts().count()).sum::<usize>() > examples.len(), "one has a state");
    for example in &examples {
        for start in example.starts() {
            let served = Served::start(&["--adapter", "simulator"]);
            let folder = example.folder().variable("PLANLOOM_ADAPTER_TOKEN", TOKEN);
            let way = Way::new(example, start, folder, &format!("--adapter {}", served.adapters[0]));
            way.go();
            let lineage = way.state()["lineage"].as_str().expect("a lineage").to_owned();
            assert_eq!(left(&served.adapters[0], &lineage), json!([]), "{}", way.name());
        }
    }
}

#[test]
fn those_of_services_are_valid_and_differ() {
    let of_services: Vec<Example> = Example::shipped().into_iter().filter(Example::is_of_services).collect();
    assert!(!of_services.is_empty());
    for example in of_services {
        let folder = example.folder();
        for (name, _) in &example.descriptors {
            let checked = folder.run(&format!("spec check {name}"));
            assert_eq!(checked.code, 0, "{name}: {}{}", checked.out, checked.err);
        }
        let diff = folder.run(&format!("spec diff {}", example.files()));
        assert!(diff.out.contains("Breaking") && diff.out.contains("Compatible"), "{}{}", diff.out, diff.err);
    }
}

#[test]
fn those_for_processes_are_carried_through_by_processes() {
    for example in Example::all() {
        let payloads = example.payloads();
        let programs: Vec<&str> = payloads
            .iter()
            .filter(|it| it["runtime"] == "process")
            .filter_map(|it| it["params"]["command"][0].as_str())
            .collect();
        if programs.is_empty() {
            continue;
        }
        if let Some(missing) = programs.iter().find(|it| !Path::new(PROGRAMS).join(it).exists()) {
            skipped(&example.name, &format!("`{missing}` is not there; `cargo xtask setup` installs it"));
            continue;
        }
        for start in example.starts() {
            Way::new(&example, start, example.folder(), &format!("--allow {PROGRAMS}")).go();
        }
    }
}

#[test]
fn those_for_containers_are_carried_through_by_containers() {
    for mut example in Example::all() {
        let has_image = |it: &Json| it["runtime"] == "container" && it["params"]["image"].is_string();
        if !example.payloads().iter().any(has_image) {
            continue;
        }
        let Some(engine) = engine(&format!("example {}", example.name)) else { continue };
        if let Err(why) = images(engine) {
            skipped(&example.name, &why);
            continue;
        }
        // No two tests have the same range of addresses.
        for (_, text) in &mut example.descriptors {
            *text = text.replace("10.77.20", "10.77.99");
        }
        let socket: &'static str =
            Box::leak(format!("unix://{}", engine.socket().display()).into_boxed_str());
        for start in example.starts() {
            let folder = example.folder().variable("CONTAINER_HOST", socket);
            Way::new(&example, start, folder, "--adapter container").go();
        }
    }
}

/// Said around the capture of tests that pass.
fn skipped(example: &str, why: &str) {
    _ = writeln!(std::io::stderr(), "skipped: example {example}: {why}");
}
