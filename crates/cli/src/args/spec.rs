use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Args)]
#[command(after_help = "Example: planloom spec expand library.yaml

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
}

/// The arguments of every command that reads specifications.
#[derive(Debug, Args)]
pub(crate) struct Specifications {
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
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
