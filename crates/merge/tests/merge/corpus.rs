//! Real descriptors, where they are at hand.

use std::{fs, path::PathBuf};

use diag::{FileId, Severity};
use planloom_merge::{Layer, merge};
use types::Types;

fn folder() -> PathBuf {
    let shared = std::env::var("PLANLOOM_SHARED")
        .map_or_else(|_| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    shared.join("data/golem")
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn real_descriptors_merge_with_hints_only() {
    let Ok(files) = fs::read_dir(folder()) else {
        eprintln!("skipped: no descriptors in {}", folder().display());
        return;
    };
    let mut count = 0;
    for path in
        files.flatten().map(|file| file.path()).filter(|path| path.extension().is_some_and(|it| it == "yaml"))
    {
        let text = fs::read_to_string(&path).expect("a text");
        let root = syntax::parse(FileId(0), &text, &syntax::Limits::default()).document.root;
        let (merged, diagnostics) = merge(&[Layer::new(root, None)], &Types::builtin());
        for it in &diagnostics {
            assert_eq!(
                (it.severity, it.code.as_str()),
                (Severity::Hint, "merge/other-spelling"),
                "{}: {it:?}",
                path.display()
            );
        }
        assert!(merged.root.get("nodes").is_none(), "{}", path.display());
        assert!(merged.history.is_empty(), "{}", path.display());
        count += 1;
    }
    assert!(count > 0, "no descriptors in {}", folder().display());
}
