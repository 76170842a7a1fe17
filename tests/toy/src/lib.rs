//! A capability with one small format, lists of hosts, and one kind, which is in no release: the tests use it to show that a
//! crate, a row in the table of parts and a page of the suite are all that a front end needs whose resources are planned, and
//! which is loaded on demand.
//!
//! Hosts have it when the crate `capabilities` is built with its feature `toy`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod codes;

use std::{net::IpAddr, sync::Arc};

use diag::{Diagnostic, Diagnostics, FileId, Span};
use merge::Layer;
use syntax::{Entry, Limits, Mapping, Node, NodeData};
use types::Types;
use workspace::{
    capability::{
        Candidate, Capability, Contribution, FileLayer, Format, FrontEnd, Input, Inputs, Precedence, Reader,
        Recognizer, Registration, SyntaxCheck,
    },
    view::Role,
};

use codes::ADDRESS;

/// The properties of the capability that are known before it is loaded.
pub static REGISTRATION: Registration = Registration { name: "toy", formats: &[&HOSTS], hooks: &[] };

static HOSTS: Format = Format {
    id: "toy-hosts",
    name: "list of hosts",
    role: Role::Layer,
    precedence: Precedence::Says,
    recognise: Recognizer::Content(recognise),
    reader: Reader::Layer,
    syntax: SyntaxCheck::All,
    notice: None,
    sample: "format: toy.hosts/1\nhosts:\n  web: 10.0.0.2\n",
};

/// The kind of its resources, in the form of files of type definitions.
const KINDS: &str = "
format: planloom.types/1
kinds:
  host:
    collection: hosts
    doc: A host with its address.
    fields: {address: {doc: The IP address of the host., type: text, required: true, on_change: update}}
";

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
        let kinds = syntax::parse(FileId(u32::MAX), KINDS, &Limits::default()).document;
        Contribution {
            diagnostics: roots().filter_map(hosts).flat_map(wrong_addresses).collect(),
            layers: inputs.of(&HOSTS).map(layer).collect(),
            kinds: types::read(&Types::default(), &kinds).0.kinds,
            ..Contribution::default()
        }
    }
}

fn recognise(candidate: &Candidate<'_>) -> Option<&'static str> {
    (candidate.text("format") == Some("toy.hosts/1")).then_some("it says `format: toy.hosts/1`")
}

fn hosts(root: &Node) -> Option<&Mapping> {
    root.get("hosts").and_then(Node::as_mapping)
}

/// The hosts of a file as resources: `{hosts: {web: {address: 10.0.0.2}}}`.
fn layer(input: Input<'_>) -> FileLayer {
    let root = input.document().root.as_ref();
    let resource = |it: &Entry| {
        let address = Entry { key: "address".into(), key_span: it.value.span, value: it.value.clone() };
        Entry { value: map(vec![address], it.value.span), ..it.clone() }
    };
    let tree = root.and_then(|root| {
        let entry = root.as_mapping()?.entry("hosts")?;
        let resources = hosts(root)?.entries.iter().map(resource).collect();
        let hosts = Entry { value: map(resources, entry.value.span), ..entry.clone() };
        Some(map(vec![hosts], root.span))
    });
    FileLayer { file: input.id, layer: Layer::new(tree, None), deployment: None }
}

fn map(entries: Vec<Entry>, span: Span) -> Node {
    Node::new(NodeData::Mapping(Arc::new(Mapping { entries })), span)
}

/// A diagnostic for each host whose address is none.
fn wrong_addresses(hosts: &Mapping) -> Diagnostics {
    hosts.entries.iter().filter_map(wrong_address).collect()
}

fn wrong_address(host: &Entry) -> Option<Diagnostic> {
    let is_address = host.value.as_str().is_some_and(|it| it.parse::<IpAddr>().is_ok());
    let message = || format!("the address of the host `{}` is not an IP address", host.key);
    (!is_address)
        .then(|| Diagnostic::error(ADDRESS, host.value.span, message()).help("write it as in `10.0.0.2`"))
}
