//! The files as an ordered stack of layers: the last one wins.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use ui::{Apart, FileText, LayerBadge};
use workspace::{File, view::FileView};

use super::FileKeys;
use crate::text;

/// Names one file for as long as the workspace lives, through renames and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileKey(pub u32);

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its identity.
    pub key: FileKey,
    /// Its name, unique in the workspace.
    pub name: Rc<str>,
    /// Its text.
    pub text: Rc<str>,
    /// The zip package it came from: among files of one package there is no order.
    pub package: Option<Rc<str>>,
    /// The number of its letter and colour: the least that was free when it was added.
    pub slot: u16,
    /// It is left out of what is merged and planned.
    pub muted: bool,
}

/// All files, in merge order. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    list: Rc<Vec<FileEntry>>,
}

impl Files {
    /// The files in merge order.
    pub fn iter(&self) -> std::slice::Iter<'_, FileEntry> {
        self.list.iter()
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// True if nothing is written in any.
    pub fn is_blank(&self) -> bool {
        self.list.iter().all(|file| text::is_blank(&file.text))
    }

    /// The file of that identity.
    pub fn get(&self, key: FileKey) -> Option<&FileEntry> {
        self.list.iter().find(|file| file.key == key)
    }

    /// The file of that name.
    pub fn named(&self, name: &str) -> Option<&FileEntry> {
        self.list.iter().find(|file| &*file.name == name)
    }

    /// The position of a file in the merge order, from 0.
    pub fn position(&self, key: FileKey) -> Option<usize> {
        self.list.iter().position(|file| file.key == key)
    }

    /// The file at a place of the order.
    pub fn at(&self, position: usize) -> Option<&FileEntry> {
        self.list.get(position)
    }

    /// Puts a file last. Its name is changed to `name-2` … when it is taken.
    pub fn add(&mut self, file: File) -> FileKey {
        let key = FileKey(self.list.iter().map(|file| file.key.0 + 1).max().unwrap_or(0));
        let name = self.free_name(&file.name);
        let slot = (0..).find(|slot| self.list.iter().all(|file| file.slot != *slot)).unwrap_or(0);
        let entry = FileEntry {
            key,
            name: name.into(),
            text: file.text.into(),
            package: file.package.map(Into::into),
            slot,
            muted: false,
        };
        self.edit().push(entry);
        key
    }

    /// The same files as others than those of another workspace, even where they have the same names, so that the editor
    /// does not take the text of one for a change of the other. Also by how much their keys are higher now.
    #[must_use]
    pub fn unlike(mut self, others: &Self) -> (Self, u32) {
        let first = others.list.iter().map(|file| file.key.0 + 1).max().unwrap_or(0);
        self.edit().iter_mut().for_each(|file| file.key.0 += first);
        (self, first)
    }

    /// Puts back a file as it was saved.
    pub fn restore(&mut self, entry: FileEntry) {
        self.edit().push(entry);
    }

    /// Changes a file's text; false when there is nothing to change.
    pub fn set_text(&mut self, key: FileKey, text: Rc<str>) -> bool {
        if self.get(key).is_none_or(|file| file.text == text) {
            return false;
        }
        self.change(key, |file| file.text = text);
        true
    }

    /// Changes a file's name, which always ends as descriptors do. Returns the new name.
    ///
    /// # Errors
    /// A sentence that says why the name cannot be used.
    pub fn rename(&mut self, key: FileKey, name: &str) -> Result<String, String> {
        let name = name.trim();
        if name.is_empty() {
            return Err("A file needs a name.".into());
        }
        let name = &*if workspace::has_known_ending(name) { name.to_owned() } else { format!("{name}.yaml") };
        if self.named(name).is_some_and(|file| file.key != key) {
            return Err(format!("There is already a file named {name}."));
        }
        self.change(key, |file| file.name = name.into());
        Ok(name.to_owned())
    }

    /// Leaves a file out of what is merged and planned, or no longer.
    pub fn mute(&mut self, key: FileKey, muted: bool) {
        self.change(key, |file| file.muted = muted);
    }

    /// Leaves out all files but one; if that is so already, none.
    pub fn solo(&mut self, key: FileKey) {
        let is_alone = self.list.iter().all(|file| file.muted == (file.key != key));
        self.edit().iter_mut().for_each(|file| file.muted = !is_alone && file.key != key);
    }

