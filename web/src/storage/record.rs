//! The layout of a workspace in the database.

use std::rc::Rc;

use database::{Found, Put};
use diag::order;
use serde::{Deserialize, Serialize};

use super::{Snapshot, steps};
use crate::state::{Document, Environment, FileEntry, FileKey, History};

/// The keys of a workspace, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys(u32);

impl Keys {
    pub(super) const fn of(id: u32) -> Self {
        Self(id)
    }

    /// The suffix of its entries in the local storage.
    pub(super) fn suffix(self) -> String {
        if self.0 == 0 { String::new() } else { format!("/{}", self.0) }
    }

    pub(super) fn index(self) -> String {
        if self.0 == 0 { "workspace".into() } else { format!("workspaces/{}", self.0) }
    }

    pub(super) fn inputs(self) -> String {
        self.index() + "/inputs"
    }

    pub(super) fn backup(self) -> String {
        self.index() + "/backup"
    }

    pub(super) fn texts(self) -> String {
        self.index() + "/text/"
    }

    /// The key of a text; the order of the keys is that of the numbers.
    fn text(self, key: FileKey) -> String {
        format!("{}{:010}", self.texts(), key.0)
    }

    /// The prefix of the keys of changes that can be undone or redone: after all texts.
    pub(super) fn steps(self) -> String {
        self.texts() + "step/"
    }

    /// The key of a change; the order of the keys is that of the numbers.
    pub(super) fn step(self, id: u64) -> String {
        format!("{}{id:010}", self.steps())
    }
}

const FORMAT: &str = "planloom.workspace/2";

/// Everything but the texts and what is planned against.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    format: String,
    pub(super) files: Vec<Entry>,
    pub(super) selected: Option<FileKey>,
    #[serde(default)]
    pub(super) pristine: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) environments: Vec<Environment>,
    /// The number of writes, which tells if another tab has written.
    #[serde(default)]
    pub(super) written: u64,
}

/// A file without its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) key: FileKey,
    pub(super) name: String,
    pub(super) slot: u16,
    pub(super) package: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) muted: bool,
}

impl Entry {
    fn of(file: &FileEntry) -> Self {
        Self {
            key: file.key,
            name: file.name.to_string(),
            slot: file.slot,
            package: file.package.as_deref().map(str::to_owned),
            muted: file.muted,
        }
    }

    pub(super) fn with(self, text: Rc<str>) -> FileEntry {
        let Self { key, name, slot, package, muted } = self;
        FileEntry { key, name: name.into(), text, package: package.map(Into::into), slot, muted }
    }
}

