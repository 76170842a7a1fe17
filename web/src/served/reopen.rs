//! The data that this browser kept of a server's files: the files left out, the environments, and the history.

use std::collections::BTreeMap;

use super::sync::{Content, Listed, Listing};
use crate::{
    state::{Document, FileEntry, FileKey},
    storage::Snapshot,
};

/// The kept workspace with the files as the server has them now; new files come last, until they are received.
pub fn reopen(kept: &Document, listing: &Listing, contents: &BTreeMap<String, Content>) -> Document {
    let mut document = kept.clone();
    let is_listed = |file: &FileEntry| {
        let is_it = |it: &Listed| *it.name == *file.name && it.package.as_deref() == file.package.as_deref();
        listing.files.iter().any(is_it)
    };
    let gone: Vec<FileKey> = kept.files.iter().filter(|it| !is_listed(it)).map(|it| it.key).collect();
    gone.into_iter().for_each(|key| document.files.remove(key));
    for file in kept.files.iter() {
        if let Some(content) = contents.get(&*file.name) {
            document.files.set_text(file.key, content.text.clone());
        }
    }
    document.selected = document.selected.filter(|key| document.files.get(*key).is_some());
    document
}

/// The page with that document. Earlier changes can be undone as long as nothing else has changed the files.
pub fn with_history(kept: Snapshot, document: Document) -> Snapshot {
    let history = if kept.document.files == document.files { kept.history } else { Default::default() };
    Snapshot { document, pristine: false, history }
}

#[cfg(test)]
mod tests {
    use workspace::File;

    use super::*;

    fn kept() -> Snapshot {
        let file = |name: &str| File { name: name.into(), text: format!("# {name}\n"), package: None };
        let files = ["base.yaml", "prod.yaml"].map(file).into_iter().collect();
        let mut document = Document { files, ..Document::default() };
        let prod = document.files.named("prod.yaml").map(|it| it.key).unwrap();
        document.files.mute(prod, true);
        let mut now = Snapshot { document: document.with_environment("base"), ..Snapshot::default() };
        now.history.record("mute a file", document);
        now
    }

    fn served(files: &[(&str, &str)]) -> (Listing, BTreeMap<String, Content>) {
        let listed = |name: &str| Listed { name: name.into(), etag: name.into(), package: None };
        let content = |text: &str| Content { etag: text.into(), text: text.into() };
        let listing =
            Listing { files: files.iter().map(|(name, _)| listed(name)).collect(), ..Listing::default() };
        (listing, files.iter().map(|(name, text)| ((*name).into(), content(text))).collect())
    }

    #[test]
    fn what_is_left_out_stays_left_out() {
        let (listing, contents) = served(&[("base.yaml", "# other\n"), ("prod.yaml", "# prod.yaml\n")]);
        let kept = kept();
        let document = reopen(&kept.document, &listing, &contents);
        assert_eq!(document.environment().map(|it| &*it.name), Some("base"));
        assert_eq!(document.files.named("base.yaml").map(|it| &*it.text), Some("# other\n"));
        assert!(with_history(kept, document).history.is_empty(), "the disk has changed a file");
    }

    #[test]
    fn what_is_gone_is_not_brought_back() {
        let (listing, contents) = served(&[("base.yaml", "# base.yaml\n")]);
        let document = reopen(&kept().document, &listing, &contents);
        assert_eq!(document.files.len(), 1);
    }

    #[test]
    fn what_was_changed_can_be_undone_after_a_reload() {
        let (listing, contents) = served(&[("base.yaml", "# base.yaml\n"), ("prod.yaml", "# prod.yaml\n")]);
        let kept = kept();
        let document = reopen(&kept.document, &listing, &contents);
        assert_eq!(with_history(kept.clone(), document).history, kept.history);
    }
}
