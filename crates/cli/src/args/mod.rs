mod api;
mod changes;
mod golem;
mod region;
mod service;
mod spec;

use std::path::{Path, PathBuf};
use workspace::view;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, builder::ArgPredicate};

pub(crate) use api::ApiOptions;
pub(crate) use changes::Changes;
use golem::GolemOptions;
pub(crate) use region::{Region, RegionCheck, RegionCommand, RegionStatus, RegionWithdraw};
pub(crate) use service::ServiceInputs;
pub(crate) use spec::{
    Convert, Diff, Generate, GenerateFiles, GenerateSchema, Others, Spec, SpecCommand, SpecGraph,
    SpecGraphFormat, SpecificationFiles, Specifications,
};

/// Plans and applies deployments that layered YAML files describe.
#[derive(Debug, Parser)]
#[command(name = "planloom", version, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 success, 1 errors, 2 `plan` found changes, `compare` differences or `spec diff` breaking changes."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colour: auto, always or never. Auto respects `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Report errors in descriptors, with their locations and how to fix them
    Check(Check),
    /// Lay files out: indentation, spaces and blank lines; values and comments stay
    Format(FormatFiles),
    /// Merge descriptors and print the result
    Merge(Merge),
    /// Print the dependency graph and the order in which resources are created
    Graph(Graph),
    /// Show how two sets of files differ, and what applying the one over the other would do
    Compare(Compare),
    /// Print the link of each consumer, and why its provider was selected
    Links(Links),
    /// Choose versions of packages from catalogs, and explain the choices or the conflict
    Resolve(Resolve),
    /// Show the required changes, destructive ones first
    Plan(Plan),
    /// Apply the required changes, after confirmation
    Apply(Apply),
    /// Destroy all recorded resources, after confirmation
    #[command(
        after_help = "Example: planloom destroy app.yaml --state state.json --allow /usr/bin/redis-server

All resources that the state records are destroyed, including those that no file describes."
    )]
    Destroy(Apply),
    /// Check the recorded resources at an interval, and correct differences from the descriptors
    Watch(Watch),
    /// Show a state and its versions, restore an earlier version, or unlock it
    State(State),
    /// Test whether an adapter conforms to the protocol
    AdapterTest(AdapterTest),
    /// Serve the app, adapters and states on the loopback interface of this machine
    Serve(Box<Serve>),
    /// Show the regions that services are served in
    Region(Region),
    /// Show where a value comes from and which values it overrides, or what the code of a problem means
    Explain(Explain),
    /// Check and expand specifications of services
    Spec(Spec),
    /// Print the JSON Schema of descriptors, for editors
    Schema(Schema),
    /// Start and supervise a program of a service; called by the adapter `process`
    #[command(name = adapter_process::VERB, hide = true)]
    RunService(RunService),
    /// Take care of what is rented; called by the adapter `golem`
    #[command(name = adapter_golem::VERB, hide = true)]
    RunRequestorAgent(RunService),
}

#[derive(Debug, Args)]
pub(crate) struct RunService {
    /// The command and the service that it applies to
    #[arg(value_name = "WORDS", num_args = 2, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

/// The arguments of every verb that reads descriptors.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Descriptors in merge order: later ones override earlier ones. `-` is standard input, a `.zip` file a package
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) kinds: Kinds,
    /// Choose versions of packages from this OLM catalog, a file or a folder (repeatable; the first one has the highest priority)
    #[arg(long = "catalog", value_name = "[NAME=]PATH")]
    pub(crate) catalogs: Vec<String>,
    /// Report unknown keys as warnings instead of errors
    #[arg(long)]
    pub(crate) lenient: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Kinds {
    /// Add or override resource kinds with this file of type definitions (repeatable)
    #[arg(long = "types", value_name = "FILE")]
    pub(crate) types: Vec<PathBuf>,
}

