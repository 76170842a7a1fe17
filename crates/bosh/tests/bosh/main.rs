//! Tests of reading files of BOSH.

mod addons;
mod cases;
mod files;
mod groups;
mod jobs;
mod links;
mod operations;
mod real_manifests;
mod robust;
mod sorts;
mod variables;
