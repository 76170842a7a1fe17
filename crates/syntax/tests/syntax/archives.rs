//! Packages as crate `zip` writes and reads them, whole and damaged.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, Write};

use planloom_syntax::package::{Package, PackageError, PackageFile, PackageLimits, read, write};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use zip::write::{ExtendedFileOptions, FileOptions, SimpleFileOptions};
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// The entries of most archives here: files that count, then one in a folder and one that is not YAML.
const ENTRIES: [(&str, &[u8]); 5] = [
    ("a.yaml", b"a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1"),
    ("b.yml", b"x: y"),
    ("\u{fc}.yaml", b""),
    ("d/x.yaml", b"q"),
    ("r.md", b"\xff"),
];

fn expected() -> Package {
    let text = |it: &[u8]| String::from_utf8(it.to_vec()).unwrap();
    let file = |(name, it): &(&str, &[u8])| PackageFile { name: (*name).to_owned(), text: text(it) };
    Package {
        files: ENTRIES[..3].iter().map(file).collect(),
        ignored: ENTRIES[3..].iter().map(|it| it.0.to_owned()).collect(),
    }
}

/// The end of an archive.
#[derive(Clone, Copy)]
enum End {
    Plain,
    Comment,
    Zip64,
}

fn fill<W: Write + Seek>(mut writer: ZipWriter<W>, options: SimpleFileOptions, end: End) -> W {
    for (name, content) in ENTRIES {
        writer.start_file(name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    match end {
        End::Plain => {}
        End::Comment => writer.set_comment("packed by hand").unwrap(),
        End::Zip64 => writer.set_raw_zip64_extensible_data_sector((*b"more").into()),
    }
    writer.finish().unwrap()
}

/// Archives of the entries: stored and deflated, with and without zip64 sizes, with sizes before and behind the data.
fn forms(end: End) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        for is_large in [false, true] {
            let options = SimpleFileOptions::default().compression_method(method).large_file(is_large);
            forms.push(fill(ZipWriter::new(Cursor::new(Vec::new())), options, end).into_inner());
            forms.push(fill(ZipWriter::new_stream(Vec::new()), options, end).into_inner());
        }
    }
    forms
}

#[test]
fn what_others_write_is_read() {
    for end in [End::Plain, End::Comment, End::Zip64] {
        for bytes in forms(end) {
            assert_eq!(read(&bytes, &PackageLimits::default()), Ok(expected()));
        }
    }
}

#[test]
fn bytes_around_an_archive_do_not_count() {
    for bytes in forms(End::Plain).into_iter().chain(forms(End::Comment)) {
        let around = [b"#!/bin/sh\nexit\n", &*bytes, b"\n\n"].concat();
        assert_eq!(read(&around, &PackageLimits::default()), Ok(expected()));
    }
}

/// All that crate `zip` finds in an archive.
fn found(bytes: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut found = Vec::new();
    for idx in 0..archive.len() {
        let mut entry = archive.by_index(idx).unwrap();
        assert_eq!(entry.unix_mode(), Some(0o100_644));
        assert_eq!(entry.last_modified(), Some(DateTime::DEFAULT));
        assert_eq!(entry.compression(), CompressionMethod::Deflated);
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        found.push((entry.name().unwrap().into_owned(), text));
    }
    found
}

