use std::path::{Path, PathBuf};
use workspace::view;

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
    /// Print who provides what for whom, and why
    Links(Links),
    /// Choose versions of packages from catalogs, and say why; or why it can't be done
    Resolve(Resolve),
    /// Say what has to happen, the dangerous part first
    Plan(Plan),
    /// Carry out what has to happen, after asking
    Apply(Apply),
    /// Remove everything that is recorded, after asking
    #[command(
        after_help = "Example: planloom destroy app.yaml --state state.json --allow /usr/bin/redis-server

Everything that the state records is destroyed, whether a file describes it or not."
    )]
    Destroy(Apply),
    /// Keep what exists as it is described: look again and again, and repair
    Watch(Watch),
    /// Look at a recorded state and its history, go back to an earlier one, free its lock
    State(State),
    /// Hold an adapter, in any language, to the protocol
    AdapterTest(AdapterTest),
    /// Serve the app, adapters and states to this machine, and to nobody else
    Serve(Serve),
    /// Say where one value came from and what it replaced
    Explain(Explain),
    /// Print the JSON Schema of descriptors, for editors
    Schema(Schema),
    /// Start and supervise a program of a service; the adapter `process` starts this
    #[command(name = adapter_process::VERB, hide = true)]
    RunService(RunService),
}

#[derive(Debug, Args)]
pub(crate) struct RunService {
    /// What to do, and for whom
    #[arg(value_name = "WORDS", num_args = 2, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

/// What every verb that reads descriptors takes.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Descriptors in merge order: later ones win. `-` is standard input, a `.zip` a package
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) kinds: Kinds,
    /// Choose versions of packages from this catalog of OLM, a file or a folder (repeatable: the first one counts most)
    #[arg(long = "catalog", value_name = "[NAME=]PATH")]
    pub(crate) catalogs: Vec<String>,
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

/// What links depend on besides descriptors.
#[derive(Debug, Default, Args)]
pub(crate) struct Bosh {
    /// A folder with the specs of BOSH's release jobs, named `<release>__<job>.yml`
    #[arg(long, value_name = "DIR")]
    pub(crate) releases: Option<PathBuf>,
    /// Whose rules count for links
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// As BOSH's director does it, in its words
    Bosh,
    /// What the director accepts in silence, or only finds later, is said
    Strict,
}

