//! Page and disk, changed in every order.

use super::*;

/// A disk, as the server shows it.
#[derive(Default)]
struct Disk {
    files: Vec<(String, String)>,
    /// Nothing can be created.
    is_fixed: bool,
}

impl Disk {
    fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Self { files, is_fixed: false }
    }

    fn listing(&self) -> Listing {
        let listed =
            |(name, text): &(String, String)| Listed { name: name.clone(), etag: etag(text), package: None };
        Listing { files: self.files.iter().map(listed).collect(), ..Listing::default() }
    }

    /// As in a folder, where new files are in the order of their names.
    fn set(&mut self, name: &str, text: &str) {
        match self.files.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = text.to_owned(),
            None => {
                let at = self.files.iter().position(|(known, _)| &**known > name).unwrap_or(self.files.len());
                self.files.insert(at, (name.to_owned(), text.to_owned()));
            }
        }
    }

    fn remove(&mut self, name: &str) {
        self.files.retain(|(known, _)| known != name);
    }

    fn content(&self, name: &str) -> Option<Content> {
        let (_, text) = self.files.iter().find(|(known, _)| known == name)?;
        Some(Content { text: text.as_str().into(), etag: etag(text).into() })
    }

    /// As the server does it.
    fn execute(&mut self, step: &Step) -> Outcome {
        let is = |name: &str, etag: &str| self.content(name).is_some_and(|it| &*it.etag == etag);
        match step {
            Step::Create { .. } if self.is_fixed => Outcome::Refused("nothing can be created".into()),
            Step::Create { name, text, .. } if self.content(name).is_none() => self.write(name, text),
            Step::Write { name, text, etag, .. } if is(name, etag) => self.write(name, text),
            Step::Rename { name, to, etag, .. } if is(name, etag) => {
                let at = self.files.iter().position(|(known, _)| **known == **name).unwrap();
                self.files[at].0 = to.to_string();
                Outcome::Done(etag.clone())
            }
            Step::Delete { name, etag, .. } if is(name, etag) => {
                self.remove(name);
                Outcome::Done("".into())
            }
            Step::Reorder { order } => {
                self.files.sort_by_key(|(name, _)| order.iter().position(|it| **it == *name));
                Outcome::Done("".into())
            }
            Step::Create { name, .. }
            | Step::Write { name, .. }
            | Step::Rename { name, .. }
            | Step::Delete { name, .. } => Outcome::Changed(self.content(name)),
        }
    }

    fn write(&mut self, name: &str, text: &str) -> Outcome {
        self.set(name, text);
        Outcome::Done(etag(text).into())
    }
}

fn etag(text: &str) -> String {
    format!("\"{text}\"")
}

/// A page with the files of a disk.
struct Page {
    sync: Sync,
    document: Document,
}

impl Page {
    fn of(disk: &Disk) -> Self {
        let mut page = Self { sync: Sync::default(), document: Document::default() };
        page.hear(disk);
        page
    }

    /// Receives the server's list. Returns the names of the files taken over.
    fn hear(&mut self, disk: &Disk) -> Vec<String> {
        let listing = disk.listing();
        let names = self.sync.unknown(&listing);
        let contents = names.into_iter().map(|name| (name.clone(), disk.content(&name).unwrap())).collect();
        let (document, taken) = self.sync.receive(&listing, &contents, &self.document);
        self.document = document;
        taken
    }

    /// Sends all steps. Returns their number.
    fn send(&mut self, disk: &mut Disk) -> usize {
        for steps in 0..20 {
            self.sync.conflicts(&self.document.files);
            let Some(step) = self.sync.next(&self.document.files) else { return steps };
            let outcome = disk.execute(&step);
            self.sync.record(step, outcome);
        }
        panic!("it never ends");
    }

    fn key(&self, name: &str) -> FileKey {
        self.document.files.named(name).unwrap().key
    }

    fn write(&mut self, name: &str, text: &str) {
        let key = self.key(name);
        self.document.files.set_text(key, text.into());
    }

    fn conflicts(&mut self) -> Vec<Conflict> {
        self.sync.conflicts(&self.document.files)
    }

    fn texts(&self) -> Vec<(String, String)> {
        self.document.files.iter().map(|it| (it.name.to_string(), it.text.to_string())).collect()
    }
}

const TWO: [(&str, &str); 2] = [("a.yaml", "1"), ("b.yaml", "2")];