#[test]
fn what_is_written_does_not_change() {
    let file = |name: &str| PackageFile { name: name.into(), text: "a: 1\n".into() };
    let hex = |bytes: &[u8]| bytes.iter().map(|it| format!("{it:02x}")).collect::<String>();
    let bytes = hex(&write(&[file("\u{e9}.yml"), file("a.yml")]));
    expect_test::expect![[r#"

        504b030414000000080000002100691923e3070000000500000005000000612e796d6c4bb45230e40200
        504b030414000008080000002100691923e3070000000500000006000000c3a92e796d6c4bb45230e40200
        504b0102140314000000080000002100691923e30700000005000000050000000000000000000000a48100000000612e796d6c
        504b0102140314000008080000002100691923e30700000005000000060000000000000000000000a4812a000000c3a92e796d6c
        504b0506000000000200020067000000550000000000"#]].assert_eq(&bytes.replace("504b", "\n504b"));
    expect_test::expect!["504b0506000000000000000000000000000000000000"].assert_eq(&hex(&write(&[])));
}

#[test]
fn what_does_not_fit_is_left_out() {
    let file = |len| PackageFile { name: "n".repeat(len), text: String::new() };
    let names = found(&write(&[file(0xffff), file(0x1_0000)])).into_iter().map(|it| it.0.len());
    assert_eq!(names.collect::<Vec<_>>(), [0xffff]);
}

/// One file whose name is patched in, with what an extra field says.
fn named(raw: &[u8], field: Option<&[u8]>) -> Vec<u8> {
    let placeholder = "n".repeat(raw.len());
    let mut options: FileOptions<'_, '_, ExtendedFileOptions> = FileOptions::default();
    if let Some(field) = field {
        options.add_extra_field(0x6666, field, true).unwrap();
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file(placeholder.as_str(), options).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    for at in 0..bytes.len() - raw.len() {
        if bytes[at..].starts_with(placeholder.as_bytes()) {
            bytes[at..at + raw.len()].copy_from_slice(raw);
        } else if bytes[at..].starts_with(b"\x66\x66") {
            bytes[at..at + 2].copy_from_slice(&0x7075_u16.to_le_bytes());
        }
    }
    bytes
}

#[track_caller]
fn check_name(bytes: &[u8], expected: &str) {
    let archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    assert_eq!(archive.by_index_data(0).unwrap().name().unwrap(), expected);
    let package = read(bytes, &PackageLimits::default()).unwrap();
    assert_eq!(package.files[0].name, expected);
}

#[test]
fn names_without_a_flag_are_utf8_or_of_code_page_437() {
    check_name(&named("\u{fc}.yml".as_bytes(), None), "\u{fc}.yml");
    check_name(&named(b"\x81.yml", None), "\u{fc}.yml");
    let all: Vec<u8> = (0x80..=0xff).chain(*b".yml").collect();
    let bytes = named(&all, None);
    let archive = ZipArchive::new(Cursor::new(&bytes)).unwrap();
    check_name(&bytes, &archive.by_index_data(0).unwrap().name().unwrap());
}

#[test]
fn names_in_a_field_replace_those_they_belong_to() {
    let field = |of: &[u8], name: &str| {
        let mut crc = flate2::Crc::new();
        crc.update(of);
        [&[1], &crc.sum().to_le_bytes()[..], name.as_bytes()].concat()
    };
    check_name(&named(b"_.yml", Some(&field(b"_.yml", "\u{17e}.yml"))), "\u{17e}.yml");
    check_name(&named(b"_.yml", Some(&field(b"x.yml", "\u{17e}.yml"))), "_.yml");
    let error = read(&named(b"_.yml", Some(&field(b"_.yml", "../_.yml"))), &PackageLimits::default());
    assert_eq!(error, Err(PackageError::UnsafeName("../_.yml".to_owned())));
}

/// A change of an archive at some place.
#[derive(Clone, Debug)]
enum Damage {
    Set(usize, u8),
    Flip(usize, u32),
    Insert(usize, u8),
    Remove(usize),
    Cut(usize),
    Copy(usize, usize),
}

impl Damage {
    fn any() -> impl Strategy<Value = Self> {
        let at = any::<usize>();
        prop_oneof![
            (at, prop::sample::select(&[0, 1, 0x7f, 0x80, 0xff][..])).prop_map(|it| Self::Set(it.0, it.1)),
            (at, 0..8_u32).prop_map(|it| Self::Flip(it.0, it.1)),
            (at, any::<u8>()).prop_map(|it| Self::Insert(it.0, it.1)),
            at.prop_map(Self::Remove),
            at.prop_map(Self::Cut),
            (at, at).prop_map(|it| Self::Copy(it.0, it.1)),
        ]
    }

    fn apply(&self, bytes: &mut Vec<u8>) {
        let len = bytes.len();
        match *self {
            _ if len < 8 => {}
            Self::Set(at, byte) => bytes[at % len] = byte,
            Self::Flip(at, bit) => bytes[at % len] ^= 1 << bit,
            Self::Insert(at, byte) => bytes.insert(at % len, byte),
            Self::Remove(at) => drop(bytes.remove(at % len)),
            Self::Cut(at) => bytes.truncate(at % len),
            Self::Copy(from, to) => {
                let (from, to) = (from % (len - 4), to % (len - 4));
                bytes.copy_within(from..from + 4, to);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn damaged_archives_give_what_was_packed_or_nothing(
        form in prop::sample::select([forms(End::Plain), forms(End::Comment), forms(End::Zip64)].concat()),
        damages in prop::collection::vec(Damage::any(), 1..4),
        total_bytes in 0..100_u64,
    ) {
        let mut bytes = form;
        for damage in &damages {
            damage.apply(&mut bytes);
        }
        if let Ok(package) = read(&bytes, &PackageLimits { total_bytes, ..PackageLimits::default() }) {
            let texts: Vec<&str> = package.files.iter().map(|it| it.text.as_str()).collect();
            prop_assert!(texts.iter().map(|it| it.len() as u64).sum::<u64>() <= total_bytes);
            prop_assert!(texts.iter().all(|it| ENTRIES.iter().any(|entry| entry.1 == it.as_bytes())), "{texts:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn others_read_what_is_written(texts in prop::collection::btree_map(".{0,8}", any::<String>(), 0..5)) {
        let file = |(name, text): (&String, &String)| PackageFile { name: name.clone(), text: text.clone() };
        let files: Vec<PackageFile> = texts.iter().map(file).collect();
        let found: BTreeMap<String, String> = found(&write(&files)).into_iter().collect();
        prop_assert_eq!(found, texts);
    }
}
