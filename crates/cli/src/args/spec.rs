use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Format;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  planloom spec expand library.yaml
  planloom spec graph library.yaml --format dot | dot -Tsvg
  planloom spec openapi library.yaml --out library.openapi.json
  planloom spec diff library-v1.yaml library-v2.yaml
  planloom spec convert library-v1.yaml library-v2.yaml --conversion v1-to-v2.yaml

A specification names the services that it imports without file: give the files of all of them with --import.")]
pub(crate) struct Spec {
    #[command(subcommand)]
    pub(crate) command: SpecCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SpecCommand {
    /// Report errors in specifications, with their locations and how to fix them
    Check(Specifications),
    /// Print what specifications imply: names, methods, routes, permissions
    Expand(Specifications),
    /// Print the graph of resource types: parents, references with their delete behaviours, imports
    Graph(SpecGraph),
    /// Compare two versions of a service, and report which changes break clients of the old one
    Diff(Diff),
    /// Check a conversion between two versions of a service, and print what is not the same, or resources of the other version
    Convert(Convert),
    /// Print TypeScript types of resources and requests, and interfaces of methods
    Types(Generate),
    /// Print an OpenAPI document of the API over HTTP
    #[command(name = "openapi")]
    OpenApi(Generate),
    /// Print the JSON Schema of resources; without SPEC that of specifications, for editors
    Schema(GenerateSchema),
    /// Print documentation in Markdown
    Docs(Generate),
    /// Print `.proto` files, or write them into a folder
    Proto(GenerateFiles),
    /// Print the list of permissions, as a fixture of `iam.edgelq.com/Permission`
    Permissions(Generate),
    /// Print default roles (administrator, editor, viewer), as a fixture of `iam.edgelq.com/Role`
    Roles(Generate),
}

/// The specifications that a command reads.
#[derive(Debug, Args)]
pub(crate) struct SpecificationFiles {
    /// Specifications of services; `-` is standard input
    #[arg(value_name = "SPEC", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The specification of an imported service (repeatable). Of several versions, the one of the service that imports it is
    /// used, or else the newest
    #[arg(long = "import", value_name = "SPEC", num_args = 1)]
    pub(crate) imports: Vec<PathBuf>,
    /// A `.proto` file of the services, with the fields and references of their resources (repeatable)
    #[arg(long = "proto", value_name = "FILE", num_args = 1)]
    pub(crate) protos: Vec<PathBuf>,
}

/// The graph of specifications, and in which language.
#[derive(Debug, Args)]
#[command(
    after_help = "In the text, each resource type is below its parents, with the fields that refer to other types.

References are known if the specifications declare `fields` or `.proto` files are given. A deletion that another resource
can block for ever is marked; `planloom spec check` explains it."
)]
pub(crate) struct SpecGraph {
    #[command(flatten)]
    pub(crate) source: SpecificationFiles,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: SpecGraphFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpecGraphFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// The language of Graphviz
    Dot,
    /// A Mermaid diagram, for Markdown
    Mermaid,
}

/// The arguments of commands that read specifications.
#[derive(Debug, Args)]
pub(crate) struct Specifications {
    #[command(flatten)]
    pub(crate) source: SpecificationFiles,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// What is generated from, and where it goes.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The file to write; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The same for the schema, which there is without specification, too.
#[derive(Debug, Args)]
pub(crate) struct GenerateSchema {
    /// The specification of a service; `-` is standard input
    #[arg(value_name = "SPEC")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) others: Others,
    /// The file to write; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The same for several files.
#[derive(Debug, Args)]
pub(crate) struct GenerateFiles {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The folder to write the files into; without it they are printed, one after the other
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// A specification with what it needs.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// The specification of a service; `-` is standard input
    #[arg(value_name = "SPEC")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) others: Others,
}

/// What a specification needs.
#[derive(Debug, Args)]
pub(crate) struct Others {
    /// The specification of an imported service (repeatable)
    #[arg(long = "import", value_name = "SPEC", num_args = 1)]
    pub(crate) imports: Vec<PathBuf>,
    /// A `.proto` file of the services, with the fields and references of their resources (repeatable)
    #[arg(long = "proto", value_name = "FILE", num_args = 1)]
    pub(crate) protos: Vec<PathBuf>,
}

/// Two versions of a service.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 no breaking change, 1 errors in the specifications, 2 breaking changes.

Example: planloom spec diff library-v1alpha2.yaml library-v1.yaml --import iam-v1alpha2.yaml --import iam-v1.yaml

Changes are classed by the lists of Goten's guide. Unlisted are changes that it does not mention. Fields and references are
compared if the specifications declare them or `.proto` files are given."
)]
pub(crate) struct Diff {
    /// The specification of the old version; `-` is standard input
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The specification of the new version, which may have the same number
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// The specification of a service that one of them imports (repeatable). Of several versions, each gets its own, or else the
    /// newest
    #[arg(long = "import", value_name = "SPEC", num_args = 1)]
    pub(crate) imports: Vec<PathBuf>,
    /// A `.proto` file of either version (repeatable)
    #[arg(long = "proto", value_name = "FILE", num_args = 1)]
    pub(crate) protos: Vec<PathBuf>,
    /// A `.proto` file of OLD, which then gets none of --proto (repeatable): for two states of one version
    #[arg(long = "old-proto", value_name = "FILE", num_args = 1)]
    pub(crate) old_protos: Vec<PathBuf>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// Two versions of a service, and what converts between them.
#[derive(Debug, Args)]
#[command(
    after_help = "A conversion can be undone: one that would lose something of the old version is refused. `planloom serve` answers
requests to the old version with it, from resources of the new one.

Example: planloom spec convert v1.yaml v2.yaml --conversion v1-to-v2.yaml --resources secrets.json"
)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) source: SpecificationFiles,
    /// The conversion; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) conversion: PathBuf,
    /// Resources of the old version in JSON, one or a list, each with its name: prints those of the new version
    #[arg(long, value_name = "FILE")]
    pub(crate) resources: Option<PathBuf>,
    /// Convert resources of the new version to the old one
    #[arg(long, requires = "resources")]
    pub(crate) back: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
