//! Keep in sync: the changes that it reverts, and the actions that it leaves to an apply.

use ui::views::live::{Doing, Fault};
use web::apply::message::Request;

use crate::{Browser, Page, SHOP};

fn remove(page: &Page, address: &str) {
    page.session.receive(Request::Inject { fault: Fault::Remove, address: address.into() });
    page.time.advance(5_000);
}

#[test]
fn what_a_watch_has_restored_is_listed() {
    let page = Browser::new().page(SHOP);
    page.apply();
    page.rest();
    page.session.receive(Request::Watch(true));
    page.time.advance(3_000);
    let live = page.live();
    assert_eq!((live.doing, &*live.restored, &*live.waiting), (Doing::Watching, "", ""));
    remove(&page, "services.web");
    assert_eq!(page.live().restored, "Restored services.web.");
    remove(&page, "services.db");
    assert_eq!(page.live().restored, "Restored services.db, services.web.");
    remove(&page, "services.web");
    assert_eq!(page.live().note, "services.web was restored once: the next time is in 10 s.");
    page.time.advance(12_000);
    assert_eq!(page.live().restored, "Restored services.web (2 times), services.db.");
    page.session.receive(Request::Watch(false));
    page.rest();
    assert_eq!(page.live().restored, "Restored services.web (2 times), services.db.", "it can still be read");
    page.session.receive(Request::Watch(true));
    page.time.advance(3_000);
    assert_eq!(page.live().restored, "", "of an earlier watch");
}

const KEPT: &str = "
meta: {name: shop}
payloads:
  p: {runtime: vm, params: {image_hash: abc}}
  q: {runtime: vm, params: {image_hash: abc}}
services:
  db: {payload: p, labels: {tier: one}}
  log: {payload: p}
  page: {payload: q}
  web: {payload: p}
";

#[test]
fn a_watch_names_what_waits_for_an_apply_and_does_none_of_it() {
    let page = Browser::new().page(KEPT);
    page.apply();
    page.rest();
    let changed = KEPT.replace("one", "two").replace("  web:", "  mail:");
    let changed = changed.replace(
        "q: {runtime: vm, params: {image_hash: abc}}",
        "q: {runtime: vm, params: {image_hash: def}}",
    );
    page.describe(2, &changed);
    let waits = (1, 2, 1, 1);
    assert_eq!(page.summary(), waits);
    page.session.receive(Request::Watch(true));
    page.time.advance(3_000);
    let waiting = "Only drift is restored. Apply to destroy services.web; to rebuild services.page; to update services.db; \
                   to create services.mail.";
    assert_eq!((page.live().doing, &*page.live().waiting), (Doing::Watching, waiting));
    remove(&page, "services.log");
    assert_eq!(page.live().restored, "Restored services.log.");
    page.session.receive(Request::Watch(false));
    page.rest();
    assert_eq!((page.summary(), &*page.live().waiting), (waits, ""));
}
