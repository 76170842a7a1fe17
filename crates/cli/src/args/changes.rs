use std::path::PathBuf;

use clap::Args;

/// Operations and variables, which change a document. The names are those of `bosh interpolate`.
#[derive(Debug, Default, Args)]
pub(crate) struct Changes {
    /// Apply this file of operations to the document in FILES, which may be any YAML file then (repeatable)
    #[arg(short = 'o', long = "ops-file", value_name = "FILE")]
    pub(crate) ops: Vec<PathBuf>,
    /// Replace `((name))` and `((name.key))` by the values in this file (repeatable; a later one wins)
    #[arg(short = 'l', long = "vars-file", value_name = "FILE")]
    pub(crate) vars_files: Vec<PathBuf>,
    /// Replace `((NAME))` by this value, which is YAML (repeatable; wins over files)
    #[arg(short = 'v', long = "var", value_name = "NAME=VALUE")]
    pub(crate) vars: Vec<String>,
    /// A variable that is not defined is an error, not a warning
    #[arg(long)]
    pub(crate) var_errs: bool,
    /// A defined variable that is not used is an error; otherwise only `--format json` lists it
    #[arg(long)]
    pub(crate) var_errs_unused: bool,
}
