use std::collections::{BTreeMap, BTreeSet};

use protocol::{Code, Problem, ResourceId};

use crate::{Ledger, Record};

/// An index of the ledger's records: all that exists or was begun.
pub(super) struct ResourceIndex {
    ledger: Box<dyn Ledger>,
    records: BTreeMap<ResourceId, Record>,
    /// Which belong to a deployment, in the order of kind and id.
    deployments: BTreeSet<(String, ResourceId)>,
    instance: String,
    error: Option<String>,
}

impl ResourceIndex {
    pub(super) fn open(mut ledger: Box<dyn Ledger>) -> Result<Self, String> {
        let (records, instance) = (ledger.load()?, ledger.instance()?);
        let deployments = records.iter().map(place).collect();
        let records = records.into_iter().map(|record| (record.id().clone(), record)).collect();
        Ok(Self { ledger, records, deployments, instance, error: None })
    }

    /// Which adapter it is.
    pub(super) fn instance(&self) -> &str {
        &self.instance
    }

    pub(super) fn all(&self) -> Vec<Record> {
        self.records.values().cloned().collect()
    }

    pub(super) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    pub(super) fn get(&self, id: &ResourceId) -> Option<Record> {
        self.records.get(id).cloned()
    }

    /// Writes down what is about to be made. Nothing may be made where that fails.
    pub(super) fn begin(&mut self, record: Record) -> Result<(), Problem> {
        self.ledger.put(&record).map_err(|why| {
            self.error = Some(why.clone());
            Problem::new(Code::Unavailable, format!("it could not be recorded: {why}"))
        })?;
        self.error = None;
        self.keep(record);
        Ok(())
    }

    /// Writes down how something is. What cannot be written is known until the end, and found by its id afterwards.
    pub(super) fn note(&mut self, record: Record) {
        if self.records.get(record.id()) != Some(&record) {
            self.error = self.ledger.put(&record).err();
            self.keep(record);
        }
    }

    /// Forgets what is gone.
    pub(super) fn strike(&mut self, id: &ResourceId) {
        if let Some(record) = self.records.remove(id) {
            self.deployments.remove(&place(&record));
            self.error = self.ledger.remove(id).err();
        }
    }

    /// The next resources of a deployment, after one.
    pub(super) fn page(&self, deployment: &str, after: Option<ResourceId>, count: usize) -> Vec<ResourceId> {
        let first = after.unwrap_or_else(|| ResourceId::new("", ""));
        let start = (deployment.to_owned(), first);
        let rest = self.deployments.range(start.clone()..).filter(|at| **at != start);
        rest.take_while(|(of, _)| of == deployment).take(count).map(|(_, id)| id.clone()).collect()
    }

    /// The next resources of deployments of a name but one, after one.
    pub(super) fn page_by_name(
        &self,
        name: &str,
        except: Option<&str>,
        after: Option<ResourceId>,
        count: usize,
    ) -> Vec<ResourceId> {
        let first = after.unwrap_or_else(|| ResourceId::new("", ""));
        let rest = self.records.range(first.clone()..).filter(|(id, _)| **id != first);
        let is_of =
            |it: &Record| it.deployment_name == name && Some(it.known.request.deployment.as_str()) != except;
        rest.filter(|(_, it)| is_of(it)).take(count).map(|(id, _)| id.clone()).collect()
    }

    fn keep(&mut self, record: Record) {
        if let Some(old) = self.records.get(record.id()) {
            self.deployments.remove(&place(old));
        }
        self.deployments.insert(place(&record));
        self.records.insert(record.id().clone(), record);
    }
}

fn place(record: &Record) -> (String, ResourceId) {
    (record.known.request.deployment.clone(), record.id().clone())
}
