//! Merged tree to desired resources: dialects, defaults, references, validation.
//!
//! Everything about kinds comes from the type definitions. Never fails; all errors are reported at once.
//!
//! Phases, each over all declarations: [`declare`](declare) finds the items and their fields, [`read`](read)
//! checks each value against its shape, [`packages`](packages) lets versions be chosen where there is a
//! package in place of an image, [`imply`](imply) inserts values that no file sets, [`linking`](linking)
//! matches consumers to providers, [`resolve`](resolve) replaces references by written values,
//! [`network`](network) checks addresses, [`same_port`](same_port) ports, [`build`](build) creates resources
//! and their dependencies.
//!
//! The contents of a resource's links are written into one of its own fields, so that references to them are
//! ordinary references, with an edge and an origin. Expressions over links are found here and read by an
//! [`AccessorReader`] that the caller gives, because their language belongs to a capability and not to the
//! core.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod accessor;
mod build;
mod cache;
pub mod codes;
mod declare;
mod imply;
mod linking;
mod moved;
mod names;
mod network;
mod packages;
mod range;
mod read;
mod resolve;
mod same_port;
mod spans;
mod template;
mod texts;

use std::sync::Arc;

use diag::{Diagnostics, Sources, Span};
use merge::Merged;
use model::{Address, Desired, EdgeKind, Pointer, Value};
use types::Types;

pub use accessor::{AccessorError, AccessorExpression, AccessorReader};
pub use cache::Cache;
pub use declare::DEPLOYMENT;
pub use linking::{Linking, UNNAMED};
pub use packages::{Choose, PackageRequest, Pin, Pins};
pub use read::value_of;
pub use template::{Piece, TemplateError, split as split_template};
pub use texts::keep_texts;

/// Options of lowering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// True if unknown keys are only warnings.
    pub lenient: bool,
    /// The rules that links are checked against.
    pub profile: links::Profile,
}

/// The result of lowering.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The desired resources.
    pub desired: Desired,
    /// Inferred values and defaults, by their place in the merged document.
    pub inferred: Vec<Inferred>,
    /// Every place that names another declaration, for going to its definition.
    pub uses: Vec<ReferenceUse>,
    /// The links of a deployment.
    pub linking: Linking,
    /// The packages that are required in place of images, in order of declaration.
    pub package_requests: Vec<PackageRequest>,
    /// The first expression over links for which there is no reader.
    pub unread_accessor: Option<Span>,
    /// The problems that were found.
    pub diagnostics: Diagnostics,
}

/// A value that no file sets.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// Its path in the merged document.
    pub pointer: Pointer,
    /// The value.
    pub value: Value,
    /// The reason, as a sentence.
    pub because: String,
}

/// A place that names another declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceUse {
    /// The place of the name.
    pub span: Span,
    /// The place of that declaration.
    pub target: Span,
    /// Its name.
    pub address: Address,
}

/// Another deployment, of which only the shared links are used.
#[derive(Clone, Debug)]
pub enum OtherDeployment<'a> {
    /// Described like the one that is lowered.
    Descriptors {
        /// Its name.
        name: Arc<str>,
        /// The merged tree of its descriptors.
        merged: &'a Merged,
    },
    /// Read by a capability.
    Read(links::Deployment),
}

/// A place of a resource that names another one, where no definition of a field says so.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedResource {
    /// The resource.
    pub by: Address,
    /// The attribute that has the name.
    pub path: Pointer,
    /// The resource that is named.
    pub to: Address,
    /// The kind of the connection.
    pub kind: EdgeKind,
    /// The place where the name is written.
    pub span: Span,
}

/// The input of lowering.
#[derive(Debug)]
pub struct Input<'a> {
    /// The merged tree.
    pub merged: &'a Merged,
    /// Other deployments that links may refer to.
    pub beside: Vec<OtherDeployment<'a>>,
    /// Places that name other resources, besides those that definitions of fields know. Those that name what is not
    /// described have no effect.
    pub names: &'a [NamedResource],
    /// The kinds.
    pub types: &'a Arc<Types>,
    /// The texts.
    pub sources: &'a Sources,
    /// Options.
    pub options: Options,
}

/// Lowers a merged tree. `choose` is called once for the versions of all required packages, and not at all if there are none.
/// `accessors` reads expressions over links. `cache` has the results of the last lowering, and then those of this one.
pub fn lower(
    input: Input<'_>,
    choose: Choose<'_>,
    accessors: Option<&dyn AccessorReader>,
    cache: &mut Cache,
) -> Lowered {
    let Input { merged, beside, names, types, sources, options } = input;
    cache.prepare(types, options);
    let mut declarations = declare::declare(merged, types, options, accessors);
    read::read(&mut declarations, sources, cache);
    let package_requests = packages::choose(&mut declarations, choose);
    imply::imply(&mut declarations);
    let (mut linking, map) = linking::link(&mut declarations, beside, sources);
    resolve::resolve(&mut declarations);
    linking::resolved(&mut declarations, &mut linking);
    network::check(&mut declarations);
    same_port::check(&mut declarations);
    let moved = moved::read(&mut declarations, &merged.root);
    let mut lowered = build::build(declarations, linking, &map, package_requests, cache);
    names::add(&mut lowered, names);
    lowered.desired.moved = moved;
    lowered
}
