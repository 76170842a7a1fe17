use clap::{Args, Subcommand};

use super::Format;

/// The regions of services that are served.
#[derive(Debug, Args)]
pub(crate) struct Region {
    #[command(subcommand)]
    pub(crate) command: RegionCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RegionCommand {
    /// Show what the servers of regions have copied from each other, what they wait for, and what is wrong
    Status(RegionStatus),
    /// Show the newest versions that the services of a registry can operate on together, or why none fit
    Check(RegionCheck),
    /// Remove the server of a region from a registry. Others do not send requests to it any more, and make no copies of what it has
    Withdraw(RegionWithdraw),
}

#[derive(Debug, Args)]
pub(crate) struct RegionCheck {
    /// The address of the registry. The variable `PLANLOOM_TOKEN` has its token
    #[arg(long, value_name = "URL")]
    pub(crate) registry: String,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(
    after_help = "What the region owns is not moved: stop the server, and keep its store if that is needed. A server that is started again is
registered again."
)]
pub(crate) struct RegionWithdraw {
    /// The service and its region
    #[arg(value_name = "SERVICE@REGION")]
    pub(crate) deployment: String,
    /// The address of the registry. The variable `PLANLOOM_TOKEN` has its token
    #[arg(long, value_name = "URL")]
    pub(crate) registry: String,
}

#[derive(Debug, Args)]
pub(crate) struct RegionStatus {
    /// The addresses of servers. The variable `PLANLOOM_TOKEN` has their token
    #[arg(value_name = "URL", required_unless_present = "registry")]
    pub(crate) urls: Vec<String>,
    /// The address of a registry: all servers that are registered there
    #[arg(long, value_name = "URL")]
    pub(crate) registry: Option<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
