//! Files that are served to the app: read, written under conditions, watched, and nothing else.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value as Json, json};
use syntax::package::{self, PackageFile, PackageLimits};

use crate::{run::Folder, serve::TOKEN};

const TEXT: &str = "meta: {name: one}\n";

/// A server of files; ends with the value.
struct Files {
    child: Child,
    said: Json,
}

/// A response.
struct Reply {
    status: u16,
    etag: Option<String>,
    body: Json,
}

impl Files {
    fn start(folder: &Folder, words: &str) -> Self {
        let words =
            format!("serve --adapter simulator --state-folder states --app site --format json {words}");
        let mut command = folder.command(&words);
        let mut child = command
            .env("PLANLOOM_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("planloom");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        Self { child, said: serde_json::from_str(&line).expect("JSON") }
    }

    fn send(&self, request: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.send_as(TOKEN, request, headers, body)
    }

    fn send_as(&self, token: &str, request: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let address = self.said["origin"].as_str().expect("an origin").trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("it listens");
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n{headers}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a response");
        let (head, body) = text.split_once("\r\n\r\n").expect("a body");
        let etag = head.lines().find_map(|it| it.strip_prefix("etag: "));
        Reply {
            status: head.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status"),
            etag: etag.map(str::to_owned),
            body: serde_json::from_str(body).unwrap_or_default(),
        }
    }

    fn list(&self) -> Reply {
        self.send("GET /files", &[], "")
    }

    fn names(&self) -> Vec<String> {
        let list = self.list().body;
        let files = list["files"].as_array().expect("files").iter();
        files.map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
    }

    fn etag(&self, name: &str) -> String {
        let reply = self.send(&format!("GET /files/{name}"), &[], "");
        reply.etag.expect("an etag")
    }

    fn put(&self, name: &str, etag: &str, text: &str) -> Reply {
        self.send(&format!("PUT /files/{name}"), &[("If-Match", etag)], text)
    }

    fn create(&self, name: &str, text: &str) -> Reply {
        self.send(&format!("PUT /files/{name}"), &[("If-None-Match", "*")], text)
    }

    /// The next list that is not that one.
    fn next(&self, list: &Reply) -> Reply {
        let known = list.etag.as_deref().expect("an etag");
        self.send("GET /files", &[("If-None-Match", known), ("Prefer", "wait=20")], "")
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A folder with a site, and a folder of descriptors.
fn folder() -> Folder {
    Folder::new(&[
        ("site/index.html", "<p>app</p>"),
        ("shop/b.yaml", TEXT),
        ("shop/a.yml", "a: 1\n"),
        ("shop/README.md", "no descriptor"),
        ("shop/.hidden.yaml", "secret: 1\n"),
        ("shop/nested/c.yaml", "c: 1\n"),
        ("other.yaml", "outside: 1\n"),
    ])
}

#[test]
fn a_file_is_written_only_if_it_is_as_it_was_read() {
    let folder = folder();
    let files = Files::start(&folder, "shop/b.yaml other.yaml");
    assert_eq!(files.names(), ["shop/b.yaml", "other.yaml"]);
    let read = files.send("GET /files/shop%2Fb.yaml", &[], "");
    assert_eq!((read.status, &read.body["text"]), (200, &json!(TEXT)));
    let etag = read.etag.expect("an etag");
    let written = files.put("shop%2Fb.yaml", &etag, "meta: {name: two}\n");
    assert_eq!((written.status, written.body["etag"].as_str()), (200, written.etag.as_deref()));
    assert_eq!(folder.read("shop/b.yaml").as_deref(), Some("meta: {name: two}\n"));

    // Who comes later with the old etag gets the current text, and nothing is written.
    let late = files.put("shop%2Fb.yaml", &etag, "meta: {name: late}\n");
    assert_eq!((late.status, &late.body["code"]), (412, &json!("stale")));
    assert_eq!(late.body["current"], json!({"text": "meta: {name: two}\n", "etag": written.etag}));
    assert_eq!(folder.read("shop/b.yaml").as_deref(), Some("meta: {name: two}\n"));
    assert_eq!(files.send("PUT /files/shop%2Fb.yaml", &[], "x").status, 428);
    assert_eq!(files.send("PUT /files/shop%2Fb.yaml", &[("If-Match", "*")], "x").status, 412);
    assert_eq!(files.send("PATCH /files/shop%2Fb.yaml", &[], "x").status, 405);
    assert_eq!(files.send_as("0123456789abcdef4321", "GET /files", &[], "").status, 401);
    // Nothing that was begun is left behind.
    assert_eq!(fs::read_dir(folder.path("shop")).expect("the folder").count(), 5);
}

#[test]
fn changes_on_disk_are_reported_at_once() {
    let folder = folder();
    let files = Files::start(&folder, "shop");
    let list = files.list();
    let quiet = Instant::now();
    let same = files.send(
        "GET /files",
        &[("If-None-Match", list.etag.as_deref().unwrap()), ("Prefer", "wait=1")],
        "",
    );
    assert!(same.status == 304 && quiet.elapsed() >= Duration::from_secs(1), "{}", same.status);

    let path = folder.path("shop/b.yaml");
    let writer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        fs::write(path, "meta: {name: two}\n").expect("a file");
    });
    let list = files.next(&list);
    writer.join().expect("it ends");
    assert_eq!(
        (list.status, files.etag("b.yaml")),
        (200, list.body["files"][1]["etag"].as_str().unwrap().to_owned())
    );
    assert_eq!(files.send("GET /files/b.yaml", &[], "").body["text"], "meta: {name: two}\n");

    folder.write("shop/c.yaml", b"c: 1\n");
    let list = files.next(&list);
    assert_eq!((list.status, files.names()), (200, vec!["a.yml".into(), "b.yaml".into(), "c.yaml".into()]));
    // Many programs write another file, and rename it.
    folder.write("shop/c.yaml.new", b"c: 2\n");
    fs::rename(folder.path("shop/c.yaml.new"), folder.path("shop/c.yaml")).expect("renamed");
    let list = files.next(&list);
    assert_eq!(
        (list.status, &files.send("GET /files/c.yaml", &[], "").body["text"]),
        (200, &json!("c: 2\n"))
    );
    fs::remove_file(folder.path("shop/a.yml")).expect("removed");
    assert_eq!((files.next(&list).status, files.names()), (200, vec!["b.yaml".into(), "c.yaml".into()]));
}

#[test]
fn files_of_a_folder_are_created_renamed_reordered_and_deleted() {
    let folder = folder();
    let files = Files::start(&folder, "shop");
    assert_eq!(files.names(), ["a.yml", "b.yaml"]);
    let created = files.create("new%20one.yaml", "n: 1\n");
    assert_eq!((created.status, folder.read("shop/new one.yaml").as_deref()), (201, Some("n: 1\n")));
    let again = files.create("b.yaml", "over\n");
    assert_eq!((again.status, &again.body["current"]["text"]), (412, &json!(TEXT)));

    let to = json!({"to": "z.yaml"}).to_string();
    assert_eq!(files.send("POST /files/a.yml", &[("If-Match", "\"wrong\"")], &to).status, 412);
    let etag = files.etag("a.yml");
    assert_eq!(
        files.send("POST /files/a.yml", &[("If-Match", &etag)], &json!({"to": "b.yaml"}).to_string()).status,
        412
    );
    assert_eq!(files.send("POST /files/a.yml", &[("If-Match", &etag)], &to).status, 200);
    assert_eq!(files.names(), ["b.yaml", "new one.yaml", "z.yaml"]);

    let order = json!({"order": ["z.yaml", "b.yaml", "new one.yaml", "gone.yaml"]}).to_string();
    assert_eq!(files.send("PUT /files", &[], &order).status, 204);
    folder.write("shop/c.yaml", b"c: 1\n");
    assert_eq!(files.send("DELETE /files/b.yaml", &[("If-Match", &etag)], "").status, 412);
    let etag = files.etag("new%20one.yaml");
    assert_eq!(files.send("DELETE /files/new%20one.yaml", &[("If-Match", &etag)], "").status, 204);
    assert_eq!(files.names(), ["z.yaml", "b.yaml", "c.yaml"]);
    assert_eq!(folder.read("shop/new one.yaml"), None);
}

#[test]
fn nothing_else_is_read_or_written() {
    let folder = folder();
    let files = Files::start(&folder, "shop");
    for name in [
        "README.md",
        ".hidden.yaml",
        "nested%2Fc.yaml",
        "..%2Fother.yaml",
        "%2e%2e%2fother.yaml",
        "x",
        "%2Fetc%2Fpasswd",
    ] {
        assert_eq!(files.send(&format!("GET /files/{name}"), &[], "").status, 404, "{name}");
    }
    for name in [
        "..%2Fnew.yaml",
        ".new.yaml",
        "nested%2Fnew.yaml",
        "new.sh",
        "%2Ftmp%2Fnew.yaml",
        "a%5Cnew.yaml",
        "new%00.yaml",
    ] {
        let reply = files.create(name, "x: 1\n");
        assert_eq!((reply.status, &reply.body["code"]), (403, &json!("forbidden")), "{name}");
    }
    let etag = files.etag("b.yaml");
    for to in ["../b.yaml", ".b.yaml", "b.txt", "nested/b.yaml"] {
        let reply = files.send("POST /files/b.yaml", &[("If-Match", &etag)], &json!({"to": to}).to_string());
        assert_eq!(reply.status, 403, "{to}");
    }
    for body in ["a\0b", "\u{feff}\0"] {
        assert_eq!(files.put("b.yaml", &etag, body).status, 422);
    }
    assert_eq!(files.put("b.yaml", &etag, &" ".repeat((16 << 20) + 1)).status, 413);
    assert_eq!(
        (folder.read("shop/b.yaml").as_deref(), folder.read("other.yaml").as_deref()),
        (Some(TEXT), Some("outside: 1\n"))
    );

    // Single files are all there is.
    let single = Files::start(&folder, "other.yaml");
    let reply = single.create("shop%2Fnew.yaml", "x: 1\n");
    assert!(
        reply.status == 403 && reply.body["detail"].as_str().unwrap().contains("single files"),
        "{}",
        reply.body
    );
    let etag = single.etag("other.yaml");
    assert_eq!(
        single
            .send("POST /files/other.yaml", &[("If-Match", &etag)], &json!({"to": "new.yaml"}).to_string())
            .status,
        403
    );
    // One that was deleted can be created again, as Undo does.
    assert_eq!(single.send("DELETE /files/other.yaml", &[("If-Match", &etag)], "").status, 204);
    assert_eq!((single.names().len(), single.create("other.yaml", "again: 1\n").status), (0, 201));
}

#[test]
fn what_cannot_be_shown_is_said() {
    let folder = folder();
    folder.write("shop/binary.yaml", b"a\0b");
    folder.write("shop/utf16.yaml", b"\xff\xfea\0");
    fs::File::create(folder.path("shop/huge.yaml")).and_then(|it| it.set_len(17 << 20)).expect("a file");
    let files = Files::start(&folder, "shop");
    assert_eq!(files.names(), ["a.yml", "b.yaml"]);
    let refused = files.list().body["refused"].clone();
    assert_eq!(
        refused,
        json!([
            {"name": "binary.yaml", "reason": "it is not a text file"},
            {"name": "huge.yaml", "reason": "it is larger than 16 MiB"},
            {"name": "utf16.yaml", "reason": "it is UTF-16: save it as UTF-8"},
        ])
    );
    for (words, expected) in [
        ("missing.yaml", "`missing.yaml` cannot be served: there is no such file or folder"),
        ("shop/binary.yaml", "`shop/binary.yaml` cannot be served: it is not a text file"),
        ("other.yaml ./other.yaml", "`other.yaml` cannot be served: it is named twice"),
        ("/dev/null", "`/dev/null` cannot be served: it is neither a file nor a folder"),
        ("-", "standard input cannot be served"),
        ("--service other.yaml other.yaml", "cannot be used with"),
    ] {
        let said = folder.run(&format!("serve --app site --adapter simulator --state-folder states {words}"));
        assert!(said.code == 1 && said.err.contains(expected), "{words}: {}", said.err);
    }
}

#[test]
fn a_build_without_the_app_says_so() {
    let folder = folder();
    let said = folder.run("serve --adapter simulator --state-folder states other.yaml");
    assert!(said.code == 1 && said.err.contains("does not contain the app"), "{}", said.err);
    assert!(said.err.contains("cargo xtask dist"), "{}", said.err);
}

#[test]
fn byte_order_marks_and_line_ends_are_kept() {
    let folder = folder();
    folder.write("shop/crlf.yaml", b"\xef\xbb\xbfa: 1\r\nb: 2\r\n");
    let files = Files::start(&folder, "shop/crlf.yaml");
    let read = files.send("GET /files/shop%2Fcrlf.yaml", &[], "");
    assert_eq!(read.body["text"], "a: 1\r\nb: 2\r\n");
    assert_eq!(files.put("shop%2Fcrlf.yaml", &read.etag.unwrap(), "a: 3\r\nb: 2\r\n").status, 200);
    assert_eq!(fs::read(folder.path("shop/crlf.yaml")).unwrap(), b"\xef\xbb\xbfa: 3\r\nb: 2\r\n");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept_and_links_do_not_lead_out() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    fs::set_permissions(folder.path("shop/b.yaml"), fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink("b.yaml", folder.path("shop/link.yaml")).expect("a link");
    symlink("../other.yaml", folder.path("shop/out.yaml")).expect("a link");
    symlink("nowhere.yaml", folder.path("shop/lost.yaml")).expect("a link");
    symlink("shop/b.yaml", folder.path("named.yaml")).expect("a link");
    let files = Files::start(&folder, "shop");
    assert_eq!(files.names(), ["a.yml", "b.yaml", "link.yaml"]);
    assert_eq!(
        files.list().body["refused"],
        json!([{"name": "out.yaml", "reason": "it is a link that leads out of the folder"}])
    );
    assert_eq!(files.send("GET /files/out.yaml", &[], "").status, 404);
    assert_eq!(files.put("out.yaml", "\"x\"", "over: 1\n").status, 412);
    assert_eq!(files.create("out.yaml", "over: 1\n").status, 412);
    assert_eq!(files.create("lost.yaml", "over: 1\n").status, 412);
    assert_eq!(files.put("link.yaml", &files.etag("link.yaml"), "through: 1\n").status, 200);

    let named = Files::start(&folder, "named.yaml");
    assert_eq!(named.put("named.yaml", &named.etag("named.yaml"), "named: 1\n").status, 200);
    assert_eq!(folder.read("shop/b.yaml").as_deref(), Some("named: 1\n"));
    let facts = |name: &str| folder.path(name).symlink_metadata().expect("a file");
    assert!(facts("named.yaml").is_symlink() && facts("shop/link.yaml").is_symlink());
    assert_eq!(facts("shop/b.yaml").permissions().mode() & 0o777, 0o640);
    assert_eq!(folder.read("other.yaml").as_deref(), Some("outside: 1\n"));
}

#[test]
fn a_write_is_whole_or_not_there_for_who_reads_meanwhile() {
    let folder = folder();
    let files = Files::start(&folder, "shop/b.yaml");
    let text = |n: usize| format!("# {n}\n").repeat(200_000 / (n.to_string().len() + 3));
    let path = folder.path("shop/b.yaml");
    let mut etag = files.etag("shop%2Fb.yaml");
    etag = files.put("shop%2Fb.yaml", &etag, &text(0)).etag.expect("written");
    let reader = thread::spawn(move || {
        let end = Instant::now() + Duration::from_secs(2);
        let mut reads = 0;
        while Instant::now() < end {
            let text = fs::read_to_string(&path).expect("it is always there");
            let first = text.lines().next().expect("it is never empty");
            assert!(text.len() > 190_000 && text.lines().all(|it| it == first), "a mixture");
            reads += 1;
        }
        reads
    });
    let mut writes = 0;
    while !reader.is_finished() {
        writes += 1;
        etag = files.put("shop%2Fb.yaml", &etag, &text(writes)).etag.expect("written");
    }
    assert!(reader.join().expect("no mixture") > 10 && writes > 3, "{writes}");
}

#[test]
fn of_two_writers_one_wins_and_the_other_is_shown_what_it_wrote() {
    let folder = folder();
    let files = Files::start(&folder, "shop/b.yaml");
    let etag = files.etag("shop%2Fb.yaml");
    let replies: Vec<Reply> = thread::scope(|scope| {
        let put = |n: usize| files.put("shop%2Fb.yaml", &etag, &format!("writer: {n}\n"));
        let begun: Vec<_> = (0..8).map(|n| scope.spawn(move || put(n))).collect();
        begun.into_iter().map(|it| it.join().expect("a reply")).collect()
    });
    let won = replies.iter().filter(|it| it.status == 200).count();
    let text = folder.read("shop/b.yaml").expect("a file");
    assert_eq!((won, replies.iter().filter(|it| it.status == 412).count()), (1, 7));
    assert!(replies.iter().filter(|it| it.status == 412).all(|it| it.body["current"]["text"] == *text));
}

#[test]
fn a_package_is_written_again_unless_something_would_be_lost() {
    let folder = folder();
    let file = |name: &str, text: &str| PackageFile { name: name.into(), text: text.into() };
    folder.write("shop.zip", &package::write(&[file("b.yaml", "b: 1\n"), file("a.yaml", "a: 1\n")]));
    let files = Files::start(&folder, "shop.zip other.yaml");
    assert_eq!(files.names(), ["shop.zip/a.yaml", "shop.zip/b.yaml", "other.yaml"]);
    assert_eq!(files.list().body["files"][0]["package"], "shop.zip");
    let etag = files.etag("shop.zip%2Fb.yaml");
    let written = files.put("shop.zip%2Fb.yaml", &etag, "b: 2\n");
    assert_eq!(
        (written.status, &files.send("GET /files/shop.zip%2Fb.yaml", &[], "").body["text"]),
        (200, &json!("b: 2\n"))
    );
    let late = files.put("shop.zip%2Fb.yaml", &etag, "b: 3\n");
    assert_eq!((late.status, &late.body["current"]["text"]), (412, &json!("b: 2\n")));
    let held = fs::read(folder.path("shop.zip")).expect("a package");
    let held = package::read(&held, &PackageLimits::default()).expect("it is one");
    assert_eq!(held.files, [file("a.yaml", "a: 1\n"), file("b.yaml", "b: 2\n")]);
    let etag = written.etag.expect("an etag");
    let renamed = json!({"to": "shop.zip/c.yaml"}).to_string();
    assert_eq!(files.send("POST /files/shop.zip%2Fb.yaml", &[("If-Match", &etag)], &renamed).status, 403);
    assert_eq!(files.send("DELETE /files/shop.zip%2Fb.yaml", &[("If-Match", &etag)], "").status, 403);

    let list = files.list();
    folder.write("shop.zip", &package::write(&[file("b.yaml", "b: 4\n"), file("run.sh", "echo\n")]));
    assert_eq!(
        (files.next(&list).status, files.names()),
        (200, vec!["shop.zip/b.yaml".into(), "other.yaml".into()])
    );
    let before = fs::read(folder.path("shop.zip")).expect("a package");
    let refused = files.put("shop.zip%2Fb.yaml", &files.etag("shop.zip%2Fb.yaml"), "b: 5\n");
    assert!(
        refused.status == 403
            && refused.body["detail"].as_str().unwrap().contains("`run.sh`, which would be lost")
    );
    assert_eq!(fs::read(folder.path("shop.zip")).expect("a package"), before);
}

#[test]
fn the_version_is_that_of_program_and_app() {
    let folder = folder();
    let files = Files::start(&folder, "other.yaml");
    let said = files.send_as("none-is-needed-here", "GET /version", &[], "").body;
    assert_eq!(
        (&said["format"], &said["version"]),
        (&json!("planloom.version/1"), &json!(env!("CARGO_PKG_VERSION")))
    );
    assert_eq!((&said["app"], said["app"].as_str().map(str::len)), (&files.said["app"], Some(16)));
    assert!(
        files.said["page"].as_str().unwrap().ends_with(&format!("/#token={TOKEN}&files")),
        "{}",
        files.said
    );
    folder.write("site/index.html", b"<p>another app</p>");
    let other = Files::start(&folder, "other.yaml");
    assert_ne!(other.said["app"], said["app"]);
    folder.write("site/index.html", b"<p>app</p>");
    assert_eq!(Files::start(&folder, "other.yaml").said["app"], said["app"]);
}

#[test]
fn waiting_clients_do_not_delay_its_end() {
    let folder = folder();
    let files = Files::start(&folder, "other.yaml");
    let list = files.list();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| files.next(&list).status);
        thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        let id = files.child.id().to_string();
        assert!(std::process::Command::new("kill").arg(id).status().expect("kill").success());
        assert_eq!(waiting.join().expect("a reply"), 304);
        assert!(start.elapsed() < Duration::from_secs(3));
    });
}

