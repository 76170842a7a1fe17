use model::Value;
use protocol::{Call, ResourceBody, ResourceId, Verb, spec_hash};
use serde_json::{Map, Value as Json};
use state::{Entry, Intent};

use crate::{Orphan, json, run_context::RunContext};

/// A change of a resource that is to be made.
pub(crate) struct PendingWrite {
    pub(crate) id: ResourceId,
    pub(crate) verb: Verb,
    address: String,
    /// The address that its adapter knows it by.
    known_as: String,
    generation: u64,
    spec: Map<String, Json>,
    /// The hash of the spec; empty if there is none.
    pub(crate) hash: String,
    journal: Option<Journal>,
}

/// The journal entry of a write, kept before it is sent.
struct Journal {
    /// The author of the write, e.g. a step.
    by: String,
    spec_hash: String,
    entry: Entry,
}

impl PendingWrite {
    /// A create or update. If it `holds_secret`, only so much of the hash of the spec is kept that no guess
    /// can be confirmed.
    pub(crate) fn upsert(
        verb: Verb,
        (by, address): (&str, &str),
        entry: Entry,
        spec: &Value,
        holds_secret: bool,
    ) -> Self {
        let sent = json::clear(spec);
        let hash = spec_hash(&sent);
        let kept = if holds_secret { first_bits(&hash) } else { hash.clone() };
        let spec = sent.as_object().cloned().unwrap_or_default();
        Self { spec, hash, ..Self::of(verb, (by, address), entry, kept) }
    }

    /// The destruction of a recorded resource.
    pub(crate) fn destroy((by, address): (&str, &str), entry: Entry) -> Self {
        Self::of(Verb::Destroy, (by, address), entry, String::new())
    }

    fn of(verb: Verb, (by, address): (&str, &str), entry: Entry, spec_hash: String) -> Self {
        Self {
            id: ResourceId::new(&entry.kind, &entry.id),
            verb,
            address: address.to_owned(),
            known_as: if entry.created_as.is_empty() { address.to_owned() } else { entry.created_as.clone() },
            generation: entry.generation,
            spec: Map::new(),
            hash: String::new(),
            journal: Some(Journal { by: by.to_owned(), spec_hash, entry }),
        }
    }

    /// The destruction of an orphan. It is not recorded, so it needs no journal: it is found again the same
    /// way.
    pub(crate) fn destroy_orphan(orphan: &Orphan) -> Self {
        Self {
            id: orphan.id.clone(),
            verb: Verb::Destroy,
            address: orphan.address.clone(),
            known_as: orphan.address.clone(),
            generation: orphan.generation,
            spec: Map::new(),
            hash: String::new(),
            journal: None,
        }
    }

    /// The call, and its journal entry, if it is to be journalled.
    pub(crate) fn draft(&self, context: &RunContext, if_match: Option<String>) -> (Call, Option<Intent>) {
        let key = context.name();
        let intent = self.journal.as_ref().map(|it| Intent {
            id: format!("{}-{}", it.by, &key[..8.min(key.len())]),
            verb: self.verb,
            address: self.address.clone(),
            key: key.clone(),
            at: context.timing.now().0,
            spec_hash: it.spec_hash.clone(),
            entry: it.entry.clone(),
            rest: Map::new(),
        });
        let (id, body) = (self.id.clone(), || self.body(context));
        let call = match self.verb {
            Verb::Create => Call::Create { id, body: body(), key },
            Verb::Update => Call::Update { id, body: body(), key, if_match },
            Verb::Destroy => {
                let deployment = Some(context.ledger.snapshot().lineage.clone());
                Call::Destroy { id, key, if_match, deployment }
            }
        };
        (call, intent)
    }

    fn body(&self, context: &RunContext) -> ResourceBody {
        ResourceBody {
            deployment: context.ledger.snapshot().lineage.clone(),
            deployment_name: context.deployment_name(),
            address: self.known_as.clone(),
            generation: self.generation,
            spec: self.spec.clone(),
        }
    }
}

/// The first 16 bits of a hash: enough to notice another spec, too little to confirm a guess.
fn first_bits(hash: &str) -> String {
    hash.chars().take("sha256:".len() + 4).collect()
}
