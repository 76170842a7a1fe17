use std::path::PathBuf;

use adapter_golem::Amount;
use clap::Args;

/// The options of the adapter `golem`. The address of yagna and its app-key are in the environment.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GolemOptions {
    /// The most that a deployment may cost on the Golem network, in GLM or tGLM. Required to rent anything
    ///
    /// The daemon is at `YAGNA_API_URL` (default: http://127.0.0.1:7465), the app-key of the identity that pays is
    /// `YAGNA_APPKEY`. Nothing is accepted beyond this amount, which is set aside as the allocation of the deployment.
    #[arg(long, value_name = "AMOUNT", value_parser = budget, allow_negative_numbers = true)]
    pub(crate) budget: Option<Amount>,
    /// The payment network that `golem` pays on, such as polygon or mainnet
    #[arg(long, value_name = "NAME", default_value = "holesky")]
    pub(crate) payment_network: String,
    /// The subnet in which `golem` looks for providers
    #[arg(long, value_name = "NAME", default_value = "public")]
    pub(crate) subnet: String,
    /// The folder for the records of `golem`. Default: beside the state
    #[arg(long, value_name = "FOLDER")]
    pub(crate) golem_folder: Option<PathBuf>,
}

fn budget(text: &str) -> Result<Amount, String> {
    adapter_golem::amount(text).ok_or_else(|| format!("`{text}` is not an amount above 0, such as 5 or 0.25"))
}