/// A request for a link concerns the link, not its target.
#[test]
#[cfg(unix)]
fn a_link_is_renamed_and_removed_itself() {
    let folder = folder();
    folder.write("outside.yaml", TEXT.as_bytes());
    folder.write("dd/real.yaml", TEXT.as_bytes());
    std::os::unix::fs::symlink("real.yaml", folder.path("dd/link.yaml")).expect("a link");
    std::os::unix::fs::symlink("outside.yaml", folder.path("named.yaml")).expect("a link");
    let files = Files::start(&folder, "dd named.yaml");
    let link = files.etag("dd/link.yaml");
    let renamed =
        files.send("POST /files/dd/link.yaml", &[("If-Match", &link)], r#"{"to": "dd/other.yaml"}"#);
    assert_eq!(renamed.status, 200, "{}", renamed.body);
    assert!(folder.path("dd/other.yaml").is_symlink() && folder.path("dd/real.yaml").is_file());
    for name in ["dd/other.yaml", "named.yaml"] {
        let deleted = files.send(&format!("DELETE /files/{name}"), &[("If-Match", &link)], "");
        assert_eq!(deleted.status, 204, "{name}: {}", deleted.body);
        assert!(!folder.path(name).is_symlink(), "{name}");
    }
    assert!(folder.path("dd/real.yaml").is_file() && folder.path("outside.yaml").is_file());
}

#[test]
#[cfg(unix)]
fn a_pipe_in_the_place_of_a_file_blocks_nobody() {
    let folder = folder();
    folder.write("other.yaml", TEXT.as_bytes());
    folder.write("pipe.yaml", TEXT.as_bytes());
    let files = Files::start(&folder, "pipe.yaml other.yaml");
    fs::remove_file(folder.path("pipe.yaml")).expect("it is ours");
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.yaml")).status();
    assert!(made.expect("mkfifo").success());
    let start = Instant::now();
    assert_eq!(files.put("pipe.yaml", "\"x\"", TEXT).status, 412);
    assert_ne!(files.send("GET /files/pipe.yaml", &[], "").status, 200);
    assert_eq!(files.send("GET /files/other.yaml", &[], "").status, 200);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
#[cfg(unix)]
fn a_file_with_two_names_keeps_both() {
    let folder = folder();
    folder.write("one.yaml", TEXT.as_bytes());
    fs::hard_link(folder.path("one.yaml"), folder.path("two.yaml")).expect("a second name");
    let files = Files::start(&folder, "one.yaml");
    let short = "meta: {}\n";
    assert_eq!(files.put("one.yaml", &files.etag("one.yaml"), short).status, 200);
    assert_eq!(folder.read("two.yaml").as_deref(), Some(short));
}

#[test]
fn the_longest_names_can_be_saved() {
    let folder = folder();
    let name = format!("{}.yaml", "n".repeat(250));
    folder.write(&format!("dd/{name}"), TEXT.as_bytes());
    let files = Files::start(&folder, "dd");
    assert_eq!(files.put(&name, &files.etag(&name), "meta: {name: long}\n").status, 200);
    assert_eq!(folder.read(&format!("dd/{name}")).as_deref(), Some("meta: {name: long}\n"));
    let left: Vec<_> = fs::read_dir(folder.path("dd")).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_file_is_not_served_by_two_names() {
    let folder = folder();
    folder.write("dd/app.yaml", TEXT.as_bytes());
    let said = folder.run("serve --adapter simulator --state-folder states --app site dd dd/app.yaml");
    assert!(
        said.code == 1 && said.err.contains("`dd/app.yaml` cannot be served: it is served as `dd` as well"),
        "{}",
        said.err
    );
}

/// Two servers and an editor write one file: each text that was accepted was there, and none is mixed of two.
#[test]
fn servers_on_one_folder_do_not_mix_their_writes() {
    let folder = folder();
    folder.write("dd/app.yaml", TEXT.as_bytes());
    let servers = [Files::start(&folder, "dd"), Files::start(&folder, "dd")];
    let path = folder.path("dd/app.yaml");
    let accepted: usize = thread::scope(|scope| {
        let writers = servers.iter().enumerate().map(|(server, files)| {
            scope.spawn(move || {
                (0..100)
                    .filter(|round| {
                        let text = format!("meta: {{name: server-{server}}}\n# {}\n", "s".repeat(round * 37));
                        files.put("app.yaml", &files.etag("app.yaml"), &text).status == 200
                    })
                    .count()
            })
        });
        let writers: Vec<_> = writers.collect();
        for round in 0..100 {
            let new = folder.path(&format!("dd/.editor-{round}"));
            fs::write(&new, format!("meta: {{name: editor}}\n# {}\n", "e".repeat(round * 53)))
                .expect("written");
            fs::rename(&new, &path).expect("replaced");
            let text = fs::read_to_string(&path).expect("it is always there");
            let letters: std::collections::BTreeSet<char> =
                text.lines().nth(1).unwrap_or_default().trim_start_matches("# ").chars().collect();
            assert!(letters.len() <= 1 && text.ends_with('\n'), "{text}");
        }
        writers.into_iter().map(|it| it.join().expect("no panic")).sum()
    });
    assert!(accepted > 0);
    let left = fs::read_dir(folder.path("dd")).expect("a folder").flatten().count();
    assert_eq!(left, 1, "nothing unfinished stays");
}