/// The inputs of links other than descriptors.
#[derive(Debug, Default, Args)]
pub(crate) struct Bosh {
    /// A folder with the specs of BOSH release jobs, named `<release>__<job>.yml`
    #[arg(long, value_name = "DIR")]
    pub(crate) releases: Option<PathBuf>,
    /// The rules that links are checked against
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// The rules and messages of the BOSH director
    Bosh,
    /// Also report what the director accepts silently or detects only later
    Strict,
}

impl Profile {
    /// The same value as a workspace takes it.
    pub(crate) const fn view(self) -> view::LinkProfile {
        match self {
            Self::Bosh => view::LinkProfile::Bosh,
            Self::Strict => view::LinkProfile::Strict,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// All links
    All,
    /// Only links with problems
    Problems,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text to read
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Workflow commands of GitHub Actions, which annotate the lines of a pull request
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// The language of Graphviz
    Dot,
    /// A Mermaid diagram, for Markdown
    Mermaid,
    /// An image
    Svg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KnockOn {
    /// Act on a dependent if a value that it uses changes or may change
    Values,
    /// Act on a dependent whenever there is an action on a resource that it needs, even if none of its values changes
    All,
}

impl KnockOn {
    /// The same value as a plan takes it.
    pub(crate) const fn view(self) -> view::KnockOn {
        match self {
            Self::Values => view::KnockOn::Values,
            Self::All => view::KnockOn::All,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom check base.yaml prod.yaml")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) bosh: Bosh,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// An adapter whose type definitions are used (repeatable)
    #[arg(long = "adapter", value_name = "ADAPTER")]
    pub(crate) adapters: Vec<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom format base.yaml prod.yaml

Files are written in place, and those that changed are listed. Values, comments and the order of keys stay, and lines are
neither broken nor joined. A file that cannot be read as YAML is reported and left as it is; the others are formatted.")]
pub(crate) struct FormatFiles {
    /// The YAML files. `-` reads standard input and writes to standard output
    #[arg(value_name = "FILES", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing; list the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Write nothing; print what would change as a unified diff
    #[arg(long)]
    pub(crate) diff: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom merge base.yaml prod.yaml --origins

With --origins, `overrides` means that a later file set another value, `replaces` that the earlier value is not
used, `joined` that lists were concatenated, and `merged by key` that several files set keys of one map.

With -o or -l, any YAML file is changed as `bosh interpolate` does it: planloom merge pipeline.yml -o ops.yml -l vars.yml")]
pub(crate) struct Merge {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) bosh: Bosh,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// Show after each line which file set it, and by which merge rule
    #[arg(long)]
    pub(crate) origins: bool,
    /// The output format; `text` is YAML. `sarif` and `github` contain only the problems
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ReportFormat,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom compare base.yaml staging.yaml --to base.yaml production.yaml

Order, comments and notation do not count as differences: resources are compared by their meaning. A side may also be one
recorded state, a JSON file. The effect is what `apply` of the second side does where the first one is deployed. The exit
code is 2 if the sides differ.")]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The files that they are compared with, in merge order
    #[arg(long, value_name = "FILES", num_args = 1.., required = true)]
    pub(crate) to: Vec<PathBuf>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom graph base.yaml prod.yaml --format mermaid

A wave is a set of resources that can be created at the same time, after all earlier waves are active.")]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: GraphFormat,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom links cf.yml --releases specs --profile bosh

FILES may be descriptors and BOSH manifests, operations files, job specs, cloud configs and runtime configs. The
format of a file is recognised by its content. Links do not order resources, so they may form cycles.

With --preview, expressions over links and properties in an ERB template are evaluated. Ruby is not run: all other code is
reported, with its location.")]
pub(crate) struct Links {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) bosh: Bosh,
    /// Which links are listed
    #[arg(long, value_name = "WHAT", default_value = "all")]
    pub(crate) only: Only,
    /// Also show what changed since an earlier JSON output of this command (`planloom.links/1`)
    #[arg(long, value_name = "FILE")]
    pub(crate) since: Option<PathBuf>,
    /// Render a template with the links and properties of a BOSH job (`web/api`) or a service (`services.web`), instead of
    /// listing links
    #[arg(long, value_name = "GROUP/JOB", requires = "template", conflicts_with = "since")]
    pub(crate) preview: Option<String>,
    /// The template to render
    #[arg(long, value_name = "FILE", requires = "preview")]
    pub(crate) template: Option<PathBuf>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  planloom resolve app.yaml --catalog community=catalogs/ --lock
  planloom resolve app.yaml --catalog catalogs/ --if 'payloads.queue=^2.0.0'
  planloom resolve request.yaml --catalog catalogs/ --write-status
  planloom resolve problem.yaml

FILES may be descriptors whose payloads have `package: {name: …}`, documents of the kind ActiveResolution, or a problem
(`planloom.problem/1`). The `planloom.lock` beside the first file is read: locked versions count as installed, and `plan`
and `apply` use them. --lock writes that file.")]
pub(crate) struct Resolve {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The rules that versions are chosen by: those of OLM 0, of OLM 1, or of the first proposal for OLM
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<VersionProfile>,
    /// The version of OpenShift that bundles have to support
    #[arg(long, value_name = "X.Y")]
    pub(crate) openshift: Option<String>,
    /// The version of Kubernetes that bundles have to support
    #[arg(long, value_name = "X.Y.Z")]
    pub(crate) kubernetes: Option<String>,
    /// Ignore the versions in `planloom.lock`
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Set the priority of a catalog (repeatable). If several catalogs offer the same package, the one with the highest
    /// priority is used; by default the one that is given first
    #[arg(long = "priority", value_name = "NAME=NUMBER")]
    pub(crate) priorities: Vec<String>,
    /// Try another range of versions for one requirement (repeatable)
    #[arg(long = "if", value_name = "REQUIREMENT=RANGE")]
    pub(crate) instead: Vec<String>,
    /// Show what would have to change for this bundle to be chosen, instead of choosing versions
    #[arg(long = "move", value_name = "ID", conflicts_with_all = ["lock", "write_status"])]
    pub(crate) to: Option<String>,
    /// Show the upgrades between the versions of a package, instead of choosing versions
    #[arg(long, value_name = "PACKAGE", conflicts_with_all = ["lock", "write_status", "to"])]
    pub(crate) upgrades: Option<String>,
    /// List the bundles of the catalogs whose name, package or description contains this text, instead of choosing versions
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["lock", "write_status", "to", "upgrades"])]
    pub(crate) search: Option<String>,
    /// List the bundles that provide this API, given as `group/version/Kind`; `*` stands for any of the three
    #[arg(long, value_name = "API", conflicts_with_all = ["lock", "write_status", "to", "upgrades"])]
    pub(crate) provides: Option<String>,
    /// Explain the choice of each version
    #[arg(long)]
    pub(crate) why: bool,
    /// Write the chosen versions to the `planloom.lock` beside the first file
    #[arg(long, conflicts_with = "instead")]
    pub(crate) lock: bool,
    /// Write the outcome into the `status` of each ActiveResolution
    #[arg(long)]
    pub(crate) write_status: bool,
    /// The output format; `mermaid` applies to --upgrades only
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ResolveFormat,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResolveFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// A Mermaid diagram, for Markdown
    Mermaid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VersionProfile {
    /// OLM 0: one chain of replacements in each channel
    V0,
    /// OLM 1: any upgrade of any channel, highest version first
    V1,
    /// Default channel first, then highest version
    Phase0,
}

impl VersionProfile {
    /// The same value as a workspace takes it.
    pub(crate) const fn view(self) -> view::VersionProfile {
        match self {
            Self::V0 => view::VersionProfile::V0,
            Self::V1 => view::VersionProfile::V1,
            Self::Phase0 => view::VersionProfile::Phase0,
        }
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("services", |it| it.conflicts_with_all(["state", "observed", "refresh", "out", "types", "catalogs"])))]
#[command(after_help = "Example: planloom plan base.yaml prod.yaml --state state.json --out plan.json

A plan compares the descriptors with the recorded state. With --refresh, or with both --state and --adapter, it also
reads the resources that exist, without changing or locking anything. Missing and drifted resources are then part of the
plan and of the exit code.

`planloom apply plan.json` requires confirmation, and applies exactly the saved plan or nothing. A saved plan contains no
secrets, only marks that show whether they changed; with PLANLOOM_STATE_PASSPHRASE it is encrypted like the state.")]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) service: ServiceInputs,
    /// The state that was recorded when the deployment was last applied: a file (`planloom.state/1`), `-` for standard
    /// input, `https://…` or `etcd://…`. Default: an empty state
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// The resources that exist (`planloom.observed/1`), `-` for standard input. Default: as recorded
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Read the resources that exist before planning; `--refresh=false` compares with the recorded state only
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        conflicts_with = "observed",
        hide_possible_values = true
    )]
    pub(crate) refresh: Option<bool>,
    /// An adapter that `apply` will use (repeatable). Its type definitions are used; with `--state` its resources are also
    /// read. Default: `process`
    #[arg(long = "adapter", value_name = "ADAPTER")]
    pub(crate) adapters: Vec<String>,
    #[command(flatten)]
    pub(crate) programs: Programs,
    /// Plan to destroy all recorded resources
    #[arg(long)]
    pub(crate) destroy: bool,
    /// When an action on a resource causes an action on its dependents
    #[arg(long, value_name = "WHEN", default_value = "values")]
    pub(crate) knock_on: KnockOn,
    /// Also list unchanged resources, and all values of resources to be created
    #[arg(long)]
    pub(crate) all: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ReportFormat,
    /// Also write the plan, as JSON, to this file, which only the current user may read. With `-`, standard output contains
    /// the plan and nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The permissions of the adapters of this program.
#[derive(Debug, Default, Args)]
pub(crate) struct Programs {
    /// Allow this to be run, and nothing else (repeatable). For `process`: a program or a folder of programs. For
    /// `container`: a location that images are pulled from, e.g. `docker.io/library`, or a folder that they are built in.
    /// For `golem`: a folder that manifests are read from
    ///
    /// Descriptors can pass any arguments to an allowed program. An allowed interpreter such as `python3` or `sh` therefore
    /// runs any code that its arguments contain or name. A script is run by the interpreter that its first line names. A
    /// folder allows every program in it and in its subfolders, including programs that are added later. Links and `..` are
    /// resolved first, and files that every user of the machine can replace are refused. A folder that images are built in
    /// allows everything that its Containerfile pulls and runs.
    #[arg(long, value_name = "WHAT")]
    pub(crate) allow: Vec<PathBuf>,
    /// Allow descriptors to set this environment variable for programs of `process`: `NAME` or `PREFIX_*` (repeatable)
    ///
    /// LANG, LANGUAGE, LC_* and TZ are always allowed. Variables that determine which code a program runs, such as
    /// PATH, HOME, BASH_ENV, LD_PRELOAD, PYTHONPATH, NODE_OPTIONS and GIT_SSH_COMMAND, are always refused. PATH is
    /// always /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin, and HOME is the folder of the service. The
    /// variables of containers are not restricted, because they affect only the image and what is mounted.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_env: Vec<String>,
    /// Limit the resources of each program of `process`, e.g. `memory_mib=4096`; descriptors can only lower it (repeatable)
    ///
    /// `memory_mib` (default: half of the machine's memory), `file_size_mib` (16384) and `open_files` (16384) apply to each
    /// process, `pids` (4096) to all processes and threads of a service together. The value `unlimited` removes a limit.
    /// Core dumps are disabled.
    #[arg(long, value_name = "LIMIT=NUMBER")]
    pub(crate) limit: Vec<String>,
    /// Allow programs to have this folder as their working directory, besides their own folders (repeatable)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) work_in: Vec<PathBuf>,
    /// The folder for the records and logs of `process`. Default: beside the state
    #[arg(long, value_name = "FOLDER")]
    pub(crate) process_folder: Option<PathBuf>,
    /// Allow containers to mount this folder and everything in it (repeatable). A container that mounts the socket of a
    /// container engine controls the machine
    #[arg(long, value_name = "FOLDER")]
    pub(crate) mount: Vec<PathBuf>,
    /// The folder for the records of `container`. Default: beside the state
    #[arg(long, value_name = "FOLDER")]
    pub(crate) container_folder: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) golem: GolemOptions,
}

/// The arguments of every verb that applies changes.
#[derive(Debug, Args)]
pub(crate) struct Work {
    /// The location of the state: a file, `https://…` (the protocol of Terraform's HTTP backend) or `etcd://host:port/prefix`
    #[arg(long, value_name = "PLACE")]
    pub(crate) state: String,
    /// The adapter that creates the resources (repeatable): `process` (programs on this machine), `container` (with Podman
    /// or Docker), `golem` (rented from the Golem network), `simulator`, or a URL. `KIND=ADAPTER` uses it for one kind only.
    /// If several adapters support a kind, the last one is used. Default: `process`
    #[arg(long = "adapter", value_name = "ADAPTER")]
    pub(crate) adapters: Vec<String>,
    #[command(flatten)]
    pub(crate) programs: Programs,
    /// If a step fails or an adapter is unreachable, continue with the resources that do not depend on it
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Rebuild resources that their adapter cannot update in place
    #[arg(long)]
    pub(crate) allow_rebuild: bool,
    /// The maximum number of concurrent steps
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) parallel: u16,
    /// When an action on a resource causes an action on its dependents
    #[arg(long, value_name = "WHEN", default_value = "values")]
    pub(crate) knock_on: KnockOn,
    /// The output format; `json` is one event a line
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(mut_arg("services", |it| it.conflicts_with_all(["types", "catalogs", "remove_orphans", "adopt", "move_to", "lost"])))]
#[command(mut_arg("state", |it| it.required(false).required_unless_present("services").default_value_if("services", ArgPredicate::IsPresent, Some(""))))]
#[command(after_help = "Example: planloom apply app.yaml --state state.json --allow /usr/bin/redis-server

The first Ctrl-C waits for the running steps to finish, the second cancels them. In both cases the state is up to date:
apply again to continue.

Variables: PLANLOOM_ADAPTER_TOKEN is the token for the adapters of one server; for several servers it is
\"https://one:7070=TOKEN https://two=TOKEN\". PLANLOOM_STATE_TOKEN is the token for a state with a URL. With
PLANLOOM_STATE_PASSPHRASE the state is encrypted. DOCKER_HOST or CONTAINER_HOST is the socket of Docker or Podman,
e.g. unix:///run/podman/podman.sock; without them the default locations are tried.")]
pub(crate) struct Apply {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) service: ServiceInputs,
    #[command(flatten)]
    pub(crate) work: Work,
    /// Apply without confirmation. Otherwise confirmation is required, also for a saved plan, and without a terminal nothing
    /// is changed
    #[arg(long)]
    pub(crate) auto_approve: bool,
    /// Also destroy orphans: resources of this deployment that the adapters have and the state does not record
    #[arg(long)]
    pub(crate) remove_orphans: bool,
    /// First record orphans: resources of this deployment that the adapters have and the state does not record, for example
    /// after the state was lost. If they belong to several states, name the LINEAGE of one
    #[arg(
        long,
        value_name = "LINEAGE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "remove_orphans"
    )]
    pub(crate) adopt: Option<String>,
    /// Move the resources to this adapter, written as for `--adapter` (repeatable): each resource that another adapter
    /// created is destroyed there and created here. `--adapter` is the adapter that they move away from
    #[arg(long = "move-to", value_name = "ADAPTER")]
    pub(crate) move_to: Vec<String>,
    /// Treat resources that were created by another adapter than the given one as lost: they are neither read nor destroyed
    /// there
    #[arg(long)]
    pub(crate) lost: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: planloom watch app.yaml --state state.json --every 10 --allow /usr/bin/redis-server"
)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) work: Work,
    /// The number of seconds between two checks
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Only report differences, without correcting them
    #[arg(long)]
    pub(crate) only_look: bool,
    /// Also destroy recorded resources that are no longer in any file
    #[arg(long)]
    pub(crate) destroy: bool,
    /// Also create described resources that are not recorded, and the state if it does not exist. Otherwise only recorded
    /// resources are corrected
    #[arg(long)]
    pub(crate) create: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples: planloom serve app.yaml prod.yaml --open
          planloom serve --adapter process --allow /usr/bin/redis-server

