//! Bringing in what was picked, dropped or pasted.

use diag::order;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, FileList};
use workspace::{
    File,
    view::{FileView, Role},
};

use crate::{
    host,
    state::{Input, InputKind},
    text,
};

/// One file that was picked or dropped.
#[derive(Clone, Debug)]
pub struct Picked {
    /// Its name with its folders.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The files that came in.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Texts, in the order of their names, an override after what it overrides; the engine says what they are.
    pub texts: Vec<File>,
    /// Zip packages, to be read by the engine.
    pub packages: Vec<Picked>,
    /// The reasons why files were not taken.
    pub refused: Vec<String>,
    /// The name of their origin, for messages.
    pub from: String,
    /// It came from a folder: files that nobody asked for by name are left out.
    pub is_folder: bool,
}

/// The texts, sorted once the engine has recognised them.
#[derive(Clone, Debug, Default)]
pub struct Routed {
    /// Files of the workspace.
    pub files: Vec<File>,
    /// The files that stand for a recorded or observed state.
    pub inputs: Vec<(InputKind, Input)>,
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
    pathed(JsFuture::from(host::dropped_files(&transfer)).await.unwrap_or(JsValue::NULL)).await
}

/// Reads files that come with their paths: `[{path, file}]`.
pub async fn pathed(files: JsValue) -> Vec<Picked> {
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

/// Reads what was picked. From a folder only what is called as known formats are is taken; picked by itself everything is.
pub fn read_all(mut picked: Vec<Picked>) -> Imported {
    order::by(&mut picked, |a, b| by_name(&a.path, &b.path));
    let folder =
        picked.first().and_then(|file| file.path.split_once('/')).map(|(folder, _)| folder.to_owned());
    let from = folder.clone().unwrap_or_else(|| "the files".into());
    let mut imported = Imported { from, is_folder: folder.is_some(), ..Imported::default() };
    for Picked { path, bytes } in picked {
        let name = folder
            .as_deref()
            .and_then(|folder| path.strip_prefix(folder)?.strip_prefix('/'))
            .unwrap_or(&path);
        let name = name.to_owned();
        match (kind(&name), imported.is_folder) {
            (Kind::Hidden, _) | (Kind::Other, true) => {}
            (Kind::Package, _) => imported.packages.push(Picked { path: name, bytes }),
            (Kind::Text | Kind::Other, is_folder) => match text::read(&name, bytes) {
                Ok(text) => imported.texts.push(File { name, text, package: None }),
                Err(_) if is_folder && is_json(&name) => {}
                Err(why) => imported.refused.push(why),
            },
        }
    }
    imported
}

/// The order of names without their endings, so that `app.override.yaml` comes after `app.yaml`, which it overrides.
fn by_name(one: &str, other: &str) -> std::cmp::Ordering {
    let stem = |it: &str| it.rsplit_once('.').map_or(it.to_owned(), |(stem, _)| stem.to_owned());
    stem(one).cmp(&stem(other)).then_with(|| one.cmp(other))
}

/// Sorts texts into files and states; `known` has the engine's view of each. From a folder, states and JSON that the
/// engine does not recognise are left out.
pub fn route(texts: Vec<File>, known: &[FileView], is_folder: bool) -> Routed {
    let mut routed = Routed::default();
    for (file, it) in texts.into_iter().zip(known) {
        let kind = match it.role {
            Role::State => Some(InputKind::State),
            Role::Observed => Some(InputKind::Observed),
            _ => None,
        };
        match kind {
            Some(_) if is_folder => {}
            Some(kind) => routed.inputs.push((kind, Input { name: file.name, text: file.text })),
            None if is_folder && it.role == Role::Layer && is_json(&file.name) => {}
            None => routed.files.push(file),
        }
    }
    routed
}

enum Kind {
    Text,
    Package,
    Hidden,
    Other,
}

fn kind(name: &str) -> Kind {
    let hidden = name.split('/').any(|part| part.starts_with('.') || part == "node_modules");
    if hidden {
        Kind::Hidden
    } else if name.to_ascii_lowercase().ends_with(".zip") {
        Kind::Package
    } else if workspace::has_known_ending(name) {
        Kind::Text
    } else {
        Kind::Other
    }
}

/// True if it is a format that many others write, too.
fn is_json(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &[u8]) -> Picked {
        Picked { path: path.into(), bytes: text.to_vec() }
    }

    /// The names of the files and of the states that come of it.
    fn names(picked: Vec<Picked>) -> (Vec<String>, Vec<String>) {
        let Imported { texts, is_folder, .. } = read_all(picked);
        let mut workspace = workspace::Workspace::with(capabilities::ALL);
        workspace.set_files(texts.clone());
        let routed = route(texts, &workspace.files(), is_folder);
        let names = routed.files.into_iter().map(|it| it.name).collect();
        (names, routed.inputs.into_iter().map(|(_, it)| it.name).collect())
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
        assert_eq!(read_all(picked.clone()).from, "shop");
        assert_eq!(names(picked).0, ["base.yml", "nested/extra.yaml", "prod.yaml"]);
    }

    #[test]
    fn an_override_comes_after_what_it_overrides() {
        let picked =
            ["app.override.yaml", "app-prod.yaml", "app.yaml", "a.yml"].map(|it| file(it, b"x-a: 1"));
        assert_eq!(names(picked.into()).0, ["a.yml", "app.yaml", "app-prod.yaml", "app.override.yaml"]);
    }

    #[test]
    fn the_content_determines_the_format_of_a_json_file() {
        let json = br#"{"schema": "olm.package", "name": "a"}"#;
        let state = br#"{"format": "planloom.state/1", "serial": 1, "resources": {}}"#;
        let picked = [("c.json", &json[..]), ("d.jsonl", json), ("e.json", b"{}"), ("s.json", state)];
        let alone = names(picked.iter().map(|(name, text)| file(name, text)).collect());
        assert_eq!(alone, (vec!["c.json".into(), "d.jsonl".into(), "e.json".into()], vec!["s.json".into()]));
        let folder = picked.iter().map(|(name, text)| file(&format!("f/{name}"), text));
        let folder = folder.chain([file("f/planloom.lock", b"a: 1"), file("f/package.json", b"{}")]);
        let expected = vec!["c.json".to_owned(), "d.jsonl".into(), "planloom.lock".into()];
        assert_eq!(names(folder.collect()), (expected, Vec::new()));
    }

    #[test]
    fn single_files_are_taken_or_refused() {
        let imported = read_all(vec![file("a.yaml", b"\xff"), file("b.zip", b"PK"), file("c.json", b"{}")]);
        assert_eq!(imported.refused, ["a.yaml is not UTF-8 text."]);
        assert_eq!((imported.packages.len(), imported.texts.len()), (1, 1));
    }
}
