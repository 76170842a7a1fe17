//! The targets, by name.

mod catalogs;
mod descriptors;
mod operations;
mod package;
mod problems;
mod replies;
mod requests;
mod states;
mod syntax;
mod templates;

/// Each runs until libFuzzer ends.
pub(crate) const ALL: [(&str, fn()); 10] = [
    ("catalogs", catalogs::run),
    ("descriptors", descriptors::run),
    ("operations", operations::run),
    ("package", package::run),
    ("problems", problems::run),
    ("replies", replies::run),
    ("requests", requests::run),
    ("states", states::run),
    ("syntax", syntax::run),
    ("templates", templates::run),
];
