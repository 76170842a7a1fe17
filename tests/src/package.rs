//! Zip packages made of the entries that a page shows.

use std::io::{Cursor, Write as _};

use serde::Serialize;
use workspace::{File, Workspace};
use zip::{ZipWriter, write::SimpleFileOptions};

/// One zip package.
#[derive(Clone, Debug, Serialize)]
pub struct PackageInput {
    /// Its file name.
    pub name: String,
    /// Its bytes, two hexadecimal digits each.
    pub hex: String,
    /// The files that are read from it.
    pub files: Vec<File>,
}

/// Packs entries, given as package, name and text, and reads them back through the engine.
pub(crate) fn packages(entries: Vec<(String, String, String)>) -> Vec<PackageInput> {
    let mut names: Vec<&String> = entries.iter().map(|(zip, ..)| zip).collect();
    names.dedup();
    let of = |zip: &String| {
        let entries = entries.iter().filter(|entry| entry.0 == *zip);
        package(zip, &zipped(entries.map(|(_, name, text)| (&**name, &**text))))
    };
    names.into_iter().map(of).collect()
}

fn package(name: &str, bytes: &[u8]) -> PackageInput {
    let files = Workspace::read_package(name, bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
    let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    PackageInput { name: name.to_owned(), hex, files }
}

/// The bytes of a zip archive with these entries, in this order.
///
/// # Panics
/// If the entries cannot be packed, e.g. because two have one name.
pub fn zipped<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        writer.start_file(name, SimpleFileOptions::default()).expect("a name that can be packed");
        writer.write_all(text.as_bytes()).expect("memory does not fail");
    }
    writer.finish().expect("memory does not fail").into_inner()
}
