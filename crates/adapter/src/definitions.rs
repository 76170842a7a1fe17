use std::collections::BTreeMap;

use diag::FileId;
use protocol::{Description, Feature, VERSION};
use serde_json::{Map, Value as Json};
use syntax::{Limits, Node, NodeData};

/// The [`types`](protocol::Description::types) of an adapter: the built-in kinds that it supports unchanged,
/// and the kinds of a file of definitions (`planloom.types/1`). A text that is no such file defines nothing.
pub fn definitions(built_in: &[&str], text: &str) -> BTreeMap<String, Json> {
    let mut types: BTreeMap<String, Json> =
        built_in.iter().map(|it| ((*it).to_owned(), Json::Null)).collect();
    types.extend(kinds(text));
    types
}

/// The description of an adapter that supports the built-in kinds `network` and `service`, the latter with these runtimes, and
/// the definitions of a file that is merged with the built-in ones. Its limits are the default.
pub fn of_runtimes(name: &str, version: &str, runtimes: &[&str], types: &str) -> Description {
    let runtimes = runtimes.iter().map(|it| (*it).to_owned()).collect();
    let accepts = BTreeMap::from([("/payload/runtime".to_owned(), runtimes)]);
    Description {
        protocol: VERSION,
        name: name.into(),
        version: version.into(),
        features: vec![Feature::Cancel.as_str().into()],
        types: definitions(&["network", "service"], types),
        accepts: BTreeMap::from([("service".to_owned(), accepts)]),
        ..Description::default()
    }
}

fn kinds(text: &str) -> Map<String, Json> {
    let document = syntax::parse(FileId(0), text, &Limits::default()).document;
    let kinds = document.root.as_ref().and_then(|it| it.as_mapping()?.get("kinds")).map(json);
    match kinds {
        Some(Json::Object(map)) => map,
        _ => Map::new(),
    }
}

fn json(node: &Node) -> Json {
    match &node.data {
        NodeData::Null => Json::Null,
        NodeData::Bool(it) => (*it).into(),
        NodeData::Int(it) => (*it).into(),
        NodeData::Float(it) => (*it).into(),
        NodeData::String(it, _) => (**it).into(),
        NodeData::Sequence(items) => items.iter().map(json).collect(),
        NodeData::Mapping(map) => {
            map.entries.iter().map(|it| (it.key.to_string(), json(&it.value))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_of_definitions_becomes_json() {
        let text =
            "kinds:\n  volume: {doc: Room, fields: {gib: {type: integer, least: 1.5, many: [true, null]}}}\n";
        let types = definitions(&["network"], text);
        assert_eq!(types["network"], Json::Null);
        let fields = json!({"gib": {"type": "integer", "least": 1.5, "many": [true, null]}});
        assert_eq!(types["volume"], json!({"doc": "Room", "fields": fields}));
        assert_eq!(definitions(&[], "- a").len() + definitions(&[], "kinds: [").len(), 0);
    }
}
