use std::{collections::BTreeMap, sync::Arc};

use syntax::Node;

use super::reader::Reader;
use crate::{Entities, Entity};

impl Reader {
    pub(super) fn entities(&mut self, node: &Node) -> Entities {
        let entities = self.sequence(node, "`entities`").iter();
        entities.filter_map(|it| self.entity(it)).collect()
    }

    fn entity(&mut self, node: &Node) -> Option<Entity> {
        let mapping = self.mapping(node, "an entity")?;
        self.only(mapping, "an entity", &["id", "properties"]);
        let id = self.id(mapping, node.span, "an entity")?;
        let properties = mapping.get("properties").map(|it| self.properties(it));
        Some(Entity { id, properties: properties.unwrap_or_default() })
    }

    fn properties(&mut self, node: &Node) -> BTreeMap<Arc<str>, Arc<str>> {
        let entries = self.mapping(node, "`properties`").map_or(&[][..], |it| &it.entries);
        let mut properties = BTreeMap::new();
        for entry in entries {
            if let Some(text) = self.text(&entry.value, &format!("the property `{}`", entry.key)) {
                properties.insert(entry.key.clone(), text);
            }
        }
        properties
    }
}
