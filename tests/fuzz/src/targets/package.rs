//! Any bytes can be given as a package, and what is read can be written and read again.

use syntax::package::{PackageFile, PackageLimits, read, write};

const LIMITS: PackageLimits = PackageLimits { entries: 50, total_bytes: 1 << 20, ratio: 50 };

pub(crate) fn run() {
    let file = |name: &str, text: &str| PackageFile { name: name.to_owned(), text: text.to_owned() };
    let seeds = [
        write(&[]),
        write(&[file("a.yaml", "a: 1\n")]),
        write(&[
            file("a.yaml", "a: 1\n"),
            file("b.YML", &"x".repeat(300)),
            file("docs/c.yaml", ""),
            file("é.yml", "é"),
        ]),
    ];
    let words = [
        "PK\u{1}\u{2}",
        "PK\u{3}\u{4}",
        "PK\u{5}\u{6}",
        "PK\u{6}\u{6}",
        "../",
        "\\",
        "/",
        "C:",
        ".yaml",
        ".yml",
    ];
    crate::fuzz("package", check, &seeds, &words);
}

fn check(input: &[u8]) {
    let package = match read(input, &LIMITS) {
        Ok(package) => package,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let total: usize = package.files.iter().map(|it| it.text.len()).sum();
    assert!(total as u64 <= LIMITS.total_bytes);
    assert!(package.files.len() + package.ignored.len() <= LIMITS.entries);
    assert!(package.files.is_sorted_by(|a, b| a.name < b.name));
    for file in &package.files {
        assert!(!file.name.contains(['/', '\\', '\0']) && file.name != "..");
    }
    let lenient = PackageLimits { ratio: u64::MAX, ..PackageLimits::default() };
    assert_eq!(read(&write(&package.files), &lenient).expect("a package").files, package.files);
}
