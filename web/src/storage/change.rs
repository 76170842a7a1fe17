//! The change from one content of a workspace to another: of each text, only the part that changed.
//!
//! A page that is being closed stores its changes that are not in the database yet in the local storage, which is small
//! and written at once; and each change that can be undone is stored in this form. A change is only useful together
//! with the content that it was made after.

use std::{collections::BTreeMap, rc::Rc};

use serde::{Deserialize, Serialize};

use super::{Snapshot, record::Record};
use crate::{
    splice::Splice,
    state::{Document, FileKey, Inputs},
};

/// A change of a content.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Change {
    record: Record,
    #[serde(default)]
    inputs: Option<Inputs>,
    texts: BTreeMap<u32, Splice>,
}

impl Change {
    /// The change from `before`, which the write of that number saved, to `now`.
    pub(super) fn between(before: Option<&Snapshot>, written: u64, now: &Snapshot) -> Self {
        let old = |key: FileKey| before.and_then(|before| before.document.files.get(key));
        let mut texts = BTreeMap::new();
        for file in now.document.files.iter() {
            match old(file.key) {
                Some(old) if old.text == file.text => {}
                old => {
                    let old = old.map_or("", |old| &*old.text);
                    texts.insert(file.key.0, Splice::between(old, &file.text));
                }
            }
        }
        let same = before.is_some_and(|before| before.document.inputs == now.document.inputs);
        let inputs = (!same).then(|| now.document.inputs.clone());
        Self { record: Record::of(now, written), inputs, texts }
    }

    /// The write that it was made after.
    pub(super) fn base(&self) -> u64 {
        self.record.written
    }

    /// The number of bytes of texts in it.
    pub(super) fn size(&self) -> usize {
        self.texts.values().map(|splice| splice.text.len()).sum()
    }

    /// The content that it leads to, from the one that it was made after. Texts that are the same are shared, and so is
    /// what can be undone.
    pub(super) fn apply(self, before: Option<&Snapshot>) -> Snapshot {
        let Self { record, inputs, texts } = self;
        let before = before.cloned().unwrap_or_default();
        let inputs = inputs.unwrap_or(before.document.inputs);
        let environments = record.environments.into();
        let mut document =
            Document { selected: record.selected, inputs, environments, ..Document::default() };
        for file in record.files {
            let old =
                before.document.files.get(file.key).map_or_else(|| Rc::from(""), |old| old.text.clone());
            let text = texts.get(&file.key.0).map_or(old.clone(), |splice| splice.apply(&old).into());
            document.files.restore(file.with(text));
        }
        Snapshot { document, pristine: record.pristine, history: before.history }
    }
}

#[cfg(test)]
mod tests {
    use workspace::File;

    use super::*;

    fn snapshot(files: &[(&str, &str)]) -> Snapshot {
        let file =
            |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
        let files = files.iter().map(file).collect();
        Snapshot { document: Document { files, ..Document::default() }, ..Snapshot::default() }
    }

    #[test]
    fn a_change_leads_from_what_was_kept_to_how_it_was() {
        let before = snapshot(&[("a", "one\ntwo\n"), ("b", "same"), ("c", "gone")]);
        let mut now = before.clone();
        let keys: Vec<FileKey> = now.document.files.iter().map(|file| file.key).collect();
        now.document.files.set_text(keys[0], "one\n2\n".into());
        now.document.files.remove(keys[2]);
        now.document.files.add(File { name: "d".into(), text: "new".into(), package: None });
        now.document.inputs.bosh = true;
        let text = serde_json::to_string(&Change::between(Some(&before), 7, &now)).unwrap();
        assert!(!text.contains("same"), "what is kept already is not in it: {text}");
        let change: Change = serde_json::from_str(&text).unwrap();
        assert_eq!((change.base(), change.apply(Some(&before))), (7, now));
    }

    #[test]
    fn without_anything_kept_it_holds_everything() {
        let now = snapshot(&[("a", "one")]);
        assert_eq!(Change::between(None, 0, &now).apply(None), now);
    }
}
