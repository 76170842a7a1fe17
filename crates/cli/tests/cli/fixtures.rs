//! Fixtures of a service: one that Planloom serves, and one that is not ours.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

use expect_test::expect;
use serde_json::Value as Json;

use crate::{run::Folder, serve::TOKEN};

const LIBRARY: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Author
- name: Publisher
- name: Book
  parents: [Publisher]
  fields:
  - {path: title, type: string, required: true, maxLength: 20}
  - {path: author, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
";
const PUBLISHERS: &str =
    "kind: library.example.com/Publisher\nversion: v1\ngroup: demo\nresources:\n- name: publishers/p1\n";
const AUTHORS: &str =
    "kind: library.example.com/Author\nversion: v1\ngroup: demo\nresources:\n- name: authors/a1\n";
const BOOKS: &str = "kind: library.example.com/Book
version: v1
group: demo
parent: publishers/p1
resources:
- name: publishers/p1/books/b1
  title: One
  author: authors/a1
";
const SECOND: &str = "- name: publishers/p1/books/b2\n  title: Two\n";

/// A server, ended with the value.
struct Server {
    child: Child,
    origin: String,
}

impl Server {
    fn of_planloom(folder: &Folder) -> Self {
        let mut command = folder.command("serve --service library.yaml --format json");
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom");
        let line = first_line(&mut child);
        let said: Json = serde_json::from_str(&line).expect("JSON");
        Self { child, origin: said["origin"].as_str().expect("an origin").to_owned() }
    }

    /// `None`, visibly, where there is no Python.
    #[expect(clippy::print_stderr, reason = "a skipped test says so")]
    fn of_others() -> Option<Self> {
        let script = foreign("server.py");
        let mut command = Command::new("python3");
        let spawned = command.arg(script).stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = spawned else {
            eprintln!("skipped: there is no python3");
            return None;
        };
        let port = first_line(&mut child);
        Some(Self { child, origin: format!("http://127.0.0.1:{}", port.trim()) })
    }

    /// The requests so far.
    fn requests(&self) -> Vec<String> {
        let address = self.origin.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("it listens");
        write!(stream, "GET /requests HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a response");
        let body = text.split_once("\r\n\r\n").expect("a body").1;
        serde_json::from_str(body).expect("JSON")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    line
}

fn foreign(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign-api").join(name)
}

#[test]
fn a_service_is_brought_to_what_fixtures_say() {
    let folder = Folder::new(&[
        ("library.yaml", LIBRARY),
        ("publishers.yaml", PUBLISHERS),
        ("authors.yaml", AUTHORS),
        ("books.yaml", &format!("{BOOKS}{SECOND}")),
    ]);
    let folder = folder.variable("PLANLOOM_TOKEN", TOKEN);
    let server = Server::of_planloom(&folder);
    let files = "books.yaml publishers.yaml authors.yaml --service library.yaml --adapter";
    let words = |verb: &str| format!("{verb} {files} {}", server.origin);
    folder.check(
        &words("plan"),
        &expect![[r#"
            Applying this to demo creates 4 resources.
            compared with what the service has

            Create (4)
              + create library.example.com/Author."authors/a1"  authors.yaml:5
              + create library.example.com/Publisher."publishers/p1"  publishers.yaml:5
              + create library.example.com/Book."publishers/p1/books/b1"  books.yaml:6
                  +  author  authors/a1  books.yaml:8
                  +  title   One         books.yaml:7

              + create library.example.com/Book."publishers/p1/books/b2"  books.yaml:9
                  +  title  Two  books.yaml:10

            Order: 1. library.example.com/Author."authors/a1", library.example.com/Publisher."publishers/p1"  2.
                   library.example.com/Book."publishers/p1/books/b1",
                   library.example.com/Book."publishers/p1/books/b2"
            Plan: 4 to create, 0 to update, 0 to rebuild, 0 to destroy, 0 unchanged.
            --- exit code 2
        "#]],
    );
    let refused = folder.run(&words("apply"));
    assert!(refused.code == 1 && refused.err.contains("host/not-approved"), "{}", refused.err);
    let applied = folder.run(&words("apply --auto-approve"));
    assert!(applied.code == 0 && applied.out.ends_with("Done: 4 steps.\n"), "{}{}", applied.out, applied.err);
    folder.check(
        &words("plan"),
        &expect![[r#"
            No changes to demo: the service matches the fixtures.
            compared with what the service has

            Plan: 0 to create, 0 to update, 0 to rebuild, 0 to destroy, 4 unchanged.
            --- exit code 0
        "#]],
    );
    // An author that a book refers to leaves its file: nothing is done.
    folder.write("authors.yaml", AUTHORS.replace("a1", "a2").as_bytes());
    let blocked = folder.run(&words("apply --auto-approve"));
    assert!(blocked.code == 1 && blocked.err.contains("error[fixtures/blocked]"), "{}", blocked.err);
    folder.write("books.yaml", BOOKS.replace("One", "Eins").replace("authors/a1", "authors/a2").as_bytes());
    folder.check(
        &words("plan"),
        &expect![[r#"
            Applying this to demo destroys 2 resources, updates 1 and creates 1; 1 is unchanged.
            compared with what the service has

            Destroy (2): it is no longer in any file
              − destroy library.example.com/Book."publishers/p1/books/b2"
              − destroy library.example.com/Author."authors/a1"

            Update in place (1)
              ~ update library.example.com/Book."publishers/p1/books/b1"
                  `author` and `title` changed
                  ~  author  authors/a1  →  authors/a2  books.yaml:8
                  ~  title   One         →  Eins        books.yaml:7

            Create (1)
              + create library.example.com/Author."authors/a2"  authors.yaml:5

            Order: 1. library.example.com/Author."authors/a2", library.example.com/Book."publishers/p1/books/b2"
                   2. library.example.com/Book."publishers/p1/books/b1"  3.
                   library.example.com/Author."authors/a1"
            Plan: 1 to create, 1 to update, 0 to rebuild, 2 to destroy, 1 unchanged.
            --- exit code 2
        "#]],
    );
    let json = folder.run(&words("plan --format json"));
    let view: Json = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&view["format"], &view["actions"][0]["address"]),
        (&"planloom.plan/1".into(), &"library.example.com/Author.\"authors/a2\"".into())
    );
    assert_eq!(folder.run(&words("apply --auto-approve")).code, 0);
    assert_eq!(folder.run(&words("plan")).code, 0);
    let destroyed = folder.run(&words("destroy --auto-approve --format json"));
    assert_eq!(destroyed.code, 0, "{}", destroyed.out);
    let last =
        destroyed.out.lines().last().and_then(|it| serde_json::from_str::<Json>(it).ok()).expect("JSON");
    assert_eq!(
        (&last["type"], &last["summary"]["done"]),
        (&"finished".into(), &3.into()),
        "{}",
        destroyed.out
    );
}

#[test]
fn mistakes_of_words_are_reported() {
    let mut folder = Folder::new(&[("library.yaml", LIBRARY), ("publishers.yaml", PUBLISHERS)]);
    for (words, said) in [
        ("plan publishers.yaml", "error[plan/fixtures]"),
        ("plan publishers.yaml --service library.yaml", "error[host/no-address]"),
        ("plan --service library.yaml --adapter http://127.0.0.1:9", "error[host/no-files]"),
        ("plan publishers.yaml --service library.yaml --adapter process", "error[host/bad-adapter]"),
        (
            "plan publishers.yaml --service library.yaml --adapter a.b=http://127.0.0.1:9",
            "error[host/bad-adapter]",
        ),
        (
            "plan publishers.yaml --service library.yaml --state s.json --adapter http://127.0.0.1:9",
            "cannot be used with",
        ),
        ("plan publishers.yaml --prune", "--service"),
        ("apply publishers.yaml", "--state"),
        ("plan publishers.yaml --service publishers.yaml --adapter http://127.0.0.1:9", "error[spec/"),
    ] {
        let run = folder.run(words);
        assert!(run.code == 1 && run.err.contains(said), "{words}: {} {}", run.code, run.err);
    }
    let server = {
        folder.set("PLANLOOM_TOKEN", TOKEN);
        Server::of_planloom(&folder)
    };
    folder.set("PLANLOOM_TOKEN", "another-token-of-20-letters");
    let run = folder.run(&format!("plan publishers.yaml --service library.yaml --adapter {}", server.origin));
    assert!(run.code == 1 && run.err.contains("set the token of the service"), "{}", run.err);
}

const SHELVES: &str = "kind: bookshop.example.org/Shelf\nversion: v1\ngroup: shop\nresources:\n- {name: shelves/s1, displayName: First}\n- {name: shelves/s2}\n- {name: shelves/s3}\n";
const SHOP_BOOKS: &str = "kind: bookshop.example.org/Book
version: v1
group: shop
parent: shelves/s1
resources:
- {name: shelves/s1/books/b1, title: One, pageCount: 7}
- {name: shelves/s1/books/b2, title: Two}
- {name: shelves/s1/books/b3, title: Three}
";

#[test]
fn a_service_of_others_is_brought_to_what_fixtures_say() {
    let Some(server) = Server::of_others() else { return };
    let read = |name: &str| fs::read_to_string(foreign(name)).expect("a text");
    let (spec, proto) = (read("bookshop.yaml"), read("bookshop.proto"));
    let folder = Folder::new(&[
        ("bookshop.yaml", &*spec),
        ("bookshop.proto", &proto),
        ("shelves.yaml", SHELVES),
        ("books.yaml", SHOP_BOOKS),
    ]);
    let folder = folder.variable("PLANLOOM_TOKEN", TOKEN);
    let words = |verb: &str| {
        let service = "--service bookshop.yaml --proto bookshop.proto --adapter";
        format!("{verb} books.yaml shelves.yaml {service} {}", server.origin)
    };
    let applied = folder.run(&words("apply --auto-approve"));
    assert!(applied.code == 0 && applied.out.ends_with("Done: 6 steps.\n"), "{}{}", applied.out, applied.err);
    assert_eq!(folder.run(&words("plan")).code, 0);
    // One book leaves its file, another one changes: both kinds of records are there, so it is deleted.
    folder.write(
        "books.yaml",
        SHOP_BOOKS
            .replace("Two", "Zwei")
            .replace("- {name: shelves/s1/books/b3, title: Three}\n", "")
            .as_bytes(),
    );
    folder.check(
        &words("plan"),
        &expect![[r#"
            Applying this to shop destroys 1 resource and updates 1; 4 are unchanged.
            compared with what the service has

            Destroy (1)
              − destroy bookshop.example.org/Book."shelves/s1/books/b3"
                  it is no longer in any file

            Update in place (1)
              ~ update bookshop.example.org/Book."shelves/s1/books/b2"
                  `title` changed
                  ~  title  Two  →  Zwei  books.yaml:7

            Plan: 0 to create, 1 to update, 0 to rebuild, 1 to destroy, 4 unchanged.
            --- exit code 2
        "#]],
    );
    assert_eq!(folder.run(&words("apply --auto-approve")).code, 0);
    assert_eq!(folder.run(&words("plan")).code, 0);
    // Shelves record nothing: one that is in no file is kept without consent.
    folder.write("shelves.yaml", SHELVES.replace("- {name: shelves/s3}\n", "").as_bytes());
    let kept = folder.run(&words("plan"));
    assert!(kept.code == 0 && kept.err.contains("warning[fixtures/unlisted]"), "{}{}", kept.out, kept.err);
    let pruned = folder.run(&words("apply --auto-approve --prune"));
    assert!(pruned.code == 0 && pruned.out.ends_with("Done: 1 step.\n"), "{}{}", pruned.out, pruned.err);
    let requests = server.requests();
    let has = |part: &str| requests.iter().any(|it| it.contains(part));
    for part in [
        "POST /v1/shelves?shelfId=s1",
        "pageToken=",
        "PATCH /v1/shelves/s1/books/b2?updateMask=",
        "DELETE /v1/shelves/s3?etag=",
    ] {
        assert!(has(part), "{part}: {requests:#?}");
    }
    let creations = requests.iter().filter(|it| it.starts_with("POST")).count();
    assert_eq!(creations, 6, "{requests:#?}");
}

/// A specification among the files makes its fixtures resources like all others: with a state, a saved plan, and a watch.
#[test]
fn resources_of_services_are_applied_as_all_others() {
    let folder = Folder::new(&[
        ("library.yaml", LIBRARY),
        ("publishers.yaml", PUBLISHERS),
        ("authors.yaml", AUTHORS),
        ("books.yaml", &format!("{BOOKS}{SECOND}")),
    ]);
    let folder = folder.variable("PLANLOOM_TOKEN", TOKEN);
    let server = Server::of_planloom(&folder);
    let of = |verb: &str, more: &str| {
        let files = "library.yaml books.yaml publishers.yaml authors.yaml --state s.json";
        format!("{verb} {files} --adapter library.example.com={} {more}", server.origin)
    };
    folder.check(&of("plan", "--out p.json"), &expect![[r#"
        Applying this to the deployment creates 4 resources.
        planned against version 0 of the state
        compared with what exists (refreshed)

        Create (4)
          + create library.example.com/Author."authors/a1"  authors.yaml:5
          + create library.example.com/Publisher."publishers/p1"  publishers.yaml:5
          + create library.example.com/Book."publishers/p1/books/b1"  books.yaml:6
              +  author  authors/a1  books.yaml:8
              +  title   One         books.yaml:7

          + create library.example.com/Book."publishers/p1/books/b2"  books.yaml:9
              +  title  Two  books.yaml:10

        Order: 1. library.example.com/Author."authors/a1", library.example.com/Publisher."publishers/p1"  2.
               library.example.com/Book."publishers/p1/books/b1",
               library.example.com/Book."publishers/p1/books/b2"
        Plan: 4 to create, 0 to update, 0 to rebuild, 0 to destroy, 0 unchanged.
        --- standard error
        Note: there is no state at `s.json` yet: everything is new
        Saved the plan as `p.json`. To apply it, run `planloom apply p.json` with `--state` and the allow list.
        --- exit code 2
    "#]]);
    folder.check(
        &of("apply", "--auto-approve --parallel 1"),
        &expect![[r#"
            Unnamed deployment from 4 files.
            Applying this to the deployment creates 4 resources.
            planned against version 0 of the state
            compared with what exists (refreshed)

            Create (4)
              + create library.example.com/Author."authors/a1"  authors.yaml:5
              + create library.example.com/Publisher."publishers/p1"  publishers.yaml:5
              + create library.example.com/Book."publishers/p1/books/b1"  books.yaml:6
                  +  author  authors/a1  books.yaml:8
                  +  title   One         books.yaml:7

              + create library.example.com/Book."publishers/p1/books/b2"  books.yaml:9
                  +  title  Two  books.yaml:10

            Order: 1. library.example.com/Author."authors/a1", library.example.com/Publisher."publishers/p1"  2.
                   library.example.com/Book."publishers/p1/books/b1",
                   library.example.com/Book."publishers/p1/books/b2"
            Plan: 4 to create, 0 to update, 0 to rebuild, 0 to destroy, 0 unchanged.

            Done: 4 steps. The state is at version 8.
            --- standard error
            + library.example.com/Author."authors/a1": being created
            + library.example.com/Author."authors/a1": created in … s
            + library.example.com/Publisher."publishers/p1": being created
            + library.example.com/Publisher."publishers/p1": created in … s
            + library.example.com/Book."publishers/p1/books/b1": being created
            + library.example.com/Book."publishers/p1/books/b1": created in … s
            + library.example.com/Book."publishers/p1/books/b2": being created
            + library.example.com/Book."publishers/p1/books/b2": created in … s
            --- exit code 0
        "#]],
    );
    folder.check(
        &of("apply", "--auto-approve --parallel 1"),
        &expect![[r#"
        Unnamed deployment from 4 files.
        No changes to the deployment: it matches the descriptors.
        planned against version 8 of the state
        compared with what exists (refreshed)

        Plan: 0 to create, 0 to update, 0 to rebuild, 0 to destroy, 4 unchanged.
        --- exit code 0
    "#]],
    );
    fs::write(folder.path("books.yaml"), BOOKS).expect("written");
    folder.check(
        &of("plan", "--refresh"),
        &expect![[r#"
        Applying this to the deployment destroys 1 resource; 3 are unchanged.
        planned against version 8 of the state
        compared with what exists (refreshed)

        Destroy (1)
          − destroy library.example.com/Book."publishers/p1/books/b2"
              it is no longer in any file

        Plan: 0 to create, 0 to update, 0 to rebuild, 1 to destroy, 3 unchanged.
        --- exit code 2
    "#]],
    );
    folder.check(
        &of("apply", "--auto-approve --parallel 1"),
        &expect![[r#"
        Unnamed deployment from 4 files.
        Applying this to the deployment destroys 1 resource; 3 are unchanged.
        planned against version 8 of the state
        compared with what exists (refreshed)

        Destroy (1)
          − destroy library.example.com/Book."publishers/p1/books/b2"
              it is no longer in any file

        Plan: 0 to create, 0 to update, 0 to rebuild, 1 to destroy, 3 unchanged.

        Done: 1 step. The state is at version 10.
        --- standard error
        − library.example.com/Book."publishers/p1/books/b2": being destroyed
        − library.example.com/Book."publishers/p1/books/b2": destroyed in … s
        --- exit code 0
    "#]],
    );
    folder.check(
        &of("destroy", "--auto-approve --parallel 1"),
        &expect![[r#"
            Unnamed deployment from 4 files.
            Destroying the deployment removes 3 resources.
            planned against version 10 of the state
            compared with what exists (refreshed)

            Destroy (3)
              − destroy library.example.com/Book."publishers/p1/books/b1"
              − destroy library.example.com/Publisher."publishers/p1"
              − destroy library.example.com/Author."authors/a1"

            Order: 1. library.example.com/Book."publishers/p1/books/b1"  2.
                   library.example.com/Publisher."publishers/p1", library.example.com/Author."authors/a1"
            Plan: 0 to create, 0 to update, 0 to rebuild, 3 to destroy, 0 unchanged.

            Done: 3 steps. The state is at version 16.
            --- standard error
            − library.example.com/Book."publishers/p1/books/b1": being destroyed
            − library.example.com/Book."publishers/p1/books/b1": destroyed in … s
            − library.example.com/Publisher."publishers/p1": being destroyed
            − library.example.com/Publisher."publishers/p1": destroyed in … s
            − library.example.com/Author."authors/a1": being destroyed
            − library.example.com/Author."authors/a1": destroyed in … s
            --- exit code 0
        "#]],
    );
}

#[test]
fn what_others_have_created_is_not_taken_over() {
    let folder = Folder::new(&[("library.yaml", LIBRARY), ("authors.yaml", AUTHORS)]);
    let folder = folder.variable("PLANLOOM_TOKEN", TOKEN);
    let server = Server::of_planloom(&folder);
    let of = |verb: &str, state: &str| {
        let adapter = format!("--adapter library.example.com={}", server.origin);
        format!("{verb} library.yaml authors.yaml --state {state} {adapter}")
    };
    let made = folder.run(&format!("{} --auto-approve", of("apply", "first.json")));
    assert_eq!(made.code, 0, "{}", made.err);
    folder.check(&of("plan", "second.json"), &expect![[r#"
        --- standard error
        error[fixtures/exists]: `library.example.com/Author."authors/a1"` exists already, and the state does not record it: somebody else has created it
         ╭▸ authors.yaml:5:9
         ╰ help: use the state that has it, or another name, or delete it: nothing is taken over

        1 error
        --- exit code 1
    "#]]);
    let apply = format!("{} --auto-approve", of("apply", "second.json"));
    folder.check(&apply, &expect![[r#"
        Unnamed deployment from 2 files.
        --- standard error
        error[fixtures/exists]: `library.example.com/Author."authors/a1"` exists already, and the state does not record it: somebody else has created it
         ╭▸ authors.yaml:5:9
         ╰ help: use the state that has it, or another name, or delete it: nothing is taken over

        1 error
        --- exit code 1
    "#]]);
    assert_eq!(status(&server, "GET", "/v1/authors/a1"), 200);
}

#[test]
fn a_plan_reports_a_service_that_does_not_respond() {
    let folder = Folder::new(&[("library.yaml", LIBRARY), ("authors.yaml", AUTHORS)]);
    folder.check(
        "plan library.yaml authors.yaml --state s.json --adapter library.example.com=http://127.0.0.1:1",
        &expect![[r#"
            --- standard error
            error[fixtures/access]: the service does not say what exists: cannot be reached: Connection refused (os error 111)
            help: check the address of the service, whether it runs, and its token in `PLANLOOM_TOKEN`

            1 error
            --- exit code 1
        "#]],
    );
}

/// The status of a response to a request without a body.
fn status(server: &Server, method: &str, path: &str) -> u16 {
    let address = server.origin.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
    )
    .expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("a response");
    text.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status")
}

/// Waits until a resource exists; half a minute is enough on any machine.
fn exists_soon(server: &Server, path: &str) -> bool {
    (0..300).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        status(server, "GET", path) == 200
    })
}

#[test]
fn a_watch_creates_resources_of_services_again() {
    let folder = Folder::new(&[("library.yaml", LIBRARY), ("authors.yaml", AUTHORS)]);
    let folder = folder.variable("PLANLOOM_TOKEN", TOKEN);
    let server = Server::of_planloom(&folder);
    let words = format!(
        "watch library.yaml authors.yaml --state s.json --create --every 1 --adapter library.example.com={}",
        server.origin
    );
    let mut watch = folder.command(&words);
    watch.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut watch = watch.spawn().expect("planloom");
    let path = "/v1/authors/a1";
    let was_created = exists_soon(&server, path);
    let was_deleted = status(&server, "DELETE", path) == 200;
    let was_created_again = exists_soon(&server, path);
    watch.kill().and_then(|()| watch.wait()).expect("it ends");
    assert_eq!((was_created, was_deleted, was_created_again), (true, true, true));
}
