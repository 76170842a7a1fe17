//! The contents of packages, and the packages that are refused.

use std::io::{Cursor, Write};

use planloom_syntax::package::{Package, PackageError, PackageFile, PackageLimits, read, write};
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        if name.ends_with('/') {
            writer.add_directory(*name, SimpleFileOptions::default()).unwrap();
            continue;
        }
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[track_caller]
fn check(entries: &[(&str, &[u8])], files: &[&str], ignored: &[&str]) {
    let package = read(&archive(entries), &PackageLimits::default()).unwrap();
    assert_eq!(package.files.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), files);
    assert_eq!(package.ignored, ignored);
    for file in &package.files {
        let content = entries.iter().find(|(name, _)| *name == file.name).unwrap().1;
        assert_eq!(file.text.as_bytes(), content);
    }
}

#[track_caller]
fn check_refused(bytes: &[u8], limits: &PackageLimits, expected: PackageError) {
    let error = read(bytes, limits).unwrap_err();
    assert_eq!(error, expected);
    assert!(error.to_string().starts_with(|it: char| it.is_lowercase()));
}

/// Replaces every occurrence of some bytes.
fn patch(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> =
        bytes.windows(from.len()).enumerate().filter(|it| it.1 == from).map(|it| it.0).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
}

/// The header fields of every entry, at their places in the local and the central header.
fn patch_headers(bytes: &mut [u8], local: usize, central: usize, value: &[u8]) {
    let mut patched = 0;
    for at in 0..bytes.len() - 4 {
        let field = match &bytes[at..at + 4] {
            b"PK\x03\x04" => local,
            b"PK\x01\x02" => central,
            _ => continue,
        };
        bytes[at + field..at + field + value.len()].copy_from_slice(value);
        patched += 1;
    }
    assert!(patched >= 2);
}

#[test]
fn only_yaml_files_in_the_root_count() {
    check(
        &[
            ("svc.yml", b"b: 1"),
            ("net.YAML", b"a: \xc3\xa9"),
            ("docs/", b""),
            ("docs/extra.yaml", b"c: 1"),
            ("README.md", b"\xff"),
            ("._svc.yml", b"\0"),
            (".yaml", b"hidden"),
            ("ünï.yaml", b""),
        ],
        &["net.YAML", "svc.yml", "ünï.yaml"],
        &["._svc.yml", ".yaml", "README.md", "docs/extra.yaml"],
    );
    check(&[("app/a.yaml", b"a: 1")], &[], &["app/a.yaml"]);
    check(&[], &[], &[]);
}

#[test]
fn links_do_not_count() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("a.yaml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    let ignored = Package { files: Vec::new(), ignored: vec!["a.yaml".to_owned()] };
    assert_eq!(read(&bytes, &PackageLimits::default()), Ok(ignored.clone()));
    // Whatever system is named as the one that made the archive.
    patch(&mut bytes, b"PK\x01\x02\x0a\x03", b"PK\x01\x02\x0a\x00");
    assert_eq!(read(&bytes, &PackageLimits::default()), Ok(ignored));
}

#[test]
fn names_that_lead_out_are_refused() {
    let hostile = ["../x.yaml", "a/../../x.yaml", "/x.yaml", "..\\x.yaml", "C:x.yaml", "a/.."];
    let odd = ["a\0.yaml", "a\nb.yaml", "\u{1b}[1m.yaml", ".\u{85}"];
    let hostile = hostile.map(|name| (name, PackageError::UnsafeName(name.replace('\\', "/"))));
    let odd = odd.map(|name| (name, PackageError::OddName(name.to_owned())));
    for (name, expected) in hostile.into_iter().chain(odd) {
        // The writer would tidy some of these names, so they are patched in.
        let placeholder = "p".repeat(name.len());
        let mut bytes = archive(&[("ok.yaml", b"a: 1"), (&placeholder, b"a: 1")]);
        patch(&mut bytes, placeholder.as_bytes(), name.as_bytes());
        check_refused(&bytes, &PackageLimits::default(), expected);
    }
}

#[test]
fn bombs_are_refused() {
    let zeros = vec![b' '; 1 << 20];
    let bytes = archive(&[("a.yaml", &zeros)]);
    let limits = PackageLimits::default();
    check_refused(&bytes, &limits, PackageError::SuspiciousRatio("a.yaml".to_owned()));
    let lenient = PackageLimits { ratio: 100_000, ..limits };
    assert_eq!(read(&bytes, &lenient).unwrap().files[0].text.len(), 1 << 20);
    check_refused(&bytes, &PackageLimits { total_bytes: (1 << 20) - 1, ..lenient }, PackageError::TooLarge);
    // Several entries count together; entries that do not count are not unpacked.
    let half = &zeros[..1 << 19];
    let bytes = archive(&[("a.yaml", half), ("b.yaml", half), ("c.bin", &zeros)]);
    assert!(read(&bytes, &PackageLimits { total_bytes: 1 << 20, ..lenient }).is_ok());
    check_refused(&bytes, &PackageLimits { total_bytes: (1 << 20) - 1, ..lenient }, PackageError::TooLarge);
    check_refused(&bytes, &PackageLimits { entries: 2, ..limits }, PackageError::TooManyEntries(3));
}

