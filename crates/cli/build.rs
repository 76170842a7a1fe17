//! Makes the built app part of the program. `PLANLOOM_SITE` names a folder with its files, compressed, and the list
//! `files.txt` of them, as `cargo xtask dist` writes it. Without it, the program has no app.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PLANLOOM_SITE");
    let table = match env::var("PLANLOOM_SITE") {
        Ok(site) if !site.is_empty() => table(Path::new(&site)),
        _ => "None".to_owned(),
    };
    let code = format!("pub(crate) const APP: Option<(&str, &[EmbeddedFile])> = {table};\n");
    let out = env::var("OUT_DIR").expect("cargo names a folder");
    fs::write(Path::new(&out).join("app.rs"), code).expect("the folder can be written");
}

/// The version of the app, and its files.
fn table(site: &Path) -> String {
    let list = site.join("files.txt");
    println!("cargo::rerun-if-changed={}", list.display());
    let list = fs::read_to_string(&list).unwrap_or_else(|why| panic!("{}: {why}", list.display()));
    let mut lines = list.lines();
    let version = lines.next().expect("the first line is the version");
    let files: Vec<String> = lines.map(|line| entry(site, line)).collect();
    format!("Some(({version:?}, &[{}]))", files.join(", "))
}

/// A line is a hash, a length and a path.
fn entry(site: &Path, line: &str) -> String {
    let mut words = line.splitn(3, ' ');
    let (Some(hash), Some(bytes), Some(path)) = (words.next(), words.next(), words.next()) else {
        panic!("not a line of the list of files: {line}");
    };
    let file = site.join(format!("{path}.gz"));
    format!(
        "EmbeddedFile {{ path: {path:?}, gzip: include_bytes!({file:?}), bytes: {bytes}, hash: {hash:?} }}"
    )
}