impl Profile {
    /// As workspaces take it.
    pub(crate) const fn view(self) -> view::LinkProfile {
        match self {
            Self::Bosh => view::LinkProfile::Bosh,
            Self::Strict => view::LinkProfile::Strict,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Everything
    All,
    /// What has to be mended
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

impl KnockOn {
    /// As plans take it.
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
    /// Text for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom merge base.yaml prod.yaml --origins

With --origins, `wins` means that a later file set another value, `replaces` that the earlier value is not
used, `joined` that lists were concatenated, `merged by key` that several files wrote
keys of one map.")]
pub(crate) struct Merge {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) bosh: Bosh,
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

A wave is what can start at the same time, once all earlier waves are active.")]
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
#[command(after_help = "Example: planloom links cf.yml --releases specs --profile bosh

FILES may be descriptors, and BOSH's manifests, operations files, job specs, cloud and runtime configs: what a
file is, is recognised by its content. Links do not order resources, so they may form cycles.

With --preview, expressions over links and properties in an ERB template are filled in. Ruby is not run: anything else is
reported, with its location.")]
pub(crate) struct Links {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) bosh: Bosh,
    /// What is listed
    #[arg(long, value_name = "WHAT", default_value = "all")]
    pub(crate) only: Only,
    /// Also tell what became of links since an earlier answer of this command (`planloom.links/1`)
    #[arg(long, value_name = "FILE")]
    pub(crate) since: Option<PathBuf>,
    /// Instead fill in a job's template (`web/api`), or a text of a service (`services.web`), with what that learns
    #[arg(long, value_name = "GROUP/JOB", requires = "template", conflicts_with = "since")]
    pub(crate) preview: Option<String>,
    /// The template that is filled in
    #[arg(long, value_name = "FILE", requires = "preview")]
    pub(crate) template: Option<PathBuf>,
    /// Text for people or JSON for programs
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
(`planloom.problem/1`). The `planloom.lock` beside the first file is read: what is locked counts as installed, and is
what `plan` and `apply` take. --lock writes it.")]
pub(crate) struct Resolve {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Whose rules count: OLM's versions 0 and 1, or those of its first proposal
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<VersionProfile>,
    /// The version of OpenShift that bundles have to run on
    #[arg(long, value_name = "X.Y")]
    pub(crate) openshift: Option<String>,
    /// The version of Kubernetes that bundles have to run on
    #[arg(long, value_name = "X.Y.Z")]
    pub(crate) kubernetes: Option<String>,
    /// What is locked does not count
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Of several catalogs that offer the same, the one of highest priority counts (repeatable). Where none is said,
    /// it is the one that is given first
    #[arg(long = "priority", value_name = "NAME=NUMBER")]
    pub(crate) priorities: Vec<String>,
    /// Try another range of versions for who asks (repeatable)
    #[arg(long = "if", value_name = "WHO=RANGE")]
    pub(crate) instead: Vec<String>,
    /// Instead say what would have to change for this bundle to be chosen
    #[arg(long = "move", value_name = "ID", conflicts_with_all = ["lock", "write_status"])]
    pub(crate) to: Option<String>,
    /// Instead show the upgrades between the versions of a package
    #[arg(long, value_name = "PACKAGE", conflicts_with_all = ["lock", "write_status", "to"])]
    pub(crate) upgrades: Option<String>,
    /// Say of each version why it is this one
    #[arg(long)]
    pub(crate) why: bool,
    /// Write what was chosen to the `planloom.lock` beside the first file
    #[arg(long, conflicts_with = "instead")]
    pub(crate) lock: bool,
    /// Write the outcome into the `status` of the ActiveResolution that asked
    #[arg(long)]
    pub(crate) write_status: bool,
    /// Text for people, JSON for programs; of --upgrades also Mermaid
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ResolveFormat,
    /// Write to this file instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResolveFormat {
    /// For people
    Text,
    /// One object for programs
    Json,
    /// For Markdown
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
    /// As workspaces take it.
    pub(crate) const fn view(self) -> view::VersionProfile {
        match self {
            Self::V0 => view::VersionProfile::V0,
            Self::V1 => view::VersionProfile::V1,
            Self::Phase0 => view::VersionProfile::Phase0,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom plan base.yaml prod.yaml --state state.json --out plan.json

A plan compares with the recorded state. With --refresh, or with both --state and --adapter, it also reads
what exists, without changing or locking anything; then missing and drifted resources are in the plan and in the exit code.

`planloom apply plan.json` asks, and applies exactly the saved plan or nothing. Secrets are not in it, only
marks that show whether they changed; with PLANLOOM_STATE_PASSPHRASE it is encrypted like the state.")]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// What was recorded when it was last applied: a file (`planloom.state/1`), `-` for standard input, `https://…` or
    /// `etcd://…`; nothing when left out
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// What really exists (`planloom.observed/1`), `-` for standard input; all is as recorded when left out
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Look at what really exists before planning, reading only; `--refresh=false` compares with the recorded state only
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
    /// What will make the resources, as `apply` takes it (repeatable): what it defines counts here too. With `--state`
    /// it is also what is looked at; `process` when left out
    #[arg(long = "adapter", value_name = "ADAPTER")]
    pub(crate) adapters: Vec<String>,
    #[command(flatten)]
    pub(crate) programs: Programs,
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
    /// Also write the plan, as JSON, to this file, which only you may read; `-` is standard output, which then holds
    /// nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// What the adapters `process` and `container` may do.
#[derive(Debug, Default, Args)]
pub(crate) struct Programs {
    /// What may be run (repeatable), nothing else is. For `process` a program, or a folder with such programs; for
    /// `container` a place that images are pulled from, e.g. `docker.io/library`, or a folder that they are built in
    ///
    /// A descriptor gives an allowed program any arguments. So an interpreter such as `python3` or `sh` runs any code
    /// that they hold or name, and a script is run by the interpreter in its first line. A folder allows each program in
    /// it and below it, at any time, whoever puts it there. Links and `..` are followed first, and what every user of the
    /// machine could replace is refused. A folder that images are built in allows what its Containerfile pulls and runs.
    #[arg(long, value_name = "WHAT")]
    pub(crate) allow: Vec<PathBuf>,
    /// An environment variable that descriptors may set for programs of `process`: `NAME` or `PREFIX_*` (repeatable)
    ///
    /// Without it they may set LANG, LANGUAGE, LC_* and TZ. Variables that decide which code a program runs, such as
    /// PATH, HOME, BASH_ENV, LD_PRELOAD, PYTHONPATH, NODE_OPTIONS and GIT_SSH_COMMAND, are refused in any case. PATH is
    /// always /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin, HOME the service's own folder. The variables
    /// of containers are not restricted: they reach the image and what is mounted only.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_env: Vec<String>,
    /// What each program of `process` may use at most, e.g. `memory_mib=4096`; descriptors can only lower it (repeatable)
    ///
    /// `memory_mib` (half of the machine's memory), `file_size_mib` (16384) and `open_files` (16384) hold for each
    /// process, `pids` (4096) for all processes and threads of a service. `unlimited` takes a limit away. There are no core
    /// dumps.
    #[arg(long, value_name = "LIMIT=NUMBER")]
    pub(crate) limit: Vec<String>,
    /// A folder that programs may be started in (repeatable), besides folders of their own
    #[arg(long, value_name = "FOLDER")]
    pub(crate) work_in: Vec<PathBuf>,
    /// Where `process` keeps its records and logs; beside the state when left out
    #[arg(long, value_name = "FOLDER")]
    pub(crate) process_folder: Option<PathBuf>,
    /// A folder that containers may mount, also what is in it (repeatable). Mounting a container engine's socket gives
    /// control of the machine
    #[arg(long, value_name = "FOLDER")]
    pub(crate) mount: Vec<PathBuf>,
    /// Where `container` keeps what was asked for; beside the state when left out
    #[arg(long, value_name = "FOLDER")]
    pub(crate) container_folder: Option<PathBuf>,
}

/// What every verb that does something takes.
#[derive(Debug, Args)]
pub(crate) struct Work {
    /// Where the state is kept: a file, `https://…` (Terraform's protocol) or `etcd://host:port/prefix`
    #[arg(long, value_name = "PLACE")]
    pub(crate) state: String,
    /// What makes the resources: `process` (programs on this machine), `container` (with Podman or Docker),
    /// `simulator`, or an address; `KIND=` before it for one kind only (repeatable). Of several that make a kind the
    /// last one does. `process` when left out
    #[arg(long = "adapter", value_name = "ADAPTER")]
    pub(crate) adapters: Vec<String>,
    #[command(flatten)]
    pub(crate) programs: Programs,
    /// Where something fails, or an adapter cannot be reached, go on with what does not depend on it
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Rebuild what an adapter does not change in place
    #[arg(long)]
    pub(crate) allow_rebuild: bool,
    /// Steps at a time
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) parallel: u16,
    /// When a resource acts because of another one that it needs
    #[arg(long, value_name = "WHEN", default_value = "values")]
    pub(crate) knock_on: KnockOn,
    /// Text for people, or JSON for programs: one event a line
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom apply app.yaml --state state.json --allow /usr/bin/redis-server

Ctrl-C waits for the running steps to finish; a second one cancels them. Either way nothing is lost: apply
again to go on.

Variables: PLANLOOM_ADAPTER_TOKEN is the token for the adapters at one server; with several servers it is
\"https://one:7070=TOKEN https://two=TOKEN\". PLANLOOM_STATE_TOKEN is the token for a state at an
address; with PLANLOOM_STATE_PASSPHRASE the state is encrypted. DOCKER_HOST or CONTAINER_HOST names the socket
of Podman or Docker, e.g. unix:///run/podman/podman.sock; without them the usual locations are tried.")]
pub(crate) struct Apply {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) work: Work,
    /// Do not ask; without it a saved plan is asked for, too, and nothing is done where nobody can answer
    #[arg(long)]
    pub(crate) auto_approve: bool,
    /// Also destroy what the adapters have of this deployment and no state records
    #[arg(long)]
    pub(crate) remove_orphans: bool,
    /// First record what the adapters have of this deployment and the state does not: what a lost state left, and what
    /// is not recorded any more. Where there is more than one LINEAGE, say which
    #[arg(
        long,
        value_name = "LINEAGE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "remove_orphans"
    )]
    pub(crate) adopt: Option<String>,
    /// What makes the resources from now on, written as for `--adapter` (repeatable): each that another adapter made is
    /// destroyed there and created here. `--adapter` is the one that they move away from
    #[arg(long = "move-to", value_name = "ADAPTER")]
    pub(crate) move_to: Vec<String>,
    /// What was made by another adapter than the one that is given is gone with that adapter. It is not looked for, and
    /// nothing there is destroyed
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
    /// Seconds between two looks
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Only say what is different; repair nothing
    #[arg(long)]
    pub(crate) only_look: bool,
    /// Also destroy what is not described any more
    #[arg(long)]
    pub(crate) destroy: bool,
    /// Also create what is described and not recorded, and the state where there is none; otherwise only what is
    /// recorded is kept as it is described
    #[arg(long)]
    pub(crate) create: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom serve --adapter process --allow /usr/bin/redis-server

It listens on this machine's loopback only. Every client with the token that it prints can run programs of the
allow list; a new token is generated at each start, unless PLANLOOM_TOKEN is set.

It keeps states, too, over Terraform's protocol: `planloom apply app.yaml --state http://127.0.0.1:PORT/state/NAME`
with the token in PLANLOOM_STATE_TOKEN.")]
pub(crate) struct Serve {
    /// What to serve: `process` (programs on this machine), `container` (with Podman or Docker) or `simulator`
    /// (repeatable). `process` and `simulator` when left out
    #[arg(long = "adapter", value_name = "ADAPTER")]
    pub(crate) adapters: Vec<String>,
    #[command(flatten)]
    pub(crate) programs: Programs,
    /// Where the states are kept that others write here; beside the folder of `process` when left out
    #[arg(long, value_name = "FOLDER")]
    pub(crate) state_folder: Option<PathBuf>,
    /// The folder with the built app; without it only adapters and states are served
    #[arg(long, value_name = "FOLDER")]
    pub(crate) app: Option<PathBuf>,
    /// The port; a free one when left out
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
    /// The origin of another page that may call what is served, e.g. `https://docs.example` (repeatable)
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// Text for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct State {
    #[command(subcommand)]
    pub(crate) verb: StateVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StateVerb {
    /// What is recorded, now or at an earlier version
    Show(StateShow),
    /// The versions that are kept, latest first
    History(StatePlace),
    /// What became different between two versions
    Diff(StateDiff),
    /// Record again what an earlier version recorded; nothing real changes by that
    Restore(StateRestore),
    /// Say who holds the state; with a lock's name, take it away from them
    Unlock(StateUnlock),
    /// Encrypt a state that was kept in clear text, with the passphrase in PLANLOOM_STATE_PASSPHRASE
    Encrypt(StatePlace),
}

#[derive(Debug, Args)]
pub(crate) struct StatePlace {
    /// Where the state is kept: a file, `https://…` (Terraform's protocol) or `etcd://host:port/prefix`
    #[arg(long, value_name = "PLACE")]
    pub(crate) state: String,
    /// Text for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state show --state state.json")]
pub(crate) struct StateShow {
    #[command(flatten)]
    pub(crate) place: StatePlace,
    /// An earlier version
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state diff 7 --state state.json")]
pub(crate) struct StateDiff {
    /// The earlier version
    #[arg(value_name = "FROM")]
    pub(crate) from: u64,
    /// The later one; as it is now when left out
    #[arg(value_name = "TO")]
    pub(crate) to: Option<u64>,
    #[command(flatten)]
    pub(crate) place: StatePlace,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state restore 7 --state state.json

A state that was edited is given with `--from`: `planloom state show --format json > edited.json`, edit, then
`planloom state restore --from edited.json`. The field `checksum` of a state that is edited has to be removed; the
next write puts one back.")]
pub(crate) struct StateRestore {
    /// The version to go back to
    #[arg(value_name = "VERSION", required_unless_present = "from", conflicts_with = "from")]
    pub(crate) version: Option<u64>,
    /// Record what this file says instead
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: StatePlace,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom state unlock --state state.json")]
pub(crate) struct StateUnlock {
    /// The lock's name, as `planloom state unlock` without it says
    #[arg(value_name = "LOCK")]
    pub(crate) lock: Option<String>,
    #[command(flatten)]
    pub(crate) place: StatePlace,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom adapter-test http://127.0.0.1:7070 --kind service --spec spec.json

What is created belongs to a deployment of its own and is destroyed again. The token is taken from
PLANLOOM_ADAPTER_TOKEN.")]
pub(crate) struct AdapterTest {
    /// The adapter's address, as it stands before `/v1`
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// The kind to make; the first that the adapter describes when left out
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// The attributes to make it with, as a JSON file; none when left out. In a text, an `n` in curly brackets stands
    /// for the number of the resource
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// Attributes that it can be changed to in place
    #[arg(long, value_name = "FILE")]
    pub(crate) changed: Option<PathBuf>,
    /// Attributes that it can only have by being made anew
    #[arg(long, value_name = "FILE")]
    pub(crate) rebuild: Option<PathBuf>,
    /// A page's origin that the adapter has to let in
    #[arg(long)]
    pub(crate) origin: Option<String>,
    /// Text for people or JSON for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
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
