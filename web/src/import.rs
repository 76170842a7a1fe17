//! Bringing in what was picked, dropped or pasted.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, FileList};
use workspace::File;

use crate::{host, text};

/// One file that was picked or dropped.
#[derive(Clone, Debug)]
pub struct Picked {
    /// Its name with its folders.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What came in.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Descriptor files, by name.
    pub files: Vec<File>,
    /// Zip packages, to be read by the engine.
    pub packages: Vec<Picked>,
    /// JSON files: states.
    pub states: Vec<(String, String)>,
    /// Why something was not taken.
    pub refused: Vec<String>,
    /// What it came from, as it is said.
    pub from: String,
}

/// Reads the files of a file field.
pub async fn picked(list: FileList) -> Vec<Picked> {
    let mut all = Vec::new();
    for at in 0..list.length() {
        if let Some(file) = list.item(at) {
            all.extend(read(path_of(&file), file).await);
        }
    }
    all
}

/// Reads what was dropped, folders included.
pub async fn dropped(transfer: DataTransfer) -> Vec<Picked> {
    let files = JsFuture::from(host::dropped_files(&transfer)).await.unwrap_or(JsValue::NULL);
    let mut all = Vec::new();
    for entry in files.dyn_into::<Array>().unwrap_or_default() {
        let entry = entry.unchecked_into::<host::PathedFile>();
        all.extend(read(entry.path(), entry.file()).await);
    }
    all
}

/// A folder's files carry their path; others only their name.
fn path_of(file: &web_sys::File) -> String {
    let path =
        js_sys::Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

async fn read(path: String, file: web_sys::File) -> Option<Picked> {
    let file = gloo::file::File::from(file);
    let bytes = gloo::file::futures::read_as_bytes(&file).await.ok()?;
    Some(Picked { path, bytes })
}

/// Sorts what was picked: YAML files become layers in the order of their names, packages are read by the engine, JSON
/// may be a catalog or a state. From a folder everything else is left out; picked by itself it is refused.
pub fn sort(mut picked: Vec<Picked>) -> Imported {
    picked.sort_by(|a, b| a.path.cmp(&b.path));
    let folder =
        picked.first().and_then(|file| file.path.split_once('/')).map(|(folder, _)| folder.to_owned());
    let mut imported =
        Imported { from: folder.clone().unwrap_or_else(|| "the files".into()), ..Imported::default() };
    for Picked { path, bytes } in picked {
        let name = folder
            .as_deref()
            .and_then(|folder| path.strip_prefix(folder)?.strip_prefix('/'))
            .unwrap_or(&path);
        let name = name.to_owned();
        match (kind(&name), folder.is_some()) {
            (Kind::Hidden, _) | (Kind::Other, true) => {}
            (Kind::Package, _) => imported.packages.push(Picked { path: name, bytes }),
            (Kind::Yaml | Kind::Other, _) => match text::read(&name, bytes) {
                Ok(text) => imported.files.push(File { name, text, package: None }),
                Err(why) => imported.refused.push(why),
            },
            (Kind::Json, _) => match text::read(&name, bytes) {
                Ok(text) if text::apart(&text).is_some() => {
                    imported.files.push(File { name, text, package: None });
                }
                Ok(_) if folder.is_some() => {}
                Ok(text) => imported.states.push((name, text)),
                Err(_) if folder.is_some() => {}
                Err(why) => imported.refused.push(why),
            },
        }
    }
    imported
}

enum Kind {
    Yaml,
    Package,
    Json,
    Hidden,
    Other,
}

fn kind(name: &str) -> Kind {
    let hidden = name.split('/').any(|part| part.starts_with('.') || part == "node_modules");
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        _ if hidden => Kind::Hidden,
        Some("yaml" | "yml") => Kind::Yaml,
        Some("lock") if name.ends_with("planloom.lock") => Kind::Yaml,
        Some("zip") => Kind::Package,
        Some("json" | "jsonl") => Kind::Json,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &[u8]) -> Picked {
        Picked { path: path.into(), bytes: text.to_vec() }
    }

    #[test]
    fn a_folder_brings_its_yaml_in_order() {
        let picked = vec![
            file("shop/prod.yaml", b"b"),
            file("shop/base.yml", b"a"),
            file("shop/README.md", b"#"),
            file("shop/.git/config.yaml", b"x"),
            file("shop/nested/extra.yaml", b"c"),
        ];
        let imported = sort(picked);
        let names: Vec<&str> = imported.files.iter().map(|file| &*file.name).collect();
        assert_eq!(names, ["base.yml", "nested/extra.yaml", "prod.yaml"]);
        assert_eq!(imported.from, "shop");
    }

    #[test]
    fn catalogs_are_files_whatever_they_are_written_in() {
        let json = br#"{"schema": "olm.package", "name": "a"}"#;
        let alone = sort(vec![file("c.json", json), file("d.jsonl", json), file("e.json", b"{}")]);
        assert_eq!((alone.files.len(), alone.states.len()), (2, 1));
        let folder = sort(vec![
            file("s/c.json", json),
            file("s/planloom.lock", b"a: 1"),
            file("s/package.json", b"{}"),
        ]);
        assert_eq!((folder.files.len(), folder.states.len()), (2, 0));
    }

    #[test]
    fn single_files_are_taken_or_refused() {
        let imported = sort(vec![file("a.yaml", b"\xff"), file("b.zip", b"PK"), file("c.json", b"{}")]);
        assert_eq!(imported.refused, ["a.yaml is not UTF-8 text."]);
        assert_eq!(imported.packages.len(), 1);
        assert_eq!(imported.states.len(), 1);
    }
}