#[test]
fn changes_of_each_side_reach_the_other() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    assert_eq!((page.texts(), page.send(&mut disk)), (disk.files.clone(), 0));
    page.write("a.yaml", "here");
    disk.set("b.yaml", "there");
    disk.set("c.yaml", "new");
    assert_eq!(page.send(&mut disk), 1);
    assert_eq!(page.hear(&disk), ["b.yaml", "c.yaml"]);
    assert_eq!((page.texts(), page.send(&mut disk)), (disk.files.clone(), 0));
    assert_eq!(disk.files[0].1, "here");
}

#[test]
fn names_order_new_and_removed_files_reach_the_disk() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    let (a, b) = (page.key("a.yaml"), page.key("b.yaml"));
    page.document.files.rename(a, "z.yaml").unwrap();
    page.document.files.move_to(a, 1);
    page.document.files.add(File { name: "new.yaml".into(), text: "n".into(), package: None });
    page.send(&mut disk);
    assert_eq!(disk.files, page.texts());
    assert_eq!(disk.files.iter().map(|it| &*it.0).collect::<Vec<_>>(), ["b.yaml", "z.yaml", "new.yaml"]);
    page.document.files.remove(b);
    page.send(&mut disk);
    assert_eq!(disk.files, page.texts());
    assert_eq!((page.hear(&disk), page.send(&mut disk)), (vec![], 0));
}

#[test]
fn removed_and_reordered_files_of_the_disk_reach_the_page() {
    let mut disk = Disk::of(&[("a", "1"), ("b", "2"), ("c", "3")]);
    let mut page = Page::of(&disk);
    disk.remove("b");
    disk.files.reverse();
    assert_eq!(page.hear(&disk), ["b"]);
    assert_eq!((page.texts(), page.send(&mut disk)), (disk.files.clone(), 0));
}

#[test]
fn what_was_changed_on_both_sides_is_written_by_neither() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    page.write("a.yaml", "mine");
    disk.set("a.yaml", "theirs");
    assert_eq!(page.send(&mut disk), 1, "it is tried once");
    assert_eq!((page.hear(&disk), page.send(&mut disk)), (vec![], 0));
    let [conflict] = &page.conflicts()[..] else { panic!("one conflict") };
    assert_eq!((conflict.theirs.as_deref(), &*conflict.mine), (Some("theirs"), "mine"));
    // Other files go on.
    page.write("b.yaml", "other");
    page.send(&mut disk);
    assert_eq!(disk.files, [("a.yaml".into(), "theirs".into()), ("b.yaml".into(), "other".into())]);

    let key = conflict.key;
    page.sync.keep_mine(key, &page.document.files);
    page.send(&mut disk);
    assert_eq!((disk.files[0].1.as_str(), page.conflicts().len()), ("mine", 0));
}

#[test]
fn a_choice_is_not_carried_out_on_what_came_after_it() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    page.write("a.yaml", "mine");
    disk.set("a.yaml", "theirs");
    page.hear(&disk);
    let key = page.conflicts()[0].key;
    disk.set("a.yaml", "theirs again");
    page.sync.keep_mine(key, &page.document.files);
    page.send(&mut disk);
    assert_eq!(
        (disk.files[0].1.as_str(), page.conflicts()[0].theirs.as_deref()),
        ("theirs again", Some("theirs again"))
    );
}

#[test]
fn the_same_change_on_both_sides_is_no_conflict() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    page.write("a.yaml", "same");
    disk.set("a.yaml", "same");
    page.hear(&disk);
    assert_eq!((page.conflicts().len(), page.send(&mut disk)), (0, 0));
    // Nor is one that becomes the same.
    page.write("b.yaml", "x");
    disk.set("b.yaml", "y");
    page.hear(&disk);
    assert_eq!(page.conflicts().len(), 1);
    page.write("b.yaml", "y");
    assert_eq!((page.conflicts().len(), page.send(&mut disk)), (0, 0));
    // Nor one that the disk takes back.
    page.write("b.yaml", "z");
    disk.set("b.yaml", "w");
    page.hear(&disk);
    disk.set("b.yaml", "y");
    page.hear(&disk);
    assert_eq!((page.conflicts().len(), page.send(&mut disk)), (0, 1));
    assert_eq!(disk.files[1].1, "z");
}

#[test]
fn a_file_that_was_removed_there_and_changed_here_is_kept_until_somebody_chooses() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    page.write("a.yaml", "mine");
    disk.remove("a.yaml");
    page.hear(&disk);
    assert_eq!(page.send(&mut disk), 0);
    let conflict = page.conflicts()[0].clone();
    assert_eq!((conflict.theirs, &*conflict.mine), (None, "mine"));
    page.sync.keep_mine(conflict.key, &page.document.files);
    page.send(&mut disk);
    assert_eq!(disk.content("a.yaml").map(|it| it.text.to_string()).as_deref(), Some("mine"));
}

