use std::sync::Arc;

use serde_json::{Map, Value};

use super::{CriteriaForDisabledSync, MultiRegionPolicy, PolicyMistake, PolicyProblem};

const ENABLED: &str = "enabledRegions";
const DEFAULT: &str = "defaultControlRegion";
const CRITERIA: &str = "criteriaForDisabledSync";
const KIND: &str = "resourceTypeName";
const SOURCE: &str = "sourceRegion";
const DESTINATION: &str = "destRegion";

impl MultiRegionPolicy {
    /// Reads a policy from its ProtoJSON (names of fields in lowerCamelCase; an absent field and null are its default).
    ///
    /// Returns what could be read, and all problems in the order of fields and elements. What has a problem of its own is
    /// left out; a default control region that is not enabled is kept.
    pub fn read(json: &Value) -> (Self, Vec<PolicyProblem>) {
        let mut reader = Reader { problems: Vec::new() };
        let fields = reader.object(json, "", &[ENABLED, DEFAULT, CRITERIA]);
        let policy = fields.map(|it| reader.policy(it)).unwrap_or_default();
        (policy, reader.problems)
    }
}

struct Reader {
    problems: Vec<PolicyProblem>,
}

impl Reader {
    fn policy(&mut self, fields: &Map<String, Value>) -> MultiRegionPolicy {
        let enabled = self.list(fields, ENABLED);
        let enabled_regions =
            enabled.iter().filter_map(|(at, it)| self.text(it, at).and_then(|it| self.region(it, at)));
        let enabled_regions = enabled_regions.collect();
        let default = self.optional(fields, "", DEFAULT).and_then(|it| self.region(it, &at("", DEFAULT)));
        let criteria = self.list(fields, CRITERIA);
        let criteria_for_disabled_sync =
            criteria.iter().filter_map(|(at, it)| self.criteria(it, at)).collect();
        let default_control_region = default.unwrap_or_default();
        let policy =
            MultiRegionPolicy { enabled_regions, default_control_region, criteria_for_disabled_sync };
        self.check_default(&policy);
        policy
    }

    /// A policy without regions needs no default; one with regions does, because resources without one need an owner.
    fn check_default(&mut self, policy: &MultiRegionPolicy) {
        let default = &policy.default_control_region;
        if !policy.enables(default) && (policy.has_regions() || !default.is_empty()) {
            self.problem(&at("", DEFAULT), PolicyMistake::DefaultNotEnabled(default.clone()));
        }
    }

    /// A rule; `None` if a part of it has a problem, because without that part it would forbid more.
    fn criteria(&mut self, json: &Value, pointer: &str) -> Option<CriteriaForDisabledSync> {
        let before = self.problems.len();
        let fields = self.object(json, pointer, &[KIND, SOURCE, DESTINATION])?;
        let kind = self.optional(fields, pointer, KIND);
        let rule = CriteriaForDisabledSync {
            resource_type_name: kind.and_then(|it| self.kind(it, &at(pointer, KIND))),
            source_region: self.region_of(fields, pointer, SOURCE),
            dest_region: self.region_of(fields, pointer, DESTINATION),
        };
        (self.problems.len() == before).then_some(rule)
    }

    fn region_of(&mut self, fields: &Map<String, Value>, pointer: &str, name: &str) -> Option<Arc<str>> {
        let text = self.optional(fields, pointer, name)?;
        self.region(text, &at(pointer, name))
    }

    fn region(&mut self, text: Arc<str>, pointer: &str) -> Option<Arc<str>> {
        if !matches!(&*text, "" | "-" | "*") {
            return Some(text);
        }
        self.report(pointer, PolicyMistake::Region(text))
    }

    fn kind(&mut self, text: Arc<str>, pointer: &str) -> Option<Arc<str>> {
        let parts = text.split_once('/');
        if parts.is_some_and(|(domain, kind)| !domain.is_empty() && !kind.is_empty() && !kind.contains('/')) {
            return Some(text);
        }
        self.report(pointer, PolicyMistake::Kind(text))
    }

    /// The text of a field; `None` if it is blank, which is the default of texts.
    fn optional(&mut self, fields: &Map<String, Value>, pointer: &str, name: &str) -> Option<Arc<str>> {
        let text = self.text(present(fields, name)?, &at(pointer, name))?;
        (!text.is_empty()).then_some(text)
    }

    fn text(&mut self, json: &Value, pointer: &str) -> Option<Arc<str>> {
        json.as_str().map(Into::into).or_else(|| self.report(pointer, PolicyMistake::Type("a text")))
    }

    /// The elements of a list with their places.
    fn list<'v>(&mut self, fields: &'v Map<String, Value>, name: &str) -> Vec<(String, &'v Value)> {
        let Some(json) = present(fields, name) else { return Vec::new() };
        let Some(items) = json.as_array() else {
            return self.report(&at("", name), PolicyMistake::Type("a list")).unwrap_or_default();
        };
        let pointer = at("", name);
        items.iter().enumerate().map(|(index, it)| (at(&pointer, &index.to_string()), it)).collect()
    }

    fn object<'v>(
        &mut self,
        json: &'v Value,
        pointer: &str,
        known: &[&str],
    ) -> Option<&'v Map<String, Value>> {
        let Some(fields) = json.as_object() else {
            return self.report(pointer, PolicyMistake::Type("an object"));
        };
        for name in fields.keys().filter(|it| !known.contains(&it.as_str())) {
            self.problem(&at(pointer, name), PolicyMistake::UnknownField);
        }
        Some(fields)
    }

    fn problem(&mut self, pointer: &str, mistake: PolicyMistake) {
        self.problems.push(PolicyProblem { pointer: pointer.to_owned(), mistake });
    }

    /// Reports a problem in place of a value.
    fn report<T>(&mut self, pointer: &str, mistake: PolicyMistake) -> Option<T> {
        self.problem(pointer, mistake);
        None
    }
}

fn present<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    fields.get(name).filter(|it| !it.is_null())
}

/// The pointer of a field or an element.
fn at(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}
