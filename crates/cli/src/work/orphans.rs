//! Resources that adapters have of a deployment and no state records: as after a return to an earlier version of the
//! state.

use std::collections::BTreeSet;

use serde_json::json;
use workspace::engine::{Engine, EngineError, Orphan};
use workspace::view::words::count;
use workspace::view::{DiagnosticView, PlanView, Severity};

use super::errors::diagnostic;
use crate::args::Format;
use crate::console::{Console, write_err, write_out};
use crate::problem::problem;
use crate::show::width::clean;

const HELP: &str = "no state records them, so no run would destroy them: add `--remove-orphans` to \
                    destroy them, or restore a version of the state that has them";

/// The resources that run, and will not be part of the deployment once a plan is applied: a resource that is made again
/// takes over the one that has its future id.
///
/// # Errors
/// If an adapter cannot report its resources.
pub(crate) async fn find(engine: &Engine, plan: &PlanView) -> Result<Vec<Orphan>, EngineError> {
    let taken = taken_over(engine, plan);
    let found = engine.orphans().await?;
    Ok(found.into_iter().filter(|it| !it.is_gone && !taken.contains(&it.id.id)).collect())
}

/// The ids that a plan will give.
fn taken_over(engine: &Engine, plan: &PlanView) -> BTreeSet<String> {
    let snapshot = engine.snapshot();
    let makes = plan.actions.iter().filter(|it| it.action.creates());
    let next =
        |address: &str| protocol::resource_id(&snapshot.lineage, address, snapshot.next_generation(address));
    makes.map(|it| next(&it.address)).collect()
}

/// The warning about orphans that are not destroyed.
pub(crate) fn warning(orphans: &[Orphan]) -> DiagnosticView {
    let names: Vec<String> = orphans.iter().map(name).collect();
    let resources = count(orphans.len(), "resource");
    let message = format!("{resources} of this deployment not recorded by the state: {}", names.join(", "));
    DiagnosticView { severity: Severity::Warning, ..problem(report::codes::ORPHANS, None, message, HELP) }
}

/// `services.web (process, service tj54…)`.
fn name(orphan: &Orphan) -> String {
    let Orphan { address, adapter, id, .. } = orphan;
    format!("{address} ({adapter}, {} {})", id.kind, id.id)
}

/// The removal of orphans, and its output.
#[derive(Clone, Copy)]
pub(crate) struct OrphanRemoval<'r> {
    pub(crate) engine: &'r Engine,
    pub(crate) format: Format,
    pub(crate) console: Console,
}

impl OrphanRemoval<'_> {
    /// Names them beside the plan that is to be approved.
    pub(crate) fn announce(self, orphans: &[Orphan]) {
        let lines: String = orphans.iter().map(|it| format!("  − destroy {}\n", clean(&name(it)))).collect();
        let title = format!("\nDestroy, because no state records them ({})\n", orphans.len());
        // A closed output does not change the result, here and below.
        drop(match self.format {
            Format::Text => write_out(&(self.console.out.bold(&title) + &lines)),
            Format::Json => write_out(&format!("{}\n", json!({"type": "orphans", "orphans": orphans}))),
        });
    }

    /// Destroys those that were approved and still are recorded nowhere; returns the errors of those that remain. Their
    /// dependencies are not known, so the order is found by trying again.
    pub(crate) async fn destroy_all(self, approved: Vec<Orphan>) -> Result<Vec<DiagnosticView>, EngineError> {
        let there = self.engine.orphans().await?;
        let is_there = |it: &Orphan| there.iter().any(|now| (&now.adapter, &now.id) == (&it.adapter, &it.id));
        let mut left: Vec<Orphan> = approved.into_iter().filter(is_there).collect();
        loop {
            let (before, failed) = (left.len(), self.pass(left).await);
            if failed.is_empty() || failed.len() == before {
                return Ok(failed.iter().map(|(orphan, error)| self.not_removed(orphan, error)).collect());
            }
            left = failed.into_iter().map(|(orphan, _)| orphan).collect();
        }
    }

    /// Tries to destroy each once; returns those that remain.
    async fn pass(self, orphans: Vec<Orphan>) -> Vec<(Orphan, EngineError)> {
        let mut failed = Vec::new();
        for orphan in orphans {
            match self.engine.remove_orphan(&orphan).await {
                Ok(()) => self.tell(&orphan, "done"),
                Err(error) => failed.push((orphan, error)),
            }
        }
        failed
    }

    fn not_removed(self, orphan: &Orphan, error: &EngineError) -> DiagnosticView {
        self.tell(orphan, "failed");
        let view = diagnostic(error);
        DiagnosticView {
            message: format!("`{}` could not be destroyed: {}", name(orphan), view.message),
            ..view
        }
    }

    fn tell(self, orphan: &Orphan, state: &str) {
        let word = if state == "done" { "destroyed" } else { "not destroyed" };
        drop(match self.format {
            Format::Text => write_err(&format!("− {}: {word}\n", clean(&name(orphan)))),
            Format::Json => {
                write_out(&format!("{}\n", json!({"type": "orphan", "state": state, "orphan": orphan})))
            }
        });
    }
}