impl Record {
    pub(super) fn of(now: &Snapshot, written: u64) -> Self {
        let Snapshot { document, pristine, .. } = now;
        Self {
            format: FORMAT.into(),
            files: document.files.iter().map(Entry::of).collect(),
            selected: document.selected,
            pristine: *pristine,
            environments: document.environments.to_vec(),
            written,
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(|record| record.format == FORMAT)
    }

    /// The workspace that index, inputs and texts make.
    pub(super) fn read(found: Found) -> Option<(Snapshot, u64)> {
        let mut own = found.texts.into_iter();
        let record = Self::parse(&own.next()??)?;
        let inputs = own.next().flatten().and_then(|text| serde_json::from_str(&text).ok());
        // Texts come in the order of their keys, and after them the changes that can be undone or redone.
        let mut keys: Vec<FileKey> = record.files.iter().map(|file| file.key).collect();
        order::by(&mut keys, Ord::cmp);
        let mut range = found.range;
        let kept = range.split_off(keys.len().min(range.len()));
        let text = |key: FileKey| keys.binary_search(&key).ok().and_then(|at| range.get(at));
        let (inputs, environments) = (inputs.unwrap_or_default(), record.environments.into());
        let mut document =
            Document { selected: record.selected, inputs, environments, ..Document::default() };
        for file in record.files {
            let text = text(file.key).map_or("", String::as_str);
            document.files.restore(file.with(text.into()));
        }
        let history = steps::read(&kept, &document);
        Some((Snapshot { document, pristine: record.pristine, history }, record.written))
    }
}

/// The writes that bring the database to `now`, the number of that write, and the history that the database holds then.
pub(super) fn write(
    keys: Keys,
    found: &Found,
    before: Option<&Snapshot>,
    written: u64,
    now: &Snapshot,
) -> (Vec<Put>, u64, History) {
    let kept = found.texts.first().and_then(Option::as_deref).and_then(Record::parse);
    let number = kept.as_ref().map_or(0, |kept| kept.written);
    // The writes of another tab in the meantime are not known here.
    let before = before.filter(|_| number == written);
    let old = |file: &FileEntry| before.and_then(|before| before.document.files.get(file.key));
    let files = now.document.files.iter();
    let changed = files.filter(|file| old(file).is_none_or(|old| old.text != file.text));
    let mut puts: Vec<Put> =
        changed.map(|file| Put::Text(keys.text(file.key), file.text.to_string())).collect();
    let gone = kept.into_iter().flat_map(|kept| kept.files).map(|file| file.key);
    let gone = gone.filter(|key| now.document.files.get(*key).is_none());
    puts.extend(gone.map(|key| Put::Nothing(keys.text(key))));
    if before.is_none_or(|before| before.document.inputs != now.document.inputs) {
        puts.push(text(keys.inputs(), &now.document.inputs));
    }
    puts.push(text(keys.index(), &Record::of(now, number + 1)));
    let history = steps::write(keys, before, now, &mut puts);
    (puts, number + 1, history)
}

fn text(key: String, value: &impl Serialize) -> Put {
    Put::Text(key, serde_json::to_string(value).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use workspace::File;

    use super::{super::kept::Kept, *};
    use crate::state::{Files, Input, Inputs};

    fn snapshot(files: &[(&str, &str)]) -> Snapshot {
        let file = |(name, text): &(&str, &str)| File {
            name: (*name).into(),
            text: (*text).into(),
            package: Some("p.zip".into()),
        };
        let files: Files = files.iter().map(file).collect();
        let state = Some(Input { name: "s.json".into(), text: "{}".into() }.into());
        let inputs = Inputs { state, ..Inputs::default() };
        let selected = files.at(0).map(|file| file.key);
        let muted = selected.into_iter().collect();
        let environments = vec![Environment { name: "production".into(), muted }].into();
        Snapshot {
            document: Document { files, selected, inputs, environments },
            pristine: true,
            ..Snapshot::default()
        }
    }

    #[test]
    fn a_written_record_is_read() {
        let mut kept = Kept::default();
        assert_eq!(kept.read(), None);
        let first = snapshot(&[("a", "1"), ("b", "2"), ("c", "3")]);
        assert_eq!(kept.write(None, 0, &first), (3, 1));
        assert_eq!(kept.read(), Some((first.clone(), 1)));
        let mut second = first.clone();
        let keys: Vec<FileKey> = second.document.files.iter().map(|file| file.key).collect();
        second.document.files.set_text(keys[1], "changed".into());
        second.document.files.remove(keys[0]);
        second.document.files.move_to(keys[2], 0);
        assert_eq!(kept.write(Some(&first), 1, &second), (1, 2), "only the text that changed is written");
        assert_eq!(kept.read(), Some((second, 2)));
    }

    #[test]
    fn a_record_of_another_tab_is_replaced_as_a_whole() {
        let mut kept = Kept::default();
        let (ours, theirs) = (snapshot(&[("a", "1"), ("b", "2")]), snapshot(&[("x", "8"), ("y", "9")]));
        kept.write(None, 0, &ours);
        kept.write(None, 1, &theirs);
        assert_eq!(kept.write(Some(&ours), 1, &ours), (2, 3));
        assert_eq!(kept.read(), Some((ours, 3)));
    }

    #[test]
    fn a_mode_that_destroys_is_not_kept() {
        let mut kept = Kept::default();
        let mut armed = snapshot(&[("a", "1")]);
        armed.document.inputs.destroy = true;
        kept.write(None, 0, &armed);
        assert!(kept.read().is_some_and(|(read, _)| !read.document.inputs.destroy));
    }
}
