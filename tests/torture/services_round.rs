use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use serde_json::Value;

use crate::{
    http::send,
    program::{Outcome, Program},
    round::{Tally, folder},
    serve::TOKEN,
    server::{Server, free_port},
};

/// Resources of a service are created, changed and deleted by runs that are killed: afterwards the service has exactly what is
/// described, beside what others have created, and the state records the same.
pub(crate) struct ServicesRound {
    program: Program,
    home: PathBuf,
    random: Rng,
    /// The title of each book by its number, and the number of its author.
    books: BTreeMap<u32, (u32, u32)>,
    kills: usize,
}

const LIBRARY: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Author
  fields: [{path: title, type: string}]
- name: Publisher
- name: Book
  parents: [Publisher]
  fields:
  - {path: title, type: string, required: true}
  - {path: pages, type: int64}
  - {path: author, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
";

/// Somebody else's, which no run may touch.
const FOREIGN: &str = "publishers/others";

impl ServicesRound {
    pub(crate) fn new(program: &Path, seed: u64, number: u64, random: Rng) -> Result<Self> {
        let home = folder("services", seed, number);
        let (files, outputs) = (home.join("files"), home.join("outputs"));
        fs::create_dir_all(&files)?;
        fs::create_dir_all(&outputs)?;
        let variables = vec![("HOME", files.display().to_string()), ("PLANLOOM_TOKEN", TOKEN.to_owned())];
        let program = Program { path: program.to_owned(), folder: files, variables, outputs };
        Ok(Self { program, home, random, books: BTreeMap::new(), kills: 0 })
    }

    pub(crate) fn run(mut self, tally: &mut Tally) -> Result<()> {
        fs::write(self.program.folder.join("library.yaml"), LIBRARY)?;
        let server = self.serve()?;
        let created = send(
            server.address(),
            "POST",
            "/v1/publishers",
            &[("content-type", "application/json")],
            &format!("{{\"name\": \"{FOREIGN}\"}}"),
        )?;
        ensure!(created.status == 200, "a foreign resource: {}", created.body);
        for number in 0..self.random.usize(2..6) {
            self.change();
            self.step(&server, "apply").with_context(|| format!("change {number}"))?;
        }
        self.books.clear();
        self.step(&server, "destroy")?;
        tally.killed(self.kills);
        // What is left over lies among temporary files and does no harm.
        drop(fs::remove_dir_all(&self.home));
        Ok(())
    }

    fn serve(&self) -> Result<Server> {
        let (program, folder, port) = (self.program.path.clone(), self.program.folder.clone(), free_port()?);
        Server::start("planloom serve", port, move || {
            let mut command = Command::new(&program);
            command.current_dir(&folder).args(["serve", "--service", "library.yaml", "--port"]);
            command.arg(port.to_string()).env("PLANLOOM_TOKEN", TOKEN);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Ok(command)
        })
    }

    /// Other books, titles and authors than before.
    fn change(&mut self) {
        for book in 0..self.random.u32(8..30) {
            match self.random.u8(..3) {
                0 => drop(self.books.remove(&book)),
                _ => drop(self.books.insert(book, (self.random.u32(..9), self.random.u32(..6)))),
            }
        }
        self.books.insert(0, (0, 0));
    }

    /// Runs that are killed, and one that is not; then all is as described.
    fn step(&mut self, server: &Server, verb: &str) -> Result<()> {
        if verb == "apply" {
            fs::write(self.program.folder.join("fixtures.yaml"), self.books_file())?;
            fs::write(self.program.folder.join("authors.yaml"), self.authors_file())?;
        }
        let words = words(verb, server);
        for _ in 0..self.random.usize(2..8) {
            let moment = self.random.u32(1..30) * self.random.u32(1..30);
            self.program.start(&words)?.kill_after(Duration::from_millis(moment.into()))?;
            self.kills += 1;
        }
        let outcome = self.clean(&words)?;
        self.is_as_described(server).with_context(|| format!("after {verb}: {}", outcome.summary()))
    }

    /// A run that nothing happens to. The lock of one that was killed is free: its holder is gone.
    fn clean(&self, words: &[OsString]) -> Result<Outcome> {
        let outcome = self.program.run(words)?;
        let was_nothing = outcome.err.contains("no-state");
        ensure!(outcome.is_fine() || was_nothing, "{}", outcome.summary());
        Ok(outcome)
    }

    fn is_as_described(&self, server: &Server) -> Result<()> {
        let mut found = BTreeMap::new();
        for path in ["/v1/publishers", "/v1/authors", "/v1/publishers/-/books"] {
            let reply = send(server.address(), "GET", &format!("{path}?pageSize=1000"), &[], "")?;
            let lists = reply.body.as_object().into_iter().flat_map(|it| it.values());
            let items = lists.filter_map(Value::as_array).flatten();
            found.extend(items.filter_map(|it| Some((it["name"].as_str()?.to_owned(), it["title"].clone()))));
        }
        ensure!(found.remove(FOREIGN).is_some(), "what others created is gone");
        let expected = self.expected();
        let names: BTreeSet<&String> = found.keys().collect();
        ensure!(names == expected.keys().collect(), "the service has {names:?}, described is {expected:?}");
        for (name, title) in expected {
            let is = found.get(&name).and_then(Value::as_str);
            ensure!(title.is_none() || is == title.as_deref(), "{name} has the title {is:?}, not {title:?}");
        }
        let text = fs::read_to_string(self.program.folder.join("state.json")).unwrap_or_default();
        let state: Value = if text.is_empty() { Value::Null } else { serde_json::from_str(&text)? };
        let recorded = state["resources"].as_object().map_or(0, serde_json::Map::len);
        ensure!(recorded == found.len(), "{recorded} resources are recorded, {} exist", found.len());
        ensure!(state["journal"].as_array().is_none_or(Vec::is_empty), "the journal is not empty");
        Ok(())
    }

    /// The names of all that is described, with the titles of books.
    fn expected(&self) -> BTreeMap<String, Option<String>> {
        if self.books.is_empty() {
            return BTreeMap::new();
        }
        let books = self.books.iter().map(|(book, (title, _))| (name(*book), Some(format!("Title {title}"))));
        let authors = self.authors().into_iter().map(|it| (format!("authors/a{it}"), None));
        books.chain(authors).chain([("publishers/own".to_owned(), None)]).collect()
    }

    fn authors(&self) -> BTreeSet<u32> {
        self.books.values().map(|it| it.1).collect()
    }

    fn books_file(&self) -> String {
        let mut text = "kind: library.example.com/Book\nversion: v1\nresources:\n".to_owned();
        for (book, (title, author)) in &self.books {
            let _infallible = writeln!(
                text,
                "- {{name: {}, title: Title {title}, pages: \"{title}\", author: authors/a{author}}}",
                name(*book)
            );
        }
        text
    }

    /// Publishers and authors; each kind has a file.
    fn authors_file(&self) -> String {
        let mut text = "kind: library.example.com/Author\nversion: v1\nresources:\n".to_owned();
        for author in self.authors() {
            let _infallible = writeln!(text, "- {{name: authors/a{author}}}");
        }
        let publishers =
            "kind: library.example.com/Publisher\nversion: v1\nresources: [{name: publishers/own}]\n";
        // A folder that cannot be written ends the round anyway.
        drop(fs::write(self.program.folder.join("publishers.yaml"), publishers));
        text
    }
}

fn name(book: u32) -> String {
    format!("publishers/own/books/b{book}")
}

fn words(verb: &str, server: &Server) -> Vec<OsString> {
    let words =
        [verb, "library.yaml", "fixtures.yaml", "authors.yaml", "publishers.yaml", "--state", "state.json"];
    let adapter = format!("library.example.com=http://{}", server.address());
    let more = ["--auto-approve", "--adapter", &adapter];
    words.iter().chain(&more).map(OsString::from).collect()
}
