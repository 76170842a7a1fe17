use std::path::PathBuf;

use clap::Args;

/// The services that files of fixtures are of.
#[derive(Debug, Default, Args)]
pub(crate) struct ServiceInputs {
    /// The specification of a service (repeatable). FILES are then fixtures, resources of the service, and are compared with
    /// what the service at the address of `--adapter` has. The token is read from PLANLOOM_TOKEN
    #[arg(long = "service", value_name = "SPEC", num_args = 1)]
    pub(crate) services: Vec<PathBuf>,
    /// The specification of a service that one of them imports (repeatable)
    #[arg(long = "import", value_name = "SPEC", num_args = 1, requires = "services")]
    pub(crate) imports: Vec<PathBuf>,
    /// A `.proto` file of the services, with the fields and references of their resources (repeatable)
    #[arg(long = "proto", value_name = "FILE", num_args = 1, requires = "services")]
    pub(crate) protos: Vec<PathBuf>,
    /// Delete what is in the parent and filter of fixtures and in no file, also of kinds that do not record who created them,
    /// and also if the files list nothing
    #[arg(long, requires = "services")]
    pub(crate) prune: bool,
}
