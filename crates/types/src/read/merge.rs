use std::sync::Arc;

use syntax::{Mapping, Node};

use super::reader::Reader;
use crate::{MergeBehavior, MergeOptions, MergeRule, Sorting, codes};

/// `behavior:` of the merge options, as in the annotation of Goten. Two of its values decide the rule by themselves.
#[derive(Clone, Copy)]
enum Behavior {
    Append,
    Replace,
    Keys(MergeBehavior),
}

const BEHAVIORS: [(&str, Behavior); 7] = [
    ("default", Behavior::Keys(MergeBehavior::Default)),
    ("replace", Behavior::Replace),
    ("append", Behavior::Append),
    ("discard_only_in_dest", Behavior::Keys(MergeBehavior::DiscardOnlyInDest)),
    ("discard_only_in_source", Behavior::Keys(MergeBehavior::DiscardOnlyInSource)),
    ("and", Behavior::Keys(MergeBehavior::And)),
    ("xor", Behavior::Keys(MergeBehavior::Xor)),
];

impl Reader {
    pub(super) fn merge_options(&mut self, node: &Node) -> Option<MergeOptions> {
        let Some(mapping) = node.as_mapping() else {
            let rules = [
                ("standard", &MergeRule::Standard),
                ("replace", &MergeRule::Replace),
                ("unique", &MergeRule::Unique),
            ];
            let rule = self.choice(node, "merge rule", &rules)?;
            return Some(MergeOptions { rule: rule.clone(), ..MergeOptions::default() });
        };
        self.only(mapping, &["behavior", "by_key", "sorting"]);
        let keys = mapping.get("by_key").and_then(|it| self.merge_keys(it));
        let behavior = mapping.get("behavior").and_then(|it| self.choice(it, "merge behavior", &BEHAVIORS));
        let sorting = mapping.get("sorting").and_then(|it| self.sorting(it)).unwrap_or_default();
        let behavior = behavior.unwrap_or(Behavior::Keys(MergeBehavior::Default));
        self.merge_without_effect(mapping, behavior);
        let by_keys = keys.map_or(MergeRule::Unique, MergeRule::ByKey);
        let (rule, behavior) = match behavior {
            Behavior::Append => (MergeRule::Standard, MergeBehavior::Default),
            Behavior::Replace => (MergeRule::Replace, MergeBehavior::Default),
            Behavior::Keys(behavior) => (by_keys, behavior),
        };
        Some(MergeOptions { rule, behavior, sorting })
    }

    /// One key or several.
    fn merge_keys(&mut self, node: &Node) -> Option<Vec<Arc<str>>> {
        if node.as_sequence().is_none() {
            return self.text(node, "`by_key`").map(|it| vec![it]);
        }
        let keys = self.texts(node, "`by_key`");
        if keys.is_empty() {
            self.missing(node.span, "the key of `by_key`", "name the keys that items are found by");
        }
        Some(keys).filter(|it| !it.is_empty())
    }

    fn sorting(&mut self, node: &Node) -> Option<Sorting> {
        let options =
            [("none", Sorting::None), ("ascending", Sorting::Ascending), ("descending", Sorting::Descending)];
        self.choice(node, "sorting", &options)
    }

    /// Reports keys beside a behavior that makes no use of them.
    fn merge_without_effect(&mut self, mapping: &Mapping, behavior: Behavior) {
        let (name, unused): (_, &[&str]) = match behavior {
            Behavior::Append => ("append", &["by_key"]),
            Behavior::Replace => ("replace", &["by_key", "sorting"]),
            Behavior::Keys(_) => return,
        };
        for entry in mapping.entries.iter().filter(|it| unused.contains(&&*it.key)) {
            let message = format!("`{}` has no effect, because the behavior is `{name}`", entry.key);
            self.error(codes::MERGE_WITHOUT_EFFECT, entry.key_span, message).help = Some("remove it".into());
        }
    }
}
