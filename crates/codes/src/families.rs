//! The lists of all crates that report problems.

use diag::CodeEntry;

/// The codes of each crate, as lists by what they are about.
pub const FAMILIES: &[&[&[CodeEntry]]] = &[
    &[api::codes::ALL],
    &[authorization::codes::ALL],
    bosh::codes::ALL,
    catalog::codes::ALL,
    conversion::codes::ALL,
    engine::codes::ALL,
    fields::codes::ALL,
    fixtures::codes::ALL,
    &[format::codes::ALL],
    &[graph::codes::ALL],
    integrity::codes::ALL,
    &[linking::codes::ALL],
    &[links::codes::ALL],
    lower::codes::ALL,
    &[merge::codes::ALL],
    names::codes::ALL,
    &[proto::codes::ALL],
    protocol::codes::ALL,
    report::codes::ALL,
    &[resolve::codes::ALL],
    runtime::codes::ALL,
    &[services::codes::ALL],
    spec::codes::ALL,
    &[state::codes::ALL],
    &[store::codes::ALL],
    &[syntax::codes::ALL],
    &[types::codes::ALL, types::codes::FORMS],
    &[versions::codes::ALL],
    view::codes::ALL,
    workspace::codes::ALL,
];
