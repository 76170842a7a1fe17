//! The files here and those of the server: the changes that each side takes over from the other, and the conflicts.

use std::{collections::BTreeMap, rc::Rc};

use serde::Deserialize;
use workspace::File;

use crate::state::{Document, FileKey, Files};

/// The server's list of files.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Listing {
    /// The identity of these files, which differs from that of another server's at the same address.
    #[serde(default)]
    pub workspace: String,
    /// The files in merge order.
    pub files: Vec<Listed>,
    /// Files that cannot be shown.
    #[serde(default)]
    pub refused: Vec<Unshown>,
}

/// One file of the list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// The etag of its content.
    pub etag: String,
    /// The package that it is in, which cannot be written.
    #[serde(default)]
    pub package: Option<String>,
}

/// A file that cannot be shown.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Unshown {
    /// Its name.
    pub name: String,
    /// The reason, as the end of a sentence.
    pub reason: String,
}

/// A content that the server has.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Content {
    /// The text.
    pub text: Rc<str>,
    /// Its etag.
    pub etag: Rc<str>,
}

/// A file as both sides had it last.
#[derive(Clone, Debug, PartialEq)]
struct Agreed {
    name: Rc<str>,
    content: Content,
}

/// A step to be done at the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Create a file.
    Create { key: FileKey, name: Rc<str>, text: Rc<str> },
    /// Write a file whose content has that etag.
    Write { key: FileKey, name: Rc<str>, text: Rc<str>, etag: Rc<str> },
    /// Give it another name.
    Rename { key: FileKey, name: Rc<str>, to: Rc<str>, etag: Rc<str> },
    /// Remove it.
    Delete { key: FileKey, name: Rc<str>, etag: Rc<str> },
    /// Merge files in this order.
    Reorder { order: Vec<Rc<str>> },
}

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was done; the etag that the file has now.
    Done(Rc<str>),
    /// Somebody else has changed the file: its content now, if it still exists.
    Changed(Option<Content>),
    /// The server does not do that, and why.
    Refused(String),
}

/// A text here that the server does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsent {
    /// The name of the file there.
    pub name: Rc<str>,
    /// The etag of what it replaces; `None` if the file is new.
    pub etag: Option<Rc<str>>,
    /// The text of that, if it is known.
    pub base: Option<Rc<str>>,
    /// The text.
    pub text: Rc<str>,
}

/// A file that was changed on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The file.
    pub key: FileKey,
    /// Its name here.
    pub name: Rc<str>,
    /// The text on disk; `None` if it was removed there.
    pub theirs: Option<Rc<str>>,
    /// The text here.
    pub mine: Rc<str>,
    /// The text that both sides had before, if it is known and the file is still on disk.
    pub base: Option<Rc<str>>,
}

/// The knowledge of both sides about each other.
#[derive(Debug, Default)]
pub struct Sync {
    /// The server has listed its files. Nothing is sent before.
    is_open: bool,
    agreed: BTreeMap<FileKey, Agreed>,
    /// The server's content of files that were changed here, too; `None` if it has removed one.
    theirs: BTreeMap<FileKey, Option<Content>>,
    /// The steps that the server refuses, each with the reason.
    refused: Vec<(Step, String)>,
    /// The server's order, as names.
    order: Vec<Rc<str>>,
    /// Several files may be removed at once.
    may_remove: bool,
}

impl Sync {
    /// The names whose contents have to be read before the list can be [received](Self::receive).
    pub fn unknown(&self, listing: &Listing) -> Vec<String> {
        let is_known =
            |it: &Listed| self.named(&it.name).is_some_and(|(_, agreed)| *agreed.content.etag == *it.etag);
        listing.files.iter().filter(|it| !is_known(it)).map(|it| it.name.clone()).collect()
    }

