//! A capability with one small format, lists of hosts, which is in no release: the tests use it to show that a crate, a row
//! in the table of parts and a page of the suite are all that a capability needs which is loaded on demand.
//!
//! Hosts have it when the crate `capabilities` is built with its feature `toy`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::net::IpAddr;

use diag::{Code, Diagnostic, Diagnostics};
use merge::{Layer, Merged};
use syntax::{Entry, Node};
use types::Types;
use workspace::{
    capability::{
        Candidate, Capability, CombinedDocument, Contribution, Format, FrontEnd, Input, Inputs, Precedence,
        Reader, Recognizer, Registration, SyntaxCheck,
    },
    view::Role,
};

const ADDRESS: Code = Code("toy/address");
const NOT_PLANNED: Code = Code("plan/hosts");

/// What is known of the capability before it is loaded.
pub static REGISTRATION: Registration = Registration { name: "toy", formats: &[&HOSTS], hooks: &[] };

static HOSTS: Format = Format {
    id: "toy-hosts",
    name: "list of hosts",
    role: Role::Layer,
    precedence: Precedence::Says,
    recognise: Recognizer::Content(recognise),
    reader: Reader::Capability,
    syntax: SyntaxCheck::All,
    notice: None,
    sample: "format: toy.hosts/1\nhosts:\n  web: 10.0.0.2\n",
};

/// The capability.
#[derive(Debug)]
pub struct Toy;

impl Capability for Toy {}

impl FrontEnd for Toy {
    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution {
        let roots = || inputs.of(&HOSTS).filter_map(|it| it.document().root.as_ref());
        let layers: Vec<Layer> = inputs.of(&HOSTS).map(layer).collect();
        Contribution {
            diagnostics: roots().flat_map(wrong_addresses).collect(),
            combined: (!layers.is_empty()).then(|| combined(&layers)),
            ..Contribution::default()
        }
    }
}

fn recognise(candidate: &Candidate<'_>) -> Option<&'static str> {
    (candidate.text("format") == Some("toy.hosts/1")).then_some("it says `format: toy.hosts/1`")
}

fn layer(input: Input<'_>) -> Layer {
    Layer::new(input.document().root.clone(), None)
}

fn combined(layers: &[Layer]) -> CombinedDocument {
    let (merged, _) = merge::merge(layers, &Types::builtin());
    CombinedDocument { not_planned: not_planned(&merged), merged }
}

fn not_planned(merged: &Merged) -> Diagnostic {
    Diagnostic::error(NOT_PLANNED, merged.root.span, "a list of hosts describes no resources to plan")
        .help("add a descriptor")
}

/// A diagnostic for each host whose address is none.
fn wrong_addresses(root: &Node) -> Diagnostics {
    let hosts = root.get("hosts").and_then(Node::as_mapping);
    hosts.into_iter().flat_map(|it| &it.entries).filter_map(wrong_address).collect()
}

fn wrong_address(host: &Entry) -> Option<Diagnostic> {
    let is_address = host.value.as_str().is_some_and(|it| it.parse::<IpAddr>().is_ok());
    let message = || format!("the address of the host `{}` is not an IP address", host.key);
    (!is_address)
        .then(|| Diagnostic::error(ADDRESS, host.value.span, message()).help("write it as in `10.0.0.2`"))
}
