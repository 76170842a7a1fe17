use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Shows what a deployment will do before it does it.
#[derive(Debug, Parser)]
#[command(name = "planloom", version, disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0 fine, 1 errors, 2 `plan` found changes.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// Colour: auto, always or never. Auto respects `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Say what is wrong with descriptors, where, and what to do
    Check(Check),
    /// Print the merged document
    Merge(Merge),
    /// Print who needs whom, and what can start at the same time
    Graph(Graph),
    /// Say what has to happen, the dangerous part first
    Plan(Plan),
    /// Say where one value came from and what it replaced
    Explain(Explain),
    /// Print the JSON Schema of descriptors, for editors
    Schema(Schema),
}

/// What every verb that reads descriptors takes.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Descriptors in merge order: later ones win. `-` is standard input, a `.zip` a package
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) kinds: Kinds,
    /// Unknown keys are warnings, not errors
    #[arg(long)]
    pub(crate) lenient: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Kinds {
    /// Add or override kinds of resources with this definition file (repeatable)
    #[arg(long = "types", value_name = "FILE")]
    pub(crate) types: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One object for programs
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// For people
    Text,
    /// One object for programs
    Json,
    /// Graphviz
    Dot,
    /// For Markdown
    Mermaid,
    /// A picture
    Svg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KnockOn {
    /// A dependent acts when a value it takes changes or may change
    Values,
    /// A dependent acts whenever anything it needs acts, even where no value of it changes
    All,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom check base.yaml prod.yaml")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Text for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom merge base.yaml prod.yaml --origins

With --origins, `wins` says that a later file set another value, `replaces` that what was there does not
count any more, `joined` that lists were put behind each other, `merged by key` that several files wrote
keys of one map.")]
pub(crate) struct Merge {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Say behind each line which file wrote it, and by which rule
    #[arg(long)]
    pub(crate) origins: bool,
    /// YAML for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom graph base.yaml prod.yaml --format mermaid

A wave is what can start at the same time, once all waves before it are there.")]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to show it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: GraphFormat,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom plan base.yaml prod.yaml --state state.json")]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// What was recorded when it was last applied (`planloom.state/1`), `-` for standard input; nothing when left out
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// What really exists (`planloom.observed/1`), `-` for standard input; all is as recorded when left out
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Plan the removal of everything that is recorded
    #[arg(long)]
    pub(crate) destroy: bool,
    /// When a resource acts because of another one that it needs
    #[arg(long, value_name = "WHEN", default_value = "values")]
    pub(crate) knock_on: KnockOn,
    /// Also list what stays as it is, and all values of what is created
    #[arg(long)]
    pub(crate) all: bool,
    /// Text for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// Also write the plan, as JSON, to this file; `-` is standard output, which then holds nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom explain services.web.payload base.yaml prod.yaml")]
pub(crate) struct Explain {
    /// The place in the merged document, e.g. `/services/web/payload`, `services.web.payload` or `services."a.b"[0]`
    #[arg(value_name = "PLACE")]
    pub(crate) place: String,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Text for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom schema > descriptor.schema.json")]
pub(crate) struct Schema {
    #[command(flatten)]
    pub(crate) kinds: Kinds,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The file that an answer goes to; `None` for standard output.
pub(crate) fn destination(out: Option<&Path>) -> Option<&Path> {
    out.filter(|it| *it != Path::new("-"))
}
