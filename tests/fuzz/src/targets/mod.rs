//! The targets, by name.

mod catalogs;
mod descriptors;
mod filters;
mod masks;
mod operations;
mod package;
mod problems;
mod replies;
mod requests;
mod states;
mod syntax;
mod templates;
mod watches;

/// Each runs until libFuzzer ends.
pub(crate) const ALL: [(&str, fn()); 13] = [
    ("catalogs", catalogs::run),
    ("descriptors", descriptors::run),
    ("filters", filters::run),
    ("masks", masks::run),
    ("operations", operations::run),
    ("package", package::run),
    ("problems", problems::run),
    ("replies", replies::run),
    ("requests", requests::run),
    ("states", states::run),
    ("syntax", syntax::run),
    ("templates", templates::run),
    ("watches", watches::run),
];