    /// Takes over the server's content of files that were not changed here; a file that was changed on both sides
    /// becomes a [conflict](Self::conflicts). Returns the document after that, and the names of the files taken over.
    pub fn receive(
        &mut self,
        listing: &Listing,
        contents: &BTreeMap<String, Content>,
        now: &Document,
    ) -> (Document, Vec<String>) {
        let mut document = now.clone();
        let mut taken = Vec::new();
        let was_reordered = self.is_open && self.reordering(&now.files).is_some();
        for listed in &listing.files {
            let Some(content) = contents.get(&listed.name) else {
                // It is as it was: a conflict is over if there was one.
                let key = self.named(&listed.name).map(|(key, _)| key);
                key.into_iter().for_each(|key| drop(self.theirs.remove(&key)));
                continue;
            };
            if self.take(listed, content, &mut document) {
                taken.push(listed.name.clone());
            }
        }
        self.take_removals(listing, &mut document, &mut taken);
        self.take_order(listing, &mut document, was_reordered);
        self.is_open = true;
        self.refused.clear();
        (document, taken)
    }

    /// Takes over one content of the server. Returns true if that changed the document.
    fn take(&mut self, listed: &Listed, content: &Content, document: &mut Document) -> bool {
        let name: Rc<str> = listed.name.as_str().into();
        let agreed = self.named(&name).map(|(key, it)| (key, it.content.clone()));
        let here = match &agreed {
            Some((key, _)) => document.files.get(*key),
            None => document.files.named(&name),
        };
        let Some(file) = here else {
            // New, or deleted here without knowing what it would be: then it is shown again.
            agreed.into_iter().for_each(|(key, _)| drop(self.agreed.remove(&key)));
            let (text, package) = (content.text.to_string(), listed.package.clone());
            let key = document.files.add(File { name: name.to_string(), text, package });
            document.selected = document.selected.or(Some(key));
            self.agreed.insert(key, Agreed { name, content: content.clone() });
            return true;
        };
        let (key, is_same) = (file.key, file.text == content.text);
        let is_untouched = agreed.is_some_and(|(_, old)| old.text == file.text);
        if !is_same && !is_untouched {
            self.theirs.insert(key, Some(content.clone()));
            return false;
        }
        self.theirs.remove(&key);
        self.agreed.insert(key, Agreed { name, content: content.clone() });
        document.files.set_text(key, content.text.clone())
    }

    fn take_removals(&mut self, listing: &Listing, document: &mut Document, taken: &mut Vec<String>) {
        let is_gone = |it: &Agreed| listing.files.iter().all(|listed| *listed.name != *it.name);
        let gone: Vec<FileKey> =
            self.agreed.iter().filter(|(_, it)| is_gone(it)).map(|(key, _)| *key).collect();
        for key in gone {
            let old = self.agreed.get(&key).map(|it| it.content.text.clone());
            match document.files.get(key) {
                Some(file) if Some(&file.text) != old.as_ref() => {
                    self.theirs.insert(key, None);
                    continue;
                }
                Some(file) => {
                    taken.push(file.name.to_string());
                    document.files.remove(key);
                    if document.selected == Some(key) {
                        document.selected = document.files.at(0).map(|it| it.key);
                    }
                }
                None => {}
            }
            self.agreed.remove(&key);
            self.theirs.remove(&key);
        }
    }

    /// Takes over the server's order, unless the order was changed here.
    fn take_order(&mut self, listing: &Listing, document: &mut Document, was_reordered: bool) {
        self.order = listing.files.iter().map(|it| it.name.as_str().into()).collect();
        if !was_reordered {
            for (at, name) in self.known_order(&document.files).into_iter().enumerate() {
                if let Some(key) = self.named(&name).map(|(key, _)| key) {
                    document.files.place(key, at);
                }
            }
        }
    }

    /// The files that both sides have, in the order here and as they are called there.
    fn own_order(&self, files: &Files) -> Vec<Rc<str>> {
        let agreed = files.iter().filter(|it| self.theirs.get(&it.key) != Some(&None));
        agreed.filter_map(|it| self.agreed.get(&it.key)).map(|it| it.name.clone()).collect()
    }

    /// The same files in the order there, as far as it is known.
    fn known_order(&self, files: &Files) -> Vec<Rc<str>> {
        let own = self.own_order(files);
        self.order.iter().filter(|name| own.contains(name)).cloned().collect()
    }

    /// The next step to be done at the server, if any.
    pub fn next(&self, files: &Files) -> Option<Step> {
        if !self.is_open || self.removed(files).is_some() {
            return None;
        }
        let changes =
            files.iter().filter(|it| !self.theirs.contains_key(&it.key)).flat_map(|it| self.steps(it));
        let removals = self.gone(files).filter_map(|(key, it)| {
            let Agreed { name, content } = it;
            let is_free = !self.theirs.contains_key(&key);
            is_free.then(|| Step::Delete { key, name: name.clone(), etag: content.etag.clone() })
        });
        let is_new = |step: &Step| self.refused.iter().all(|(refused, _)| refused != step);
        changes.chain(removals).chain(self.reordering(files)).find(is_new)
    }

