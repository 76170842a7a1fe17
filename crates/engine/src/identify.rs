use protocol::resource_id;
use serde_json::Value as Json;
use state::{Entry, Snapshot};

/// Gives an id to each entry that describes an existing resource without one: a state that was written by
/// hand or by another program. An id depends only on lineage, address and generation, so it is the one that
/// the resource would have been created with; whether it exists is for the adapter to report. Without an id
/// the resource could be neither read nor destroyed, and the entry would count as existing for ever.
pub(crate) fn identify(snapshot: &mut Snapshot) {
    for (address, entry) in snapshot.resources.iter_mut().filter(|(_, entry)| lacks_id(entry)) {
        entry.id = resource_id(&snapshot.lineage, address, entry.generation);
    }
}

fn lacks_id(entry: &Entry) -> bool {
    let has_identity = match &entry.identity {
        Json::Null => false,
        Json::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    entry.id.is_empty() && has_identity && entry.phase != "terminated"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(id: &str, identity: Json, phase: &str) -> Entry {
        Entry { id: id.into(), identity, phase: phase.into(), generation: 3, ..Entry::default() }
    }

    #[test]
    fn an_entry_that_exists_gets_the_id_that_it_would_have_been_made_under() {
        let mut snapshot = Snapshot::new("shop", "lineage");
        for (address, entry) in [
            ("services.a", entry("", json!({"activity": 7}), "active")),
            ("services.b", entry("own", json!({"activity": 7}), "active")),
            ("services.c", entry("", Json::Null, "active")),
            ("services.d", entry("", json!({}), "pending")),
            ("services.e", entry("", json!({"activity": 7}), "terminated")),
        ] {
            snapshot.resources.insert(address.into(), entry);
        }
        identify(&mut snapshot);
        let ids: Vec<&str> = snapshot.resources.values().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, [&*resource_id("lineage", "services.a", 3), "own", "", "", ""]);
    }
}
