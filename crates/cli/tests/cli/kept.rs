//! The resources of served services outlive the process: in a file and in etcd, whenever it is killed.

mod client;
mod server;
mod writer;

use std::{
    collections::BTreeMap,
    fs,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::run::Folder;
use client::Client;
use server::{Etcd, Server, library, refused};
use writer::{Random, World, Writer};

/// The minimum numbers of requests that are answered and of times that the server is killed.
const REQUESTS: usize = 10_000;
const KILLS: usize = 10;
const WRITERS: usize = 8;

/// The stored resources, by publisher.
fn worlds(client: &mut Client) -> BTreeMap<String, World> {
    let mut worlds = BTreeMap::new();
    for publisher in client.all("/v1/publishers", "publishers") {
        let name = publisher["name"].as_str().expect("a name").to_owned();
        worlds.insert(name, World { publisher: true, books: BTreeMap::new() });
    }
    for book in client.all("/v1/books", "books") {
        let text = |field: &str| book[field].as_str().expect("a text").to_owned();
        let world = worlds.get_mut(&text("publisher")).expect("a book has its publisher");
        world.books.insert(text("name").trim_start_matches("books/").to_owned(), text("title"));
    }
    worlds
}

/// Lets all write, and kills the server when so many requests are answered.
fn write_until_killed(
    server: &mut Server,
    writers: &mut [Writer],
    answered: usize,
    random: &mut Random,
) -> usize {
    let count = AtomicUsize::new(0);
    let pause = Duration::from_micros(random.below(3000));
    let port = server.port;
    thread::scope(|scope| {
        for writer in writers {
            let count = &count;
            scope.spawn(move || writer.write(port, count));
        }
        let start = Instant::now();
        while count.load(Ordering::Relaxed) < answered {
            assert!(start.elapsed() < Duration::from_secs(60), "nothing is answered any more");
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(pause);
        server.kill();
    });
    count.into_inner()
}

/// A server that is killed again and again has everything that it has answered, and nothing by halves.
#[expect(clippy::print_stdout, reason = "figures")]
fn survive(folder: &Folder, store: &str, seed: u64) {
    let (start, mut random) = (Instant::now(), Random(seed));
    let mut writers: Vec<_> = (0..WRITERS).map(|number| Writer::new(number, seed)).collect();
    let mut server = Server::start(folder, &format!("--store {store}"));
    let (mut answered, mut kills, mut executed, mut lost, mut newest) = (0, 0, 0, 0, 0);
    while answered < REQUESTS || kills < KILLS {
        let next = 300 + random.below(1200) as usize;
        answered += write_until_killed(&mut server, &mut writers, next, &mut random);
        kills += 1;
        server = Server::start(folder, &format!("--store {store}"));
        let mut found = worlds(&mut server.client());
        for writer in &mut writers {
            match writer.check(found.remove(&writer.publisher()).unwrap_or_default()) {
                Some(true) => executed += 1,
                Some(false) => lost += 1,
                None => {}
            }
        }
        assert!(found.is_empty(), "seed {seed}: nobody has written {found:?}");
        newest = check_versions(&mut writers, newest);
    }
    println!(
        "{answered} requests answered, {kills} kills; of those without an answer {executed} were executed, \
         {lost} not; {:.1} s, seed {seed}",
        start.elapsed().as_secs_f64()
    );
}

/// No version is given twice, and those after a restart are greater than those before.
fn check_versions(writers: &mut [Writer], newest: u64) -> u64 {
    let mut all: Vec<u64> = writers.iter_mut().flat_map(|it| std::mem::take(&mut it.versions)).collect();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "a version is given twice");
    assert!(all.first().is_none_or(|it| *it > newest), "{:?} after {newest}", all.first());
    all.last().copied().unwrap_or(newest)
}

#[test]
fn what_was_answered_survives_in_a_file() {
    survive(&library(), "store.db", 1);
}

#[test]
fn what_was_answered_survives_in_etcd() {
    let Some(etcd) = Etcd::start() else { return };
    survive(&library(), &etcd.place("planloom/kill"), 2);
}

/// Also what is not content: ids, versions, page tokens and what deletions left to do.
fn goes_on(store: &str) {
    let folder = library();
    let words = format!("--store {store} ");
    let mut server = Server::start(&folder, &words);
    let mut client = server.client();
    let created: Vec<_> = (0..5)
        .map(|it| client.must("POST", "/v1/publishers", Some(&json!({"name": format!("publishers/p{it}")}))))
        .collect();
    client.must("POST", "/v1/books", Some(&json!({"name": "books/b1", "title": "One"})));
    client.must("DELETE", "/v1/publishers/p4", None);
    client.must("POST", "/v1/books", Some(&json!({"name": "books/b2", "title": "Two"})));
    client.must("POST", "/v1/books/b2/chapters", Some(&json!({"name": "books/b2/chapters/c1"})));
    let page = client.must("GET", "/v1/publishers?pageSize=3", None);
    let token = page["nextPageToken"].as_str().expect("there is more");
    // Its chapter is deleted later.
    client.must("DELETE", "/v1/books/b2", None);
    server.kill();
    let mut server = Server::start(&folder, &words);
    let mut client = server.client();
    assert_eq!(client.must("GET", "/v1/publishers/p2", None), created[2]);
    let rest = client.must("GET", &format!("/v1/publishers?pageSize=3&pageToken={token}"), None);
    assert_eq!(rest["publishers"], json!([created[3]]), "{rest}");
    let start = Instant::now();
    while client.send("GET", "/v1/books/b2/chapters/c1", None).expect("a response").0 == 200 {
        assert!(start.elapsed() < Duration::from_secs(20), "what was left to do is not done");
    }
    let book = client.must("PUT", "/v1/books/b1", Some(&json!({"title": "Two"})));
    // Eight creations, two deletions, and the secret of page tokens come before it, and what was left to do.
    let version = book["metadata"]["resourceVersion"].as_str().and_then(|it| it.parse::<u64>().ok());
    assert!(version.is_some_and(|it| (12..16).contains(&it)), "{book}");
    assert_eq!(book["metadata"]["generation"], "2");
    assert!(server.interrupt(), "it ends well");
    let server = Server::start(&folder, &words);
    assert_eq!(server.client().must("GET", "/v1/books/b1", None), book);
}

#[test]
fn a_server_over_a_file_goes_on_where_it_was() {
    goes_on("folder/");
}

#[test]
fn a_server_over_etcd_goes_on_where_it_was() {
    let Some(etcd) = Etcd::start() else { return };
    goes_on(&etcd.place(""));
}

/// Its memory is out of date from then on: what it would answer may have been changed by the other one.
#[test]
fn a_server_that_another_one_has_superseded_answers_nothing_and_ends_its_watches() {
    let Some(etcd) = Etcd::start() else { return };
    let (folder, place) = (library(), etcd.place("planloom/superseded"));
    let words = format!("--store {place}");
    let first = Server::start(&folder, &words);
    first.client().must("POST", "/v1/publishers", Some(&json!({"name": "publishers/p1"})));
    let mut watch = first.client();
    watch.begin_watch("/v1/publishers:watch");
    let second = Server::start(&folder, &words);
    second.client().must("DELETE", "/v1/publishers/p1", None);
    let start = Instant::now();
    let problem = loop {
        let (status, body) = first.client().send("GET", "/v1/publishers/p1", None).expect("a response");
        if status != 200 {
            assert_eq!(status, 503, "{body}");
            break body;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "it still answers");
        thread::sleep(Duration::from_millis(50));
    };
    let detail = problem["detail"].as_str().expect("a text");
    assert!(detail.contains("another process has opened the store of this server since"), "{problem}");
    watch.wait_for_the_end();
    let (status, _) = first
        .client()
        .send("PUT", "/v1/publishers/p2?allowMissing=true", Some(&json!({})))
        .expect("a response");
    assert_eq!(status, 503);
    second.client().must("POST", "/v1/publishers", Some(&json!({"name": "publishers/p3"})));
}

/// Another server may have taken over meanwhile, and this one could not know.
#[test]
fn a_server_that_does_not_reach_etcd_stops_answering_within_its_lease_and_goes_on_afterwards() {
    let Some(etcd) = Etcd::start() else { return };
    let server = Server::start(&library(), &format!("--store {}", etcd.place("planloom/paused")));
    server.client().must("POST", "/v1/publishers", Some(&json!({"name": "publishers/p1"})));
    let wait_for = |expected: u16, most: Duration| {
        let start = Instant::now();
        while server.client().send("GET", "/v1/publishers/p1", None).expect("a response").0 != expected {
            assert!(start.elapsed() < most, "no {expected} within {most:?}");
            thread::sleep(Duration::from_millis(50));
        }
    };
    etcd.signal("-STOP");
    wait_for(503, Duration::from_secs(11));
    etcd.signal("-CONT");
    wait_for(200, Duration::from_secs(10));
}

#[test]
fn it_says_where_resources_are_kept() {
    let folder = library();
    assert!(Server::start(&folder, "").said["store"].is_null());
    fs::create_dir(folder.path("there")).expect("a folder");
    for (store, expected) in [("new/", "new/store.db"), ("there", "there/store.db"), ("x.db", "x.db")] {
        let server = Server::start(&folder, &format!("--store {store}"));
        let shown = server.said["store"].as_str().expect("a place").to_owned();
        assert_eq!(shown, expected);
        assert!(folder.path(expected).is_file());
    }
    let Some(etcd) = Etcd::start() else { return };
    let server = Server::start(&folder, &format!("--store {}", etcd.place("")));
    assert_eq!(server.said["store"], etcd.place("planloom/services"));
}

#[test]
fn a_store_that_cannot_be_used_is_reported() {
    let folder = library();
    folder.write("text.db", b"something else");
    folder.write("newer.db", b"planloom.store/2\n");
    let mut server = Server::start(&folder, "--store used.db");
    server.client().must("POST", "/v1/publishers", Some(&json!({"name": "publishers/pp"})));
    for (store, expected) in [
        ("used.db", "`used.db` is in use by process "),
        ("text.db", "`text.db` is not a store: it does not begin with `planloom.store/1`"),
        ("newer.db", "`newer.db` has a format of another version of planloom"),
        ("/dev/null", "it is neither a file nor a folder, but a special file"),
        ("none/store.db", "cannot open `none/store.db.lock`: No such file"),
        ("ftp://there", "`ftp` is no place for them: write a file, a folder, or `etcd://host:port/prefix`"),
        ("etcd:///prefix", "it names no member: write it as `etcd://host:port/prefix`"),
        ("etcd://127.0.0.1:9/shop", "etcd at http://127.0.0.1:9: "),
    ] {
        let run = refused(&folder, store);
        assert!(run.code == 1 && run.err.contains("error[host/store]"), "{store}: {}", run.err);
        let said = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&format!("resources cannot be kept in `{store}`: ")), "{store}: {said}");
        assert!(said.contains(expected), "{store}: {said}");
        assert!(said.contains("check the place that `--store` names"), "{store}: {said}");
    }
    let damaged = {
        server.kill();
        let mut bytes = fs::read(folder.path("used.db")).expect("it is there");
        let at = bytes.windows(12).position(|it| it == b"publishers/p").expect("it is there");
        bytes[at] ^= 1;
        bytes
    };
    folder.write("used.db", &damaged);
    let run = refused(&folder, "used.db");
    assert!(run.code == 1 && run.err.contains("`used.db` is damaged: the record at byte "), "{}", run.err);
    let run = folder.run("serve --store used.db");
    assert!(run.code != 0 && run.err.contains("--service <SPEC>"), "{}", run.err);
}
