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
}

#[derive(Debug, Args)]
pub(crate) struct RegionStatus {
    /// The addresses of servers. The variable `PLANLOOM_TOKEN` has their token
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
