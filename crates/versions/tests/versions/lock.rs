//! A lock that was changed after it was written is refused.

use planloom_versions::{Questions as _, REGISTRATION, Versions};
use workspace::{File, PlanOptions, Workspace};

const APP: &str = "\
meta: {name: shop}
payloads: {queue: {runtime: vm, package: {name: queue}}}
services: {orders: {payload: queue}}
";
const CATALOG: &str = "\
schema: olm.package
name: queue
defaultChannel: stable
---
schema: olm.channel
package: queue
name: stable
entries: [{name: queue.v1.0.0}]
---
schema: olm.bundle
package: queue
name: queue.v1.0.0
image: registry.example/queue@sha256:77
properties:
- {type: olm.package, value: {packageName: queue, version: 1.0.0}}
- {type: example.port, value: 5671}
- {type: example.share, value: 0.5}
- {type: example.words, value: {'yes': 'no', text: '1:30'}}
";

fn file(name: &str, text: &str) -> File {
    File { name: name.into(), text: text.into(), package: None }
}

fn workspace(files: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::with(&[&REGISTRATION]);
    workspace.load(Box::new(Versions::default()));
    workspace.set_files(files.iter().map(|(name, text)| file(name, text)).collect());
    workspace
}

fn written() -> String {
    workspace(&[("app.yaml", APP), ("catalog.yaml", CATALOG)]).lock().expect("a version is chosen")
}

/// The digest of the plan with a lock, and the codes of the diagnostics.
fn planned(lock: &str) -> (String, Vec<String>) {
    let mut workspace = workspace(&[("app.yaml", APP), ("planloom.lock", lock)]);
    let plan = workspace.plan(&PlanOptions::default());
    let codes = workspace.diagnostics().diagnostics.into_iter().map(|it| it.code).collect();
    (plan.digest, codes)
}

#[test]
fn lock_files_are_used_unchanged() {
    assert!(written().contains("checksum: sha256:"), "{}", written());
    assert_eq!(planned(&written()).1, [""; 0]);
    let without = written().lines().filter(|it| !it.contains("checksum:")).collect::<Vec<_>>().join("\n");
    assert_eq!(planned(&without).1, ["versions/lock-unchecked"], "people write locks, too");
}

/// The written lock with an entry `beam`, of which `queue` requires that it is locked, or with a part of it taken away.
#[test]
fn what_is_taken_out_of_a_lock_is_noticed() {
    let catalog = format!(
        "{}{{type: olm.package.required, value: {{packageName: beam, versionRange: '>=2.0.0'}}}}\n---\n{}",
        CATALOG.to_owned() + "- ",
        CATALOG.replace("queue", "beam").replace("1.0.0", "2.0.0")
    );
    let lock =
        workspace(&[("app.yaml", APP), ("catalog.yaml", &catalog)]).lock().expect("versions are chosen");
    assert_eq!(planned(&lock).1, [""; 0], "{lock}");
    let (beam, queue) =
        (lock.find("  beam:").expect("it is locked"), lock.find("  queue:").expect("it is locked"));
    let without_beam = lock[..beam].to_owned() + &lock[queue..];
    assert_eq!(planned(&without_beam).1, ["versions/lock-incomplete"], "{without_beam}");
    let end = lock.rfind("    checksum:").expect("the last line");
    let other = lock[..end].replace("registry.example/queue@sha256:77", "registry.example/evil@sha256:77");
    assert!(planned(&other).1.contains(&"versions/lock-changed".to_owned()), "{other}");
}

#[test]
fn a_wrong_bit_of_a_lock_is_detected() {
    let lock = written();
    let (digest, _) = planned(&lock);
    for bit in 0..lock.len() * 8 {
        let mut bytes = lock.clone().into_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        // A host refuses invalid UTF-8.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let (changed, codes) = planned(&text);
        assert!(changed == digest || !codes.is_empty(), "bit {bit}:\n{text}");
    }
}

#[test]
fn a_changed_image_is_reported() {
    for other in ["registry.example/queue@sha256:76", "registry.example/other@sha256:77"] {
        let lock = written().replace("registry.example/queue@sha256:77", other);
        let (_, codes) = planned(&lock);
        assert!(codes.contains(&"versions/lock-changed".to_owned()), "{codes:?}");
    }
}