    fn steps(&self, file: &crate::state::FileEntry) -> Vec<Step> {
        let (key, name, text) = (file.key, file.name.clone(), file.text.clone());
        let Some(Agreed { name: known, content }) = self.agreed.get(&key) else {
            return vec![Step::Create { key, name, text }];
        };
        let mut steps = Vec::new();
        let etag = content.etag.clone();
        if content.text != text {
            steps.push(Step::Write { key, name: known.clone(), text, etag: etag.clone() });
        }
        if *known != name {
            steps.push(Step::Rename { key, name: known.clone(), to: name, etag });
        }
        steps
    }

    fn gone(&self, files: &Files) -> impl Iterator<Item = (FileKey, &Agreed)> {
        self.agreed.iter().filter(|(key, _)| files.get(**key).is_none()).map(|(key, it)| (*key, it))
    }

    fn reordering(&self, files: &Files) -> Option<Step> {
        let order = self.own_order(files);
        (order != self.known_order(files)).then_some(Step::Reorder { order })
    }

    /// Records what became of a step.
    pub fn record(&mut self, step: Step, outcome: Outcome) {
        match (outcome, step) {
            (Outcome::Refused(why), step) => self.refused.push((step, why)),
            (
                Outcome::Changed(content),
                Step::Create { key, .. }
                | Step::Write { key, .. }
                | Step::Rename { key, .. }
                | Step::Delete { key, .. },
            ) => {
                self.theirs.insert(key, content);
            }
            (Outcome::Done(etag), Step::Create { key, name, text } | Step::Write { key, name, text, .. }) => {
                self.agreed.insert(key, Agreed { name, content: Content { text, etag } });
            }
            (Outcome::Done(_), Step::Rename { key, name, to, .. }) => {
                self.order.iter_mut().filter(|it| **it == name).for_each(|it| *it = to.clone());
                if let Some(agreed) = self.agreed.get_mut(&key) {
                    agreed.name = to;
                }
            }
            (Outcome::Done(_), Step::Delete { key, name, .. }) => {
                self.order.retain(|it| *it != name);
                self.agreed.remove(&key);
            }
            (Outcome::Done(_) | Outcome::Changed(_), Step::Reorder { order }) => {
                let rest = std::mem::take(&mut self.order).into_iter().filter(|it| !order.contains(it));
                self.order = order.iter().cloned().chain(rest).collect();
            }
        }
    }

    /// The files that were changed on both sides. One that is the same on both is none any more.
    pub fn conflicts(&mut self, files: &Files) -> Vec<Conflict> {
        let is_same = |key: &FileKey, theirs: &Option<Content>| {
            let text = files.get(*key).map(|it| &it.text);
            text.is_some() && text == theirs.as_ref().map(|it| &it.text)
        };
        let same: Vec<FileKey> =
            self.theirs.iter().filter(|(key, it)| is_same(key, it)).map(|(key, _)| *key).collect();
        same.into_iter().for_each(|key| self.keep_mine(key, files));
        // Deleted here, and changed there: the server's is shown again with the next list.
        let gone = |key: &FileKey| files.get(*key).is_none();
        let deleted: Vec<FileKey> = self.theirs.keys().filter(|key| gone(key)).copied().collect();
        for key in deleted {
            self.theirs.remove(&key);
            self.agreed.remove(&key);
        }
        let conflict = |(key, theirs): (&FileKey, &Option<Content>)| {
            let file = files.get(*key)?;
            let theirs = theirs.as_ref().map(|it| it.text.clone());
            let base = self.agreed.get(key).map(|it| it.content.text.clone());
            // A page that was reloaded may not know it.
            let base = base.filter(|it| theirs.as_ref().is_some_and(|theirs| it != theirs));
            Some(Conflict { key: *key, name: file.name.clone(), theirs, mine: file.text.clone(), base })
        };
        let conflicts = self.theirs.iter().filter_map(conflict).collect();
        // A confirmed removal is done: the next removal of several files is confirmed again.
        self.may_remove = self.may_remove && self.gone(files).next().is_some();
        conflicts
    }

