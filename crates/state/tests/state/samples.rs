//! Samples for tests of states.

use std::collections::BTreeSet;

use futures::executor::block_on;
use http::Request;
use planloom_state::{
    Change, Snapshot,
    testing::{Fault, LeapingTimer, SeededRandom, TerraformServer, commits, entry},
};
use protocol::Transport;
use runtime::Timer;

#[test]
fn a_seed_gives_the_numbers_of_splitmix64() {
    // The numbers of its reference implementation.
    let random = SeededRandom::new(1_234_567);
    let numbers = [(); 5].map(|()| random.next());
    assert_eq!(
        numbers,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821
        ]
    );
}

#[test]
fn commits_are_of_all_sorts_and_entries_say_who_made_them() {
    let commits = commits(&Snapshot::new("shop", "l"), 60, 1);
    let sort = |change: &Change| match change {
        Change::Put(..) => "put",
        Change::Remove(_) => "remove",
        Change::Begin(_) => "begin",
        Change::Settle(_) => "settle",
    };
    let all: Vec<&str> = commits.iter().flat_map(|(commit, _)| commit.changes.iter().map(sort)).collect();
    assert_eq!(BTreeSet::from_iter(all.iter().copied()).len(), 4);
    let count = |of: &str| all.iter().filter(|it| **it == of).count();
    assert!(count("put") > count("remove") && count("put") > count("begin"), "most of them put something");
    let made = entry("web").adapter.unwrap_or_default();
    assert_eq!((&*made.instance, &*made.name), ("made web", "sample"));
}

#[test]
fn a_timer_leaps_and_never_goes_back() {
    let timer = LeapingTimer::at(5);
    for (to, shown) in [(5, 5), (9, 9), (7, 9)] {
        block_on(timer.sleep_until(store::Millis(to)));
        assert_eq!(timer.now().0, shown);
    }
}

#[test]
fn a_server_cuts_answers_in_half_and_keeps_strangers_out() {
    let server = TerraformServer::default();
    server.keep("/shop", "0123456789");
    let send = |method: &str, path: &str, body: &str| {
        let request = Request::builder().method(method).uri(path).body(body.as_bytes().to_vec());
        let answer = block_on(server.send(request.expect("a request"))).expect("an answer");
        (answer.status().as_u16(), String::from_utf8_lossy(answer.body()).into_owned())
    };
    server.faults([Some(Fault::Cut)]);
    assert_eq!(send("GET", "/shop", ""), (200, "01234".to_owned()));
    let ada = r#"{"ID":"ada"}"#;
    assert_eq!(send("LOCK", "/shop", ada).0, 200);
    assert_eq!(send("UNLOCK", "/shop", r#"{"ID":"bob"}"#), (409, ada.to_owned()));
    let digest = "eB5eJF1ptWaXm4bijSPyxw==";
    let write = |id: &str| {
        let request = Request::post(format!("/shop?ID={id}")).header("content-md5", digest);
        let answer = server.send(request.body(b"0123456789".to_vec()).expect("a request"));
        block_on(answer).expect("an answer").status().as_u16()
    };
    assert_eq!((write("bob"), write("ada")), (423, 200));
}
