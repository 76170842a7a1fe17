use std::collections::{BTreeMap, BTreeSet};

use protocol::{Code, Problem, ResourceId};

use crate::{Ledger, Record};

/// An index of the ledger's records: all resources that exist or whose creation was begun.
pub(super) struct ResourceIndex {
    ledger: Box<dyn Ledger>,
    records: BTreeMap<ResourceId, Record>,
    /// The resources of each deployment, in the order of kind and id.
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

    /// The instance of the adapter.
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

    /// Writes the record of a resource that is about to be created. It must not be created if that fails.
    pub(super) fn begin(&mut self, record: Record) -> Result<(), Problem> {
        self.ledger.put(&record).map_err(|why| {
            self.error = Some(why.clone());
            Problem::new(Code::NotRecorded, format!("it could not be recorded: {why}"))
        })?;
        self.error = None;
        self.keep(record);
        Ok(())
    }

    /// Writes the current state of a resource. If it cannot be written, it is known until the service ends,
    /// and the resource is found by its id afterwards.
    pub(super) fn note(&mut self, record: Record) {
        if self.records.get(record.id()) != Some(&record) {
            self.error = self.ledger.put(&record).err();
            self.keep(record);
        }
    }

    /// Removes the record of a resource that no longer exists.
    pub(super) fn remove(&mut self, id: &ResourceId) {
        if let Some(record) = self.records.remove(id) {
            self.deployments.remove(&place(&record));
            self.error = self.ledger.remove(id).err();
        }
    }

    /// The next resources of a deployment, after the given one.
    pub(super) fn page(&self, deployment: &str, after: Option<ResourceId>, count: usize) -> Vec<ResourceId> {
        let first = after.unwrap_or_else(|| ResourceId::new("", ""));
        let start = (deployment.to_owned(), first);
        let rest = self.deployments.range(start.clone()..).filter(|at| **at != start);
        rest.take_while(|(of, _)| of == deployment).take(count).map(|(_, id)| id.clone()).collect()
    }

    /// The next resources, after the given one, of deployments of that name, except one deployment.
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