#[test]
fn a_file_that_was_removed_here_and_changed_there_is_shown_again() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    page.document.files.remove(page.key("a.yaml"));
    disk.set("a.yaml", "theirs");
    page.send(&mut disk);
    assert_eq!(page.conflicts().len(), 0);
    page.hear(&disk);
    assert!(page.texts().contains(&("a.yaml".into(), "theirs".into())), "{:?}", page.texts());
    assert_eq!(disk.files.len(), 2);
}

#[test]
fn several_files_are_removed_only_after_that_was_confirmed() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    let example = File { name: "example.yaml".into(), text: "e".into(), package: None };
    let (files, _) = Files::from_iter([example]).unlike(&page.document.files);
    page.document = Document { files, ..Document::default() };
    assert_eq!(page.send(&mut disk), 0);
    assert_eq!(page.sync.removed(&page.document.files).map(|it| it.len()), Some(2));
    page.sync.allow_removals();
    page.send(&mut disk);
    assert_eq!((disk.files.clone(), page.sync.may_remove), (page.texts(), false));
}

#[test]
fn the_only_file_is_removed_only_after_that_was_confirmed() {
    let mut disk = Disk::of(&[("app.yaml", "a")]);
    let mut page = Page::of(&disk);
    page.document.files.remove(page.key("app.yaml"));
    assert_eq!((page.send(&mut disk), disk.files.len()), (0, 1));
    page.sync.allow_removals();
    assert_eq!((page.send(&mut disk), disk.files.len()), (1, 0));
}

#[test]
fn what_is_refused_is_said_and_not_tried_again_before_it_changes() {
    let mut disk = Disk { is_fixed: true, ..Disk::of(&TWO) };
    let mut page = Page::of(&disk);
    let key = page.document.files.add(File { name: "c.yaml".into(), text: "c".into(), package: None });
    assert_eq!((page.send(&mut disk), page.send(&mut disk)), (1, 0));
    assert_eq!(
        page.sync.refusals(&page.document.files),
        [("c.yaml".into(), "nothing can be created".into())]
    );
    page.write("a.yaml", "goes on");
    assert_eq!(page.send(&mut disk), 1);
    page.document.files.remove(key);
    assert_eq!(page.sync.refusals(&page.document.files), []);
}

#[test]
fn nothing_is_sent_before_the_server_has_listed_its_files() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page { sync: Sync::default(), document: Document::default() };
    page.document.files.add(File { name: "c.yaml".into(), text: "c".into(), package: None });
    assert_eq!(page.send(&mut disk), 0);
    page.hear(&disk);
    assert_eq!(page.send(&mut disk), 2, "the file, and where it is in the order");
    assert_eq!(disk.files.len(), 3);
}

#[test]
fn what_an_earlier_page_could_not_send_is_a_change_of_this_one() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    page.write("a.yaml", "unsent");
    page.write("b.yaml", "unsent too");
    let unsent = page.sync.unsent(&page.document.files);
    disk.set("b.yaml", "theirs");
    let mut next = Page::of(&disk);
    unsent.into_iter().for_each(|it| next.sync.restore(it, &mut next.document));
    next.send(&mut disk);
    assert_eq!(disk.files, [("a.yaml".into(), "unsent".into()), ("b.yaml".into(), "theirs".into())]);
    assert_eq!((next.conflicts().len(), &*next.conflicts()[0].mine), (1, "unsent too"));
}

#[test]
fn a_conflict_lasts_through_any_number_of_reloads() {
    let mut disk = Disk::of(&TWO);
    let mut page = Page::of(&disk);
    page.write("a.yaml", "mine");
    disk.set("a.yaml", "theirs");
    for reload in 0..3 {
        let unsent = page.sync.unsent(&page.document.files);
        page = Page::of(&disk);
        unsent.into_iter().for_each(|it| page.sync.restore(it, &mut page.document));
        page.hear(&disk);
        page.send(&mut disk);
        assert_eq!(disk.content("a.yaml").map(|it| it.text), Some("theirs".into()), "reload {reload}");
        assert_eq!(
            page.conflicts().iter().map(|it| &*it.mine).collect::<Vec<_>>(),
            ["mine"],
            "reload {reload}"
        );
        assert_eq!(page.conflicts()[0].base.as_deref(), Some("1"), "reload {reload}");
    }
}