The app shows exactly the given files: what other programs change in them is shown at once, and what is changed in the app is
written to them. In a folder, files that are created later are shown, too. A zip package is only read if it contains other files, too.

The server listens on the loopback interface only, unless --host names another address. Every client that has the printed
token can read and write the given files, and run the programs of the allow list. A new token is generated at each start, unless
PLANLOOM_TOKEN is set.

The server also stores states, over the protocol of Terraform's HTTP backend: `planloom apply app.yaml --state
http://127.0.0.1:PORT/state/NAME` with the token in PLANLOOM_STATE_TOKEN.")]
#[command(group(ArgGroup::new("served").args(["services", "serve_registry"]).multiple(true)))]
#[command(group(ArgGroup::new("neighbors").args(["peer", "registry", "serve_registry"]).multiple(true)))]
pub(crate) struct Serve {
    /// Files to open in the app, in merge order: descriptors, a folder with descriptors, or a zip package
    #[arg(value_name = "FILE", conflicts_with = "services")]
    pub(crate) files: Vec<PathBuf>,
    /// Open the app in the browser
    #[arg(long, conflicts_with = "services")]
    pub(crate) open: bool,
    /// An adapter to serve (repeatable): `process` (programs on this machine), `container` (with Podman or Docker), `golem`
    /// (rented from the Golem network) or `simulator`. Default: `process` and `simulator`
    #[arg(long = "adapter", value_name = "ADAPTER")]
    pub(crate) adapters: Vec<String>,
    #[command(flatten)]
    pub(crate) programs: Programs,
    /// Serve the API of this service specification (repeatable), instead of adapters and states
    #[arg(long = "service", value_name = "SPEC")]
    pub(crate) services: Vec<PathBuf>,
    /// The specification of a service that a served one imports (repeatable)
    #[arg(long = "import", value_name = "SPEC", requires = "services")]
    pub(crate) imports: Vec<PathBuf>,
    /// A `.proto` file of the services, with the fields and references of their resources (repeatable)
    #[arg(long = "proto", value_name = "FILE", requires = "services")]
    pub(crate) protos: Vec<PathBuf>,
    /// Keep the resources of the services in this file, folder (as `store.db`), or `etcd://host:port/prefix`. Default: in
    /// memory only
    #[arg(long, value_name = "PLACE", requires = "served")]
    pub(crate) store: Option<String>,
    #[command(flatten)]
    pub(crate) api: ApiOptions,
    /// The folder for the states that clients store. Default: beside the folder of `process`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) state_folder: Option<PathBuf>,
    /// The folder with the built app. Default: the app that is part of this program, if it is
    #[arg(long, value_name = "FOLDER")]
    pub(crate) app: Option<PathBuf>,
    /// The port. Default: a free port, for the same files the same one if it is free
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
    /// The address of this machine to serve at, e.g. `0.0.0.0` for all of them; only with --service. Default: `127.0.0.1`,
    /// which only this machine can reach. Requests and tokens are not encrypted, so put a server with TLS in front of it
    #[arg(long, value_name = "ADDRESS", requires = "served")]
    pub(crate) host: Option<std::net::IpAddr>,
    /// Allow requests from pages of this origin, e.g. `https://docs.example` or `http://localhost:8000` (repeatable)
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct State {
    #[command(subcommand)]
    pub(crate) command: StateCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StateCommand {
    /// Show the recorded resources of the current or an earlier version
    Show(StateShow),
    /// List the stored versions, latest first
    History(StatePlace),
    /// Show the differences between two versions
    Diff(StateDiff),
    /// Restore an earlier version of the state, without changing resources
    Restore(StateRestore),
    /// Show who has locked the state, or release the lock with the given id
    Unlock(StateUnlock),
    /// Encrypt a plain-text state with the passphrase in PLANLOOM_STATE_PASSPHRASE
    Encrypt(StatePlace),
}

#[derive(Debug, Args)]
pub(crate) struct StatePlace {
    /// The location of the state: a file, `https://…` (the protocol of Terraform's HTTP backend) or `etcd://host:port/prefix`
    #[arg(long, value_name = "PLACE")]
    pub(crate) state: String,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state show --state state.json")]
pub(crate) struct StateShow {
    #[command(flatten)]
    pub(crate) place: StatePlace,
    /// The version to show. Default: the current one
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<u64>,
    /// The folder with the records of `golem`, for what services cost. Default: beside the state
    #[arg(long, value_name = "FOLDER")]
    pub(crate) golem_folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state diff 7 --state state.json")]
pub(crate) struct StateDiff {
    /// The earlier version
    #[arg(value_name = "FROM")]
    pub(crate) from: u64,
    /// The later version. Default: the current one
    #[arg(value_name = "TO")]
    pub(crate) to: Option<u64>,
    #[command(flatten)]
    pub(crate) place: StatePlace,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state restore 7 --state state.json

To edit a state, run `planloom state show --format json > edited.json`, edit that file and remove its field `checksum`,
then run `planloom state restore --from edited.json`. The next write adds the checksum again.")]
pub(crate) struct StateRestore {
    /// The version to restore
    #[arg(value_name = "VERSION", required_unless_present = "from", conflicts_with = "from")]
    pub(crate) version: Option<u64>,
    /// Record the contents of this file instead of a version
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: StatePlace,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state unlock --state state.json")]
pub(crate) struct StateUnlock {
    /// The id of the lock, as `planloom state unlock` shows it
    #[arg(value_name = "LOCK")]
    pub(crate) lock: Option<String>,
    #[command(flatten)]
    pub(crate) place: StatePlace,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom adapter-test http://127.0.0.1:7070 --kind service --spec spec.json

The resources of the test belong to a separate deployment and are destroyed at the end. The token is read from
PLANLOOM_ADAPTER_TOKEN.")]
pub(crate) struct AdapterTest {
    /// The URL of the adapter, without `/v1`
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// The kind of the resources to create. Default: the first kind that the adapter supports
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// A JSON file with the attributes of the resources to create. Default: no attributes. In a string, an `n` in curly
    /// brackets is replaced by the number of the resource
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// A JSON file with attributes that an update in place can set
    #[arg(long, value_name = "FILE")]
    pub(crate) changed: Option<PathBuf>,
    /// A JSON file with attributes that require a rebuild
    #[arg(long, value_name = "FILE")]
    pub(crate) rebuild: Option<PathBuf>,
    /// The origin of a page whose requests the adapter has to accept
    #[arg(long)]
    pub(crate) origin: Option<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  planloom explain services.web.payload base.yaml prod.yaml
  planloom explain lower/unknown-key
  planloom explain codes")]
pub(crate) struct Explain {
    /// The path of the value in the merged document, e.g. `/services/web/payload`, `services.web.payload` or `services."a.b"[0]`;
    /// or the code of a problem, e.g. `lower/unknown-key`, without files; `codes` lists all of them
    #[arg(value_name = "PLACE")]
    pub(crate) place: String,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// The output format
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

/// The file that the output is written to; `None` for standard output.
pub(crate) fn destination(out: Option<&Path>) -> Option<&Path> {
    out.filter(|it| *it != Path::new("-"))
}
