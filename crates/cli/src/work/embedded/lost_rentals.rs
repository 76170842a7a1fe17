//! What is rented from the Golem network and recorded nowhere, because the state and the folder of its adapter were lost.

use std::collections::BTreeMap;

use adapter::{Ledger, Record};
use adapter_golem::{GolemAdapter, OpenAgreement};
use host::FileLedger;
use workspace::view::words::count;
use workspace::view::{DiagnosticView, Severity};

use super::{Embedded, Home, unusable};
use crate::problem::problem;
use crate::work::adoption::Adoption;

const GOLEM: &str = Embedded::Golem.name();

/// Open agreements, by the lineage of their deployment.
type Deployments = BTreeMap<String, Vec<OpenAgreement>>;

impl Home<'_> {
    /// Records what the daemon has of the deployment that is to be adopted. If nothing is adopted and nothing recorded,
    /// notes what the daemon has: it may be what was lost.
    pub(super) async fn find_lost(
        &self,
        adapter: &GolemAdapter,
        ledger: &mut FileLedger,
    ) -> Result<(), Box<DiagnosticView>> {
        let lineage = self.adoption.map_or("", |it| it.lineage);
        let recorded = ledger.load().map_err(|why| unusable(GOLEM, &why))?;
        if recorded.iter().any(|it| it.known.request.deployment.starts_with(lineage)) {
            return Ok(());
        }
        let found = adapter.deployments().await.map_err(|why| unusable(GOLEM, &why.to_string()))?;
        let Some(adoption) = self.adoption else {
            self.notes.borrow_mut().extend(note(&found));
            return Ok(());
        };
        let Some(lineage) = named(&found, adoption.lineage)? else { return Ok(()) };
        for record in adapter.remembered(lineage).await.map_err(|why| unusable(GOLEM, &why.to_string()))? {
            ledger.put(&adopted(record, adoption)).map_err(|why| unusable(GOLEM, &why))?;
        }
        Ok(())
    }
}

/// The lineage with that beginning. It has to be named, because others may be deployments that are not lost.
fn named<'d>(found: &'d Deployments, beginning: &str) -> Result<Option<&'d String>, Box<DiagnosticView>> {
    if beginning.is_empty() {
        return if found.is_empty() { Ok(None) } else { Err(Box::new(not_named(found))) };
    }
    let mut meant = found.keys().filter(|it| it.starts_with(beginning));
    match (meant.next(), meant.next()) {
        (Some(_), Some(_)) => Err(Box::new(not_named(found))),
        (one, _) => Ok(one),
    }
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
    let message = format!("the daemon has open agreements of {}", each(found));
    let help = "nothing was done; name the lineage whose state is lost, as in `--adopt=LINEAGE`: the others may be \
                recorded in other states";
    problem("several-lineages", None, message, help)
}

/// That there are open agreements, if there are.
fn note(found: &Deployments) -> Option<DiagnosticView> {
    if found.is_empty() {
        return None;
    }
    let message = format!("the daemon has open agreements that are not recorded here, of {}", each(found));
    let help = "this is as it should be if they are recorded in other states; if a state and the adapter's folder were \
                lost, `destroy --adopt=LINEAGE` ends the agreements of that lineage";
    let severity = Severity::Warning;
    Some(DiagnosticView { severity, ..problem("other-agreements", None, message, help) })
}

/// `lineage 1f3a… (2 agreements, with anna, bert)`.
fn each(found: &Deployments) -> String {
    let one = |(lineage, agreements): (&String, &Vec<OpenAgreement>)| {
        let providers: Vec<&str> = agreements.iter().map(|it| &*it.provider).collect();
        format!("lineage {lineage} ({}, with {})", count(agreements.len(), "agreement"), providers.join(", "))
    };
    found.iter().map(one).collect::<Vec<_>>().join(", ")
}
