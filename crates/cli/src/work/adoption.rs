//! The adoption of resources whose state was lost.

use protocol::resource_id;
use serde_json::json;
use workspace::PlanOptions;
use workspace::engine::{Engine, EngineError};

use crate::args::Format;
use crate::console::{write_err, write_out};
use crate::load::Loaded;
use crate::show::width::clean;

/// The resources to adopt.
#[derive(Clone, Debug)]
pub(crate) struct Adoption<'a> {
    /// The beginning of its lineage; empty if there is only one.
    pub(crate) lineage: &'a str,
    /// The name of the deployment.
    pub(crate) deployment: String,
    /// The addresses that are described.
    pub(crate) addresses: Vec<String>,
}

impl<'a> Adoption<'a> {
    /// The adoption of the resources that are described.
    pub(crate) fn new(lineage: &'a str, loaded: &mut Loaded) -> Self {
        let described = loaded.workspace.plan(&PlanOptions::default());
        let addresses = described.actions.into_iter().map(|it| it.address).collect();
        Self { lineage, deployment: described.deployment, addresses }
    }

    /// The address and the generation of a resource of that lineage, if it is described.
    pub(crate) fn address(&self, lineage: &str, id: &str) -> Option<(String, u64)> {
        let generations = |address| (1..=GENERATIONS).map(move |generation| (address, generation));
        let mut all = self.addresses.iter().flat_map(generations);
        let (address, generation) = all.find(|it| resource_id(lineage, it.0, it.1) == id)?;
        Some((address.clone(), generation))
    }
}

/// The maximum number of generations of a resource that are tried to find its address.
const GENERATIONS: u64 = 1000;

/// Adopts the resources that the adapters have and the state does not record, if requested, and reports them. An empty
/// lineage stands for the only one that there is.
pub(crate) async fn adopt(engine: &Engine, lineage: Option<&str>, format: Format) -> Result<(), EngineError> {
    let Some(lineage) = lineage else { return Ok(()) };
    let adopted = engine.adopt(Some(lineage).filter(|it| !it.is_empty())).await?;
    // A closed output does not change the result.
    drop(match format {
        Format::Text if adopted.is_empty() => write_err("There is nothing to adopt.\n"),
        Format::Text => write_err(&format!("Adopted {}.\n", clean(&adopted.join(", ")))),
        Format::Json => write_out(&format!("{}\n", json!({"type": "adopted", "addresses": adopted}))),
    });
    Ok(())
}
