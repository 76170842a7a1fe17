use std::sync::Arc;

use syntax::{Mapping, Node};

use super::reader::Reader;
use crate::{Condition, Implication, OnChange, Shape, codes};

impl Reader {
    pub(super) fn on_change(&mut self, node: &Node) -> Option<OnChange> {
        let options =
            [("rebuild", OnChange::Rebuild), ("update", OnChange::Update), ("nothing", OnChange::Nothing)];
        self.choice(node, "change rule", &options)
    }

    /// True if a default fits; if not, that is reported.
    pub(super) fn check_default(&mut self, shape: &Shape, node: &Node) -> bool {
        let fits = shape.fits(node);
        if !fits {
            self.error(
                codes::DEFAULT_DOES_NOT_FIT,
                node.span,
                format!("the default does not match the type: {}", shape.phrase()),
            );
        }
        fits
    }

    pub(super) fn implications(&mut self, kind: &Arc<str>, node: &Node) -> Vec<Implication> {
        let items = self.sequence(node, "`implies`");
        items.iter().filter_map(|item| self.implication(kind, item)).collect()
    }

    fn implication(&mut self, kind: &Arc<str>, node: &Node) -> Option<Implication> {
        let mapping = self.mapping(node, "an item of `implies`")?;
        self.only(mapping, &["because", "when", "set", "value", "create"]);
        let (Some(set), Some(value)) = (mapping.get("set"), mapping.get("value")) else {
            self.missing(
                node.span,
                "`set` or `value` of an inferred value",
                "name the field to set, and its value",
            );
            return None;
        };
        self.claim_path(kind, set);
        let because = mapping.get("because").and_then(|it| self.text(it, "`because`"));
        Some(Implication {
            when: mapping.get("when").map(|it| self.conditions(kind, it)).unwrap_or_default(),
            set: self.text(set, "`set`")?,
            value: value.clone(),
            create: mapping.get("create").cloned(),
            because: because.unwrap_or_else(|| "it is set in the type definition".into()),
        })
    }

    /// A map of conditions, or a list of such maps.
    fn conditions(&mut self, kind: &Arc<str>, node: &Node) -> Vec<Condition> {
        let maps = node.as_sequence().unwrap_or(std::slice::from_ref(node));
        let mut conditions = Vec::new();
        for map in maps {
            let Some(mapping) = self.mapping(map, "`when`") else { continue };
            self.only(mapping, &["any_of", "none_of", "text_is"]);
            self.paths(kind, mapping, "any_of")
                .into_iter()
                .for_each(|it| conditions.push(Condition::AnyOf(it)));
            self.paths(kind, mapping, "none_of")
                .into_iter()
                .for_each(|it| conditions.push(Condition::NoneOf(it)));
            if let Some(texts) = mapping.get("text_is") {
                conditions.extend(self.text_conditions(kind, texts));
            }
        }
        conditions
    }

    fn paths(&mut self, kind: &Arc<str>, mapping: &Mapping, key: &str) -> Option<Vec<Arc<str>>> {
        let node = mapping.get(key)?;
        let items = self.sequence(node, &format!("`{key}`"));
        items.iter().for_each(|item| self.claim_path(kind, item));
        Some(self.texts(node, &format!("`{key}`")))
    }

    fn text_conditions(&mut self, kind: &Arc<str>, node: &Node) -> Vec<Condition> {
        let Some(mapping) = self.mapping(node, "`text_is`") else { return Vec::new() };
        let mut conditions = Vec::new();
        for entry in &mapping.entries {
            let claim = super::claims::Claim::Path {
                kind: kind.clone(),
                path: entry.key.clone(),
                span: entry.key_span,
            };
            self.claims.push(claim);
            let texts = self.texts(&entry.value, &format!("`{}`", entry.key));
            conditions.push(Condition::TextIs(entry.key.clone(), texts));
        }
        conditions
    }
}