#[test]
fn sizes_that_lie_do_not_help() {
    let zeros = vec![b' '; 1 << 20];
    let mut bytes = archive(&[("a.yaml", &zeros)]);
    patch_headers(&mut bytes, 22, 24, &10_u32.to_le_bytes());
    let error = read(&bytes, &PackageLimits::default()).unwrap_err();
    assert!(matches!(error, PackageError::SuspiciousRatio(_) | PackageError::Damaged(_)), "{error}");
    // A huge packed size does not raise what the ratio allows.
    let mut bytes = archive(&[("a.yaml", &zeros)]);
    patch_headers(&mut bytes, 18, 20, &0x7fff_ffff_u32.to_le_bytes());
    assert!(read(&bytes, &PackageLimits::default()).is_err());
    // Nothing is reserved for what only the archive claims.
    let mut bytes = archive(&[("a.yaml", b"a: 1")]);
    patch_headers(&mut bytes, 22, 24, &0x7fff_ffff_u32.to_le_bytes());
    check_refused(&bytes, &PackageLimits::default(), PackageError::Damaged("a.yaml".to_owned()));
}

#[test]
fn encrypted_entries_are_refused() {
    let mut bytes = archive(&[("a.yaml", b"a: 1")]);
    patch_headers(&mut bytes, 6, 8, &[1, 0]);
    check_refused(&bytes, &PackageLimits::default(), PackageError::Encrypted("a.yaml".to_owned()));
}

#[test]
fn duplicates_are_refused() {
    let mut bytes = archive(&[("a.yaml", b"a: 1"), ("b.yaml", b"a: 2")]);
    patch(&mut bytes, b"b.yaml", b"a.yaml");
    check_refused(&bytes, &PackageLimits::default(), PackageError::Duplicate("a.yaml".to_owned()));
}

#[test]
fn broken_archives_are_refused() {
    let limits = PackageLimits::default();
    check_refused(b"", &limits, PackageError::NotAZip);
    check_refused(b"a: 1\n", &limits, PackageError::NotAZip);
    let whole = archive(&[("a.yaml", b"a: 1")]);
    check_refused(&whole[..whole.len() - 10], &limits, PackageError::NotAZip);
    let mut fewer = whole.clone();
    patch(&mut fewer, &[1, 0, 1, 0], &[2, 0, 2, 0]);
    check_refused(&fewer, &limits, PackageError::NotAZip);
    check_refused(&archive(&[("a.yaml", b"\xff\xfe")]), &limits, PackageError::NotText("a.yaml".to_owned()));
    let mut bytes = archive(&[("a.yaml", b"a: 1")]);
    patch_headers(&mut bytes, 8, 10, &[14, 0]);
    check_refused(&bytes, &limits, PackageError::UnknownPacking("a.yaml".to_owned()));
    let mut bytes = archive(&[("a.yaml", b"a: 1")]);
    patch_headers(&mut bytes, 14, 16, &[1, 2, 3, 4]);
    check_refused(&bytes, &limits, PackageError::Damaged("a.yaml".to_owned()));
}

#[test]
fn uncompressed_entries_are_read() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("a.yaml", stored).unwrap();
    writer.write_all(b"a: 1").unwrap();
    let package = read(&writer.finish().unwrap().into_inner(), &PackageLimits::default()).unwrap();
    assert_eq!(package.files[0].text, "a: 1");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn packages_round_trip(texts in prop::collection::btree_map("[a-zé]{1,6}\\.(yaml|YML)", any::<String>(), 0..5)) {
        let mut files: Vec<PackageFile> =
            texts.into_iter().map(|(name, text)| PackageFile { name, text }).collect();
        let bytes = write(&files);
        let package = read(&bytes, &PackageLimits::default()).unwrap();
        prop_assert_eq!(&package.files, &files);
        prop_assert!(package.ignored.is_empty());
        files.reverse();
        prop_assert_eq!(write(&files), bytes);
    }

    #[test]
    fn damaged_bytes_never_panic(at in 0_usize..400, byte in any::<u8>(), cut in 0_usize..400) {
        let mut bytes = archive(&[("a.yaml", b"a: 1"), ("b/c.yaml", b"x"), ("long.yml", &[b'x'; 100])]);
        let len = bytes.len();
        bytes[at % len] = byte;
        let _ = read(&bytes, &PackageLimits::default());
        let _ = read(&bytes[..cut % len], &PackageLimits::default());
    }
}
