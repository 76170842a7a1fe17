//! Parts of the protocol of copies that an exploration does not show: time, and versions.

use regions::copies::{Changes, Copies, Limits, Page, Reader, Reply, Request, Resync, VersionSets, Versions};
use simulation::copies::{OWNER, ReaderNode};

const LIMITS: Limits = Limits { tombstones: 1, copies: 1, patience: 1_000 };

type Sent = Vec<Request<u8>>;

const fn changes(after: u64, upto: u64) -> Reply<u8, u8> {
    Reply::Changes(Changes { after, upto, changes: Vec::new() })
}

/// The requests at some times, in milliseconds, after messages that came at others.
fn requests(messages: &[(i64, Reply<u8, u8>)], at: i64) -> Sent {
    let (mut node, mut reader) = (ReaderNode::new(1, LIMITS), Reader::new(OWNER, LIMITS, 0));
    assert_eq!(reader.requests(&node.progress(&OWNER), 0), [Request::Watch { after: 0 }]);
    for (now, message) in messages {
        reader.take(&mut node, message, *now);
    }
    reader.requests(&node.progress(&OWNER), at)
}

#[test]
fn a_request_is_sent_again_when_nothing_comes() {
    assert_eq!(requests(&[], 999), []);
    assert_eq!(requests(&[], 1_000), [Request::Watch { after: 0 }]);
    assert_eq!(requests(&[(900, changes(0, 3))], 1_899), []);
    assert_eq!(requests(&[(900, changes(0, 3))], 1_900), [Request::Watch { after: 3 }]);
}

#[test]
fn missing_changes_are_requested_at_once() {
    assert_eq!(requests(&[(10, changes(0, 3)), (20, changes(4, 5))], 20), [Request::Watch { after: 3 }]);
}

#[test]
fn the_next_page_is_requested_at_once() {
    let resync = Reply::Resync(Resync { asked: 0, at: 5 });
    let page = Reply::Page(Page { after: None, upto: Some(1), at: 5, resources: [].into() });
    let next = Request::Page { after: Some(1) };
    assert_eq!(requests(&[(10, resync.clone())], 10), [Request::Page { after: None }]);
    assert_eq!(requests(&[(10, resync.clone()), (20, page.clone())], 20), vec![next.clone()]);
    let doubled = [(10, resync), (20, page.clone()), (30, page)];
    assert_eq!(requests(&doubled, 1_000), [Request::Watch { after: 5 }, next]);
}

#[test]
fn versions_say_which_copies_differ() {
    let mut sets = VersionSets::default();
    for key in ["a", "b", "c"] {
        sets.set_source(&key, 2);
        sets.set_copy(&key, 2);
    }
    assert!(sets.are_equal());
    sets.set_source(&"a", 3);
    sets.set_source(&"c", 0);
    let (old, superfluous) = (Versions { source: 3, copy: 2 }, Versions { source: 0, copy: 2 });
    assert_eq!(sets.differing(None).collect::<Vec<_>>(), [(&"a", old), (&"c", superfluous)]);
    assert_eq!(sets.differing(Some(&"a")).collect::<Vec<_>>(), [(&"c", superfluous)]);
    sets.set_copy(&"a", 3);
    sets.set_copy(&"c", 0);
    assert!(sets.are_equal());
}
