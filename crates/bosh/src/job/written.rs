use std::{collections::BTreeMap, sync::Arc};

use links::Named;
use model::{Data, Map, Origin, Value};
use syntax::{Node, NodeData};

use crate::value::value;

/// The properties that a job is deployed with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DeployedProperties<'a> {
    /// Its own, if there are any.
    Own(Option<&'a Node>),
    /// None of its own: it gets those of the deployment, overridden by those of its group.
    Inherited { deployment: Option<&'a Node>, group: Option<&'a Node> },
}

impl DeployedProperties<'_> {
    /// The properties that listed paths can refer to. All others never leave the job, and are not copied.
    pub(crate) fn of(&self, listed: &[Named]) -> Option<Value> {
        let mut map = Map::new();
        for path in listed {
            let key = path.text.split('.').next().unwrap_or_default();
            if !map.contains_key(key)
                && let Some(value) = self.at(key)
            {
                map.insert(key.into(), value);
            }
        }
        let span = match self {
            Self::Own(node) => (*node)?.span,
            Self::Inherited { deployment, group } => group.or(*deployment)?.span,
        };
        Some(Value::new(Data::Map(map), Origin::Written(span)))
    }

    /// All properties.
    pub(crate) fn all(&self) -> Option<Value> {
        match self {
            Self::Own(node) => node.map(value),
            Self::Inherited { deployment: Some(below), group: Some(above) } => Some(merged(below, above)),
            Self::Inherited { deployment, group } => group.or(*deployment).map(value),
        }
    }

    fn at(&self, key: &str) -> Option<Value> {
        match self {
            Self::Own(node) => node.and_then(|it| it.get(key)).map(value),
            Self::Inherited { deployment, group } => {
                match (deployment.and_then(|it| it.get(key)), group.and_then(|it| it.get(key))) {
                    (Some(below), Some(above)) => Some(merged(below, above)),
                    (below, above) => above.or(below).map(value),
                }
            }
        }
    }
}

/// Merges maps key by key; every other value above overrides that below, including null.
fn merged(below: &Node, above: &Node) -> Value {
    let (NodeData::Mapping(low), NodeData::Mapping(high)) = (&below.data, &above.data) else {
        return value(above);
    };
    let mut nodes: BTreeMap<&Arc<str>, (Option<&Node>, Option<&Node>)> = BTreeMap::new();
    low.entries.iter().for_each(|it| nodes.entry(&it.key).or_default().0 = Some(&it.value));
    high.entries.iter().for_each(|it| nodes.entry(&it.key).or_default().1 = Some(&it.value));
    let mut map = Map::new();
    for (key, found) in nodes {
        let value = match found {
            (Some(below), Some(above)) => Some(merged(below, above)),
            (below, above) => above.or(below).map(value),
        };
        value.map(|it| map.insert(Arc::clone(key), it));
    }
    Value::new(Data::Map(map), Origin::Written(above.span))
}
