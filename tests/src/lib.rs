//! The suite: pages of documentation whose examples are run.
//!
//! Pages lie in `tests/suite/*.md`. A heading of level two is a case; headings of level three below it are further
//! examples of the same case, each with files of its own. An example is prose, settings and fenced blocks:
//!
//! ````markdown
//! ## M2 a later scalar wins
//!
//! The version of the second file counts.
//!
//! ```yaml base.yaml
//! meta: {version: "1"}
//! ```
//! ```yaml prod.yaml
//! meta: {version: "2"}
//! ```
//! ```yaml merged
//! meta:
//!   version: "2"
//! ```
//! ````
//!
//! A block's name says what it is. Inputs: a file (`base.yaml`, in merge order), an entry of a zip package
//! (`shop.zip/net.yaml`), type definitions (`types/volume.yaml`), job specs of BOSH
//! (`releases/r__store.yml`), requests to services and commands for them (`requests.http`), texts that may be names
//! (`names.txt`) or also requests (`texts.txt`), resources to be merged (`merge.txt`), lists and writes to be compared with a cache (`cache.txt`), limits of services (`limits.txt`), servers of services (`servers.txt`) and what
//! happens among them (`prepared.txt`, `session.txt`, see [`servers`]), files that are named as catalogs (`catalogs/catalog.yaml`), `state`, `observed`, and `outputs`: what resources
//! report once they are made. Everything else is expected output, see [`render`]. An example without a `diagnostics`
//! block has no diagnostics.
//!
//! Settings are list items before the first block of an example:
//! - `- given: S0` starts from the inputs of the section `Given S0 …` (or of a case) of the page;
//! - `- applied: S0` records what exists once the plan of that section is carried out, see [`apply`];
//! - `- before: S0` compares the links with those of that section;
//! - `- options: lenient, profile=bosh, destroy, knock_on=all, list_unchanged, generate, changes,
//!   seed=1, lenient_naming, override_on_creation, allow_missing_on_deletion`.
//!
//! `PLANLOOM_UPDATE=1` writes what came out into the pages. Rendering is a pure function of the JSON answers, and the
//! answers of all examples are written to one file, so that the same pages are replayed through other builds of the
//! engine (`tests/npm/suite.mjs`) and compared byte for byte.
#![forbid(unsafe_code)]

pub mod apply;
pub mod cases;
pub mod conversion;
pub mod engine;
pub mod example;
pub mod fix;
pub mod mutation;
pub mod outputs;
pub mod package;
pub mod page;
pub mod real_files;
pub mod render;
pub mod requests;
pub mod rewrite;
pub mod servers;
pub mod update;
