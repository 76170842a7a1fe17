//! The results of merging, by example and by law.

mod behaviors;
mod corpus;
mod descriptors;
mod examples;
mod laws;
mod packages;
mod rules;
mod spellings;
