//! Rentals from the Golem network that are recorded nowhere, because the state and the folder of its adapter were lost.

use report::codes;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use adapter::{Ledger, Record};
use adapter_golem::{FoundAgreement, GolemAdapter};
use host::FileLedger;
use workspace::view::words::count;
use workspace::view::{DiagnosticView, Severity};

use super::{Embedded, Home, golem, unusable};
use crate::args::Programs;
use crate::problem::problem;
use crate::work::adoption::Adoption;

const GOLEM: &str = Embedded::Golem.name();

/// Agreements, by the lineage of their deployment.
type Deployments = BTreeMap<String, Vec<FoundAgreement>>;

impl Home<'_> {
    /// Prepares what is to be adopted by a new state: records what the daemon has of it. Notes what else the daemon has,
    /// because it may be what was lost.
    pub(super) async fn find_lost(
        &self,
        adapter: &GolemAdapter,
        ledger: &mut FileLedger,
    ) -> Result<(), Box<DiagnosticView>> {
        let found = adapter.deployments().await.map_err(|why| unusable(GOLEM, &why.to_string()))?;
        let recorded = ledger.load().map_err(|why| unusable(GOLEM, &why))?;
        let lineage = match self.adoption {
            Some(adoption) => named(adoption, &recorded, &found)?,
            None => None,
        };
        if let (Some(adoption), Some(lineage)) = (self.adoption, &lineage) {
            let found = found.get(lineage).cloned().unwrap_or_default();
            adapter.forget_interrupted(&found).map_err(|why| unusable(GOLEM, &why.to_string()))?;
            let found = GolemAdapter::records(lineage, found);
            for record in prepared(&recorded, found, lineage, adoption) {
                ledger.put(&record).map_err(|why| unusable(GOLEM, &why))?;
            }
        }
        self.notes.borrow_mut().extend(note(&found, lineage.as_deref()));
        Ok(())
    }
}

/// The same note for a plan of what no state records yet. A plan needs no daemon, so nothing is noted where none answers.
pub(crate) async fn still_rented(programs: &Programs, folder: &Path) -> Option<DiagnosticView> {
    let adapter = GolemAdapter::open_to_look(golem::options(programs, folder).ok()?).ok()?;
    note(&adapter.deployments().await.ok()?, None)
}

/// The lineage that is to be adopted, if this adapter has anything of it. One that only the daemon knows has to be named,
/// because it may be a deployment that is not lost.
fn named(
    adoption: &Adoption<'_>,
    recorded: &[Record],
    found: &Deployments,
) -> Result<Option<String>, Box<DiagnosticView>> {
    let of_name = recorded.iter().filter(|it| it.deployment_name == adoption.deployment);
    let known = |it: &Record| it.known.request.deployment.clone();
    let all: BTreeSet<String> = match adoption.lineage {
        "" => of_name.map(known).collect(),
        beginning => {
            let all = recorded.iter().map(known).chain(found.keys().cloned());
            all.filter(|it| it.starts_with(beginning)).collect()
        }
    };
    match (all.len(), adoption.lineage.is_empty()) {
        (0, true) if !found.is_empty() => Err(Box::new(not_named(found))),
        (1, _) => Ok(all.into_iter().next()),
        (0, _) | (_, true) => Ok(None),
        (_, false) => Err(Box::new(not_named(found))),
    }
}

/// The records to write so that a lineage can be adopted: under the name of the deployment, and for each agreement.
fn prepared(recorded: &[Record], found: Vec<Record>, lineage: &str, adoption: &Adoption<'_>) -> Vec<Record> {
    let of_lineage = recorded.iter().filter(|it| it.known.request.deployment == lineage);
    let renamed = of_lineage.map(|it| Record { deployment_name: adoption.deployment.clone(), ..it.clone() });
    let is_unknown = |it: &Record| !recorded.iter().any(|known| known.id() == it.id());
    let unknown = found.into_iter().filter(is_unknown).map(|it| adopted(it, adoption));
    renamed.chain(unknown).collect()
}

/// With the name of the deployment, and the address if it is described.
fn adopted(mut record: Record, adoption: &Adoption<'_>) -> Record {
    let request = &mut record.known.request;
    let unknown = || (format!("services.{}", request.id.id), 1);
    let (address, generation) = adoption.address(&request.deployment, &request.id.id).unwrap_or_else(unknown);
    (request.address, request.generation) = (address, generation);
    record.deployment_name.clone_from(&adoption.deployment);
    record
}

fn not_named(found: &Deployments) -> DiagnosticView {
    let message = format!("the daemon has agreements or allocations of {}", each(found));
    let help = "nothing was done; name the lineage whose state is lost, as in `--adopt=LINEAGE`: the others may be \
                recorded in other states";
    problem(codes::SEVERAL_LINEAGES, None, message, help)
}

/// The note that the daemon has agreements of other lineages, if it does.
fn note(found: &Deployments, adopted: Option<&str>) -> Option<DiagnosticView> {
    let mut others = found.clone();
    others.retain(|lineage, _| Some(&**lineage) != adopted);
    if others.is_empty() {
        return None;
    }
    let message = format!(
        "the daemon has agreements or allocations that this state does not record, of {}",
        each(&others)
    );
    let help = "this is as it should be if they are recorded in other states; if a state and the adapter's folder were \
                lost, `destroy --adopt=LINEAGE` ends the agreements of that lineage and releases its allocation";
    let severity = Severity::Warning;
    Some(DiagnosticView { severity, ..problem(codes::OTHER_AGREEMENTS, None, message, help) })
}

/// `lineage 1f3a… (2 agreements, with anna, bert)`, or the other remains of it.
fn each(found: &Deployments) -> String {
    let one = |(lineage, agreements): (&String, &Vec<FoundAgreement>)| {
        let providers: Vec<&str> = agreements.iter().map(|it| &*it.provider).collect();
        let providers = providers.join(", ");
        match agreements.iter().filter(|it| it.is_open).count() {
            0 => format!("lineage {lineage} (an allocation; its last agreement was with {providers})"),
            open => format!("lineage {lineage} ({}, with {providers})", count(open, "agreement")),
        }
    };
    found.iter().map(one).collect::<Vec<_>>().join(", ")
}
