use std::collections::BTreeMap;

use model::{Address, Moved, moves, rename_references};
use serde_json::Value as Json;

use crate::{Change, Entry, Snapshot};

impl Snapshot {
    /// The changes that record resources under the names that they have now, and the addresses that become others.
    /// Entries that refer to them follow; nothing else of them changes, and adapters are not concerned.
    pub fn moves(&self, moved: &[Moved]) -> (Vec<Change>, BTreeMap<Address, Address>) {
        let addresses: Vec<Address> = self.resources.keys().filter_map(|it| it.parse().ok()).collect();
        let renamed = moves(moved, addresses.iter());
        let mut changes = Vec::new();
        if renamed.is_empty() {
            return (changes, renamed);
        }
        for (name, entry) in &self.resources {
            let to = name.parse().ok().and_then(|it| renamed.get(&it));
            let mut after = entry.following(&renamed);
            if let Some(to) = to {
                if after.created_as.is_empty() {
                    after.created_as.clone_from(name);
                }
                changes.push(Change::Remove(name.clone()));
                changes.push(Change::Put(to.to_string(), Box::new(after)));
            } else if after != *entry {
                changes.push(Change::Put(name.clone(), Box::new(after)));
            }
        }
        (changes, renamed)
    }

    /// The snapshot after changes that are not recorded yet: it has the same serial.
    #[must_use]
    pub fn after(&self, changes: &[Change]) -> Self {
        let mut after = self.clone();
        changes.iter().for_each(|change| after.change(change));
        after
    }
}

impl Entry {
    /// The same entry, with references to resources that have other names now.
    fn following(&self, renamed: &BTreeMap<Address, Address>) -> Self {
        let mut entry = self.clone();
        for name in &mut entry.depends_on {
            if let Some(to) = name.parse().ok().and_then(|it| renamed.get(&it)) {
                *name = to.to_string();
            }
        }
        rename_in(&mut entry.template, renamed);
        entry
    }
}

fn rename_in(json: &mut Json, renamed: &BTreeMap<Address, Address>) {
    match json {
        Json::String(text) => {
            for (from, to) in renamed {
                let (from, to) = (from.declaration(), to.declaration());
                if let Some(new) = rename_references(text, &from, &to) {
                    *text = new;
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|it| rename_in(it, renamed)),
        Json::Object(fields) => fields.values_mut().for_each(|it| rename_in(it, renamed)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use diag::{FileId, Span};
    use serde_json::json;

    use super::*;
    use crate::testing::entry;

    #[test]
    fn a_moved_resource_keeps_its_id_and_those_that_need_it_follow() {
        let mut snapshot = Snapshot::new("shop", "l");
        let web = Entry {
            depends_on: vec!["services.db".into()],
            template: json!({"init": ["serve ${services.db.ip}"]}),
            ..entry("web")
        };
        snapshot.resources.insert("services.db".into(), Entry { generation: 3, ..entry("db") });
        snapshot.resources.insert("services.web".into(), web);
        let address = |text: &str| text.parse().expect("an address");
        let span = Span::new(FileId(0), 0, 0);
        let moved = [Moved { from: address("services.db"), to: address("services.store"), span }];
        let after = snapshot.after(&snapshot.moves(&moved).0);
        let store = &after.resources["services.store"];
        assert_eq!((&*store.id, &*store.created_as, store.generation), ("id-of-db", "services.db", 3));
        assert_eq!(after.resources["services.web"].depends_on, ["services.store"]);
        assert_eq!(after.resources["services.web"].template, json!({"init": ["serve ${services.store.ip}"]}));
        assert_eq!(after.next_generation("services.db"), 4, "its id is in use");
        assert_eq!(after.moves(&moved).0, [], "nothing is left to move");
    }
}