    /// Those that are left out.
    pub fn muted(&self) -> FileKeys {
        self.list.iter().filter(|file| file.muted).map(|file| file.key).collect()
    }

    /// The same files with just these left out.
    #[must_use]
    pub fn with_muted(&self, muted: &FileKeys) -> Self {
        let mut files = self.clone();
        files.edit().iter_mut().for_each(|file| file.muted = muted.contains(file.key));
        files
    }

    /// Those that are not left out, as the engine reads them.
    #[must_use]
    pub fn unmuted(&self) -> Self {
        if self.list.iter().all(|file| !file.muted) {
            return self.clone();
        }
        Self { list: Rc::new(self.list.iter().filter(|file| !file.muted).cloned().collect()) }
    }

    /// Takes a file away.
    pub fn remove(&mut self, key: FileKey) {
        self.edit().retain(|file| file.key != key);
    }

    /// Moves a file to a place of the order. Files of its package get an order by this, so they stop being one.
    pub fn move_to(&mut self, key: FileKey, to: usize) -> bool {
        let Some(from) = self.position(key) else { return false };
        let to = to.min(self.len().saturating_sub(1));
        if from == to {
            return false;
        }
        let package = self.get(key).and_then(|file| file.package.clone());
        let list = self.edit();
        let entry = list.remove(from);
        list.insert(to, entry);
        for file in list.iter_mut().filter(|file| package.is_some() && file.package == package) {
            file.package = None;
        }
        true
    }

    /// Moves a file to a place of the order that is given elsewhere; packages stay what they are.
    pub fn place(&mut self, key: FileKey, to: usize) {
        if let Some(from) = self.position(key).filter(|from| *from != to && to < self.len()) {
            let list = self.edit();
            let entry = list.remove(from);
            list.insert(to, entry);
        }
    }

    /// The files for the engine.
    pub fn texts(&self) -> Vec<File> {
        let file = |file: &FileEntry| File {
            name: file.name.to_string(),
            text: file.text.to_string(),
            package: file.package.as_deref().map(str::to_owned),
        };
        self.iter().map(file).collect()
    }

    /// The names and texts of the files, for views that show parts of them.
    pub fn shown(&self) -> Vec<FileText> {
        let text = |file: &FileEntry| FileText { name: file.name.clone(), text: file.text.clone() };
        self.iter().map(text).collect()
    }

    /// The badges of the files; `known` has the engine's view of each.
    pub fn badges(&self, known: &[FileView]) -> Vec<LayerBadge> {
        self.iter().map(|file| file.badge(known.iter().find(|it| it.name == *file.name))).collect()
    }

    /// `name`, or `stem-2.ext` … when it is taken.
    pub fn free_name(&self, name: &str) -> String {
        let name = if name.trim().is_empty() { "untitled.yaml" } else { name.trim() };
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let numbered = |number: u32| match (number, extension) {
            (1, _) => name.to_owned(),
            (_, "") => format!("{stem}-{number}"),
            _ => format!("{stem}-{number}.{extension}"),
        };
        (1..).map(numbered).find(|name| self.named(name).is_none()).unwrap_or_default()
    }

    fn change(&mut self, key: FileKey, change: impl FnOnce(&mut FileEntry)) {
        if let Some(file) = self.edit().iter_mut().find(|file| file.key == key) {
            change(file);
        }
    }

    fn edit(&mut self) -> &mut Vec<FileEntry> {
        Rc::make_mut(&mut self.list)
    }
}

impl FileEntry {
    fn badge(&self, known: Option<&FileView>) -> LayerBadge {
        LayerBadge {
            file: self.name.clone().into(),
            letter: letter(self.slot).into(),
            color_index: usize::from(self.slot % 8),
            number: known.and_then(|it| it.layer),
            muted: self.muted,
            apart: known
                .filter(|it| it.layer.is_none())
                .map(|it| Apart { role: it.role, title: it.title.clone().into() }),
        }
    }
}

/// `A` … `Z`, then `A2` ….
fn letter(slot: u16) -> String {
    let letter = char::from(b'A' + (slot % 26) as u8);
    match slot / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}

impl FromIterator<File> for Files {
    fn from_iter<I: IntoIterator<Item = File>>(files: I) -> Self {
        let mut all = Self::default();
        for file in files {
            all.add(file);
        }
        all
    }
}
