use std::collections::BTreeMap;

use state::etcd::wire::{Keys, TransactionOp};
use store::{Change, Commit};

use super::keys::Names;
use crate::resource_text;

/// The most resources that a transaction of etcd changes: by default it has at most 128 operations, of which one is
/// that of the counters.
const RESOURCES: usize = 127;
/// The most bytes of their keys and values: by default a request has at most 1.5 MiB.
const BYTES: usize = 1_500_000;
/// The bytes that an operation needs besides.
const OPERATION: usize = 24;

/// The first of several transactions of a store, as many as fit into one of etcd.
pub(super) struct Group {
    pub(super) operations: Vec<TransactionOp>,
    /// The keys that they write, in the same order.
    pub(super) keys: Vec<String>,
    /// The number of these transactions.
    pub(super) count: usize,
}

impl Group {
    pub(super) fn of(names: &Names, commits: &[Commit]) -> Result<Self, String> {
        // A key may be written once only, so the last change of a resource counts.
        let mut all: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
        let (mut bytes, mut count) = (0, 0);
        for commit in commits {
            let changes: Vec<_> =
                commit.changes.iter().map(|it| encoded(names, it)).collect::<Result<_, _>>()?;
            let more = changes.iter().filter(|(key, _)| !all.contains_key(key)).count();
            bytes += changes
                .iter()
                .map(|(key, value)| size(key, value.as_ref().map_or(0, Vec::len)))
                .sum::<usize>();
            if count > 0 && (all.len() + more > RESOURCES || bytes > BYTES) {
                break;
            }
            all.extend(changes);
            count += 1;
        }
        let operation = |(key, value): (&String, &Option<Vec<u8>>)| match value {
            Some(value) => TransactionOp::put(key.clone(), value.clone()),
            None => TransactionOp::Delete(Keys::One(key.clone())),
        };
        let operations = all.iter().map(operation).collect();
        Ok(Self { operations, keys: all.into_keys().collect(), count })
    }
}

fn encoded(names: &Names, change: &Change) -> Result<(String, Option<Vec<u8>>), String> {
    let key = names.resource(change.key());
    let Change::Put(resource) = change else { return Ok((key, None)) };
    let mut value = Vec::new();
    resource_text::write(resource, &mut value)?;
    Ok((key, Some(value)))
}

fn size(key: &str, value: usize) -> usize {
    key.len() + value + OPERATION
}

/// Refuses a transaction that etcd would refuse, by its defaults.
pub(super) fn check(names: &Names, changes: &[Change]) -> Result<(), String> {
    if changes.len() > RESOURCES {
        return Err(format!(
            "a transaction that changes {} resources cannot be kept in etcd, where it has at most {RESOURCES}: \
             change fewer at once",
            changes.len()
        ));
    }
    let sizes = changes.iter().map(|change| {
        let value = if let Change::Put(it) = change { resource_text::length(it)? } else { 0 };
        Ok(size(&names.resource(change.key()), value))
    });
    let bytes: usize = sizes.sum::<Result<_, String>>()?;
    if bytes > BYTES {
        return Err(format!(
            "a transaction of {bytes} bytes cannot be kept in etcd, where it has at most {BYTES}: \
             use smaller resources, or change fewer at once"
        ));
    }
    Ok(())
}