    /// Ends a conflict: the version here will replace the one on disk, as it is known now.
    pub fn keep_mine(&mut self, key: FileKey, files: &Files) {
        match self.theirs.remove(&key) {
            Some(Some(content)) => {
                let name = self.agreed.get(&key).map(|it| it.name.clone());
                let name = name.or_else(|| files.get(key).map(|it| it.name.clone()));
                name.into_iter().for_each(|name| {
                    drop(self.agreed.insert(key, Agreed { name, content: content.clone() }))
                });
            }
            Some(None) => drop(self.agreed.remove(&key)),
            None => {}
        }
    }

    /// Several files, or all there are, that were removed here and are still on disk, until that is confirmed.
    pub fn removed(&self, files: &Files) -> Option<Vec<Rc<str>>> {
        let names: Vec<Rc<str>> = self.gone(files).map(|(_, it)| it.name.clone()).collect();
        let is_grave = names.len() > 1 || (names.len() == 1 && self.agreed.len() == 1);
        (is_grave && !self.may_remove).then_some(names)
    }

    /// Confirms that.
    pub fn allow_removals(&mut self) {
        self.may_remove = true;
    }

    /// The files of which something is not written, each with the reason.
    pub fn refusals(&self, files: &Files) -> Vec<(String, String)> {
        let is_open = |step: &Step| match step {
            Step::Create { key, name, text } => {
                files.get(*key).is_some_and(|it| it.name == *name && it.text == *text)
            }
            Step::Write { key, text, .. } => files.get(*key).is_some_and(|it| it.text == *text),
            Step::Rename { key, to, .. } => files.get(*key).is_some_and(|it| it.name == *to),
            Step::Delete { key, .. } => files.get(*key).is_none(),
            Step::Reorder { .. } => false,
        };
        let name = |step: &Step| match step {
            Step::Create { name, .. } | Step::Write { name, .. } | Step::Delete { name, .. } => {
                name.to_string()
            }
            Step::Rename { to, .. } => to.to_string(),
            Step::Reorder { .. } => String::new(),
        };
        self.refused
            .iter()
            .filter(|(step, _)| is_open(step))
            .map(|(step, why)| (name(step), why.clone()))
            .collect()
    }

    /// The texts here that the server does not have.
    pub fn unsent(&self, files: &Files) -> Vec<Unsent> {
        let unsent = |file: &crate::state::FileEntry| {
            let agreed = self.agreed.get(&file.key);
            let is_sent = agreed.is_some_and(|it| it.content.text == file.text);
            let name = agreed.map_or(&file.name, |it| &it.name).clone();
            let etag = agreed.map(|it| it.content.etag.clone());
            let base = agreed.map(|it| it.content.text.clone());
            (self.is_open && !is_sent).then(|| Unsent { name, etag, base, text: file.text.clone() })
        };
        files.iter().filter_map(unsent).collect()
    }

    /// Takes in a text that an earlier page could not send. If the etag is another one, the file on disk has changed
    /// since: the sides go on agreeing on what they did then, so that the conflict lasts until the user chooses.
    pub fn restore(&mut self, unsent: Unsent, document: &mut Document) {
        let Unsent { name, etag, base, text } = unsent;
        let found = self.named(&name).map(|(key, it)| (key, it.content.clone()));
        match found {
            Some((key, content)) => {
                document.files.set_text(key, text);
                if etag.as_ref() == Some(&content.etag) {
                    return;
                }
                match (etag, self.agreed.get_mut(&key)) {
                    (Some(etag), Some(agreed)) => {
                        let text = base.unwrap_or_else(|| content.text.clone());
                        agreed.content = Content { text, etag };
                    }
                    _ => drop(self.agreed.remove(&key)),
                }
                self.theirs.insert(key, Some(content));
            }
            None => drop(document.files.add(File {
                name: name.to_string(),
                text: text.to_string(),
                package: None,
            })),
        }
    }

    fn named(&self, name: &str) -> Option<(FileKey, &Agreed)> {
        self.agreed.iter().find(|(_, it)| &*it.name == name).map(|(key, it)| (*key, it))
    }
}

#[cfg(test)]
mod tests;
