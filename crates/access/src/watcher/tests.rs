use serde_json::json;

use super::*;

fn device(name: &str, version: u64) -> Value {
    json!({"name": name, "metadata": {"resourceVersion": version.to_string()}})
}

fn current(devices: &[(&str, u64)], token: &str) -> Value {
    let changes: Vec<Value> = devices
        .iter()
        .map(|(name, version)| json!({"current": {"device": device(name, *version)}}))
        .collect();
    json!({"deviceChanges": changes, "isCurrent": true, "resumeToken": token})
}

fn removed(name: &str) -> Value {
    json!({"deviceChanges": [{"removed": {"name": name}}], "isCurrent": true, "resumeToken": "r"})
}

/// In sync, with a device that both queries have.
fn in_sync() -> Watcher<&'static str> {
    let mut watcher = Watcher::new(["old", "loud"], 30_000);
    assert_eq!(watcher.receive(0, 0, &current(&[("a", 1), ("b", 2)], "1")), []);
    let all = vec![device("a", 1), device("b", 2), device("c", 3)];
    assert_eq!(watcher.receive(0, 1, &current(&[("b", 2), ("c", 3)], "2")), [WatcherEvent::Resync(all)]);
    watcher
}

#[test]
fn a_resource_is_there_as_long_as_any_query_selects_it() {
    let mut watcher = in_sync();
    assert_eq!(watcher.receive(0, 0, &removed("b")), []);
    assert_eq!(watcher.receive(0, 1, &removed("b")), [WatcherEvent::Removed("b".into())]);
    assert_eq!(watcher.receive(0, 0, &current(&[("c", 9)], "3")), [WatcherEvent::Changed(device("c", 9))]);
    assert_eq!(watcher.receive(0, 1, &current(&[("c", 8)], "4")), [], "an older version is no news");
}

#[test]
fn only_what_is_complete_counts() {
    let mut watcher = in_sync();
    let half = json!({"deviceChanges": [{"current": {"device": device("d", 4)}}]});
    assert_eq!(watcher.receive(0, 0, &half), []);
    watcher.disconnected(0, Millis(0));
    assert_eq!(watcher.resume_token(0), Some("1"));
    assert_eq!(watcher.receive(0, 0, &json!({"isCurrent": true})), [], "the half was dropped");
}

#[test]
fn the_deadline_decides_whether_a_disconnection_is_noticed() {
    let mut watcher = in_sync();
    watcher.disconnected(0, Millis(1000));
    assert_eq!(watcher.tick(Millis(31_000)), []);
    assert_eq!(watcher.receive(0, 0, &current(&[("d", 4)], "3")), [WatcherEvent::Changed(device("d", 4))]);
    assert_eq!(watcher.tick(Millis(90_000)), []);
    watcher.disconnected(0, Millis(100_000));
    watcher.disconnected(1, Millis(110_000));
    assert_eq!(watcher.tick(Millis(130_001)), [WatcherEvent::LostSync]);
    assert_eq!(watcher.tick(Millis(190_000)), [], "it is said once");
    assert_eq!(watcher.receive(0, 0, &removed("a")), [], "the other one is not connected yet");
    let all = vec![device("b", 2), device("c", 3), device("d", 4)];
    assert_eq!(watcher.receive(0, 1, &json!({"isCurrent": true})), [WatcherEvent::Resync(all)]);
}

#[test]
fn a_hard_reset_before_the_deadline_is_only_its_differences() {
    let mut watcher = in_sync();
    watcher.disconnected(0, Millis(0));
    assert_eq!(watcher.receive(0, 0, &json!({"isHardReset": true})), []);
    let events = [WatcherEvent::Removed("a".into()), WatcherEvent::Changed(device("e", 5))];
    assert_eq!(watcher.receive(0, 0, &current(&[("b", 2), ("e", 5)], "5")), events);
}

#[test]
fn queries_can_be_changed() {
    let mut watcher = in_sync();
    assert_eq!(watcher.set_queries(["loud", "new"]), []);
    assert_eq!((watcher.version(), watcher.resume_token(0), watcher.resume_token(1)), (1, Some("2"), None));
    assert_eq!(watcher.receive(0, 1, &removed("c")), [], "a message of a former query");
    let events = [WatcherEvent::Removed("a".into()), WatcherEvent::Changed(device("f", 6))];
    assert_eq!(watcher.receive(1, 1, &current(&[("f", 6)], "6")), events);
}
