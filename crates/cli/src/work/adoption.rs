//! Recording what a lost state left.

use serde_json::json;
use workspace::engine::{Engine, EngineError};

use crate::args::Format;
use crate::console::{write_err, write_out};
use crate::show::width::clean;

/// Records what the adapters have and the state does not, where that is requested, and says what that was. An empty
/// lineage is the only one that there is.
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
