//! A library in two versions.
use planloom_services::{REGISTRATION, Services};
use workspace::{File, Workspace};

pub(crate) const OLD: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v1, nextVersion: v2}}
resources:
- name: Publisher
- name: Book
  parents: [Publisher]
";

pub(crate) const NEW: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v2}}
resources:
- name: Publisher
- {name: Series, plural: SeriesList, parents: [Publisher]}
- {name: Book, parents: [Publisher], fields: [
  {path: title, number: 3, required: true},
  {path: author, number: 4, type: reference, resource: Author, targetDeleteBehavior: BLOCK},
  {path: series, number: 5, type: reference, resource: Series, targetDeleteBehavior: UNSET}]}
- name: Reader
- name: Loan
  parents: [Reader]
  fields:
  - {path: book, number: 3, type: reference, resource: Book, targetDeleteBehavior: BLOCK}
- name: Author
";

pub(crate) fn workspace(files: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::with(&[&REGISTRATION]);
    workspace.load(Box::new(Services));
    let file =
        |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
    workspace.set_files(files.iter().map(file).collect());
    workspace
}
