use std::path::PathBuf;

use clap::Args;

/// What a served API allows, records and passes on.
#[derive(Debug, Default, Args)]
pub(crate) struct ApiOptions {
    /// The access policy: a YAML file with users, roles and bindings. Only its users are admitted, each with a token of its
    /// own. Without it, the token that is printed may do everything
    #[arg(long, value_name = "FILE", requires = "services")]
    pub(crate) access_policy: Option<PathBuf>,
    /// Append a line of JSON for each changed resource to this file: who changed it, when, and how it was before and after; and
    /// one for each write that is rejected
    #[arg(long, value_name = "FILE", requires = "served")]
    pub(crate) audit_log: Option<PathBuf>,
    /// How many resources of a kind there may be, in each project if its names begin with `projects/`: `Book=1000` (repeatable)
    #[arg(long, value_name = "KIND=NUMBER", requires = "services")]
    pub(crate) resource_limit: Vec<String>,
    /// The server that executes a method which the specification adds: `BookService/LendBook=http://127.0.0.1:9000/lend`
    /// (repeatable). It gets the message of the request by POST. Without it, such methods are answered with 501
    #[arg(long, value_name = "API/METHOD=URL", requires = "services")]
    pub(crate) hook: Vec<String>,
    /// A conversion from an old version of a service to a new one, whose resources are stored (repeatable). Requests to the old one
    /// are answered from them: `--service v1.yaml --service v2.yaml --conversion v1-to-v2.yaml`
    #[arg(long, value_name = "FILE", requires = "services", conflicts_with = "peer")]
    pub(crate) conversion: Vec<PathBuf>,
    /// The address of another server: of one that serves a service which is imported here, so that references to its resources
    /// hold, or of one whose service imports those here: `library.example.com=https://library.example.com`; or of one that serves
    /// a service in another region: `library.example.com@eastus2=https://eastus2.example.com` (repeatable). All have the same
    /// `PLANLOOM_TOKEN`, or `PLANLOOM_PEER_TOKEN` has theirs
    #[arg(
        long,
        value_name = "SERVICE[@REGION]=URL",
        requires = "services",
        conflicts_with = "access_policy"
    )]
    pub(crate) peer: Vec<String>,
    /// The registry at this address: the services that are served here register there with their region, and find the servers of
    /// other regions and of imported services. In place of `--peer`; it needs a `--store`
    #[arg(long, value_name = "URL", requires = "services", requires = "store", conflicts_with_all = ["peer", "access_policy", "conversion", "serve_registry"])]
    pub(crate) registry: Option<String>,
    /// Serve the registry of deployments too, with these regions: the service `meta.goten.com`, whose specification is built in.
    /// Other servers name this one with `--registry`. It needs a `--store`
    #[arg(
        long,
        value_name = "REGIONS",
        value_delimiter = ',',
        requires = "store",
        conflicts_with_all = ["peer", "access_policy", "conversion"]
    )]
    pub(crate) serve_registry: Vec<String>,
    /// The address at which other servers reach this one, if it is another one than the printed origin
    #[arg(long, value_name = "URL", requires = "served")]
    pub(crate) advertise: Option<String>,
    /// The region that this server is in
    #[arg(long, value_name = "NAME", requires = "served", default_value = "local")]
    pub(crate) region: String,
    /// The region that owns resources whose names have no region, where no policy above them says otherwise. With `--peer`, all
    /// servers of a service need the same one; in a registry, a service has the one that its first server names, or that one's region
    #[arg(long, value_name = "NAME", requires = "neighbors")]
    pub(crate) control_region: Option<String>,
    /// Store references to kinds that this server does not serve, though nothing checks them: the header
    /// `Planloom-Unchecked-References` of the response names them. Without it, such writes are refused
    #[arg(long, requires = "services")]
    pub(crate) accept_unserved_references: bool,
    /// Start although acknowledged writes are missing from the file of `--store`, which was cut short or replaced by an older
    /// one, and go on without them
    #[arg(long, requires = "store")]
    pub(crate) accept_lost_writes: bool,
}
