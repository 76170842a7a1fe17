//! Services that end again and again while a watch restores them.

use std::{thread, time::Duration};

use crate::{
    apply::{Sleepers, watch_until},
    run::Watch,
};

const ONE: &str = "
meta: {name: one}
payloads: {p: {runtime: process, params: {command: [/bin/sleep, \"600\"]}}}
services: {a: {payload: p}}
";
const WATCH: &str = "app.yaml --state state.json --allow /bin/sleep";

fn shown(site: &Sleepers) -> String {
    site.folder().run("state show --state state.json").out
}

/// As lines of JSON, as text and in the state; and who watches next does not begin with restarts at once again.
#[test]
fn a_watch_says_when_it_restores_what_ends_again_and_the_next_one_waits_as_long() {
    let site = Sleepers::new(ONE);
    assert_eq!(site.run(&["apply"]).code, 0);
    assert!(!shown(&site).contains("restored"));
    let watch = Watch::start(site.folder(), WATCH);
    watch.until("planned");
    site.kill("services.a");
    while watch.until("finished")["summary"]["done"] != 1 {}
    site.kill("services.a");
    let paused = watch.until("back_off");
    let expected =
        serde_json::json!({"type": "back_off", "address": "services.a", "restarts": 1, "seconds": 10});
    assert_eq!(paused, expected);
    drop(watch);
    assert!(shown(&site).contains("  restored once, last 20"), "{}", shown(&site));

    let lines = watch_until(&site, &format!("watch {WATCH} --every 1"), "services.a: created");
    let waits = "services.a was restored once: the next time is in 10 s";
    assert_eq!(lines.iter().filter(|it| *it == waits).count(), 1, "{lines:#?}");
    assert!(shown(&site).contains("  restored 2 times in a row, last 20"), "{}", shown(&site));

    site.kill("services.a");
    let plan = "plan app.yaml --state state.json --allow /bin/sleep --refresh";
    while site.folder().run(plan).code != 2 {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(site.run(&["apply"]).code, 0);
    assert!(!shown(&site).contains("restored"), "an apply begins anew: {}", shown(&site));
}
