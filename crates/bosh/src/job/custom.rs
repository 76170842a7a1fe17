use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, order};
use links::{Declared, Exposure, Named};
use syntax::{Mapping, Node};

use super::{Job, provides::ProvidedLink};
use crate::{codes, manifest::Reader, spec::JobSpec};

const KEY: &str = "custom_provider_definitions";

impl Reader<'_> {
    /// Reads the custom providers of a job in its manifest. Returns their names.
    pub(super) fn custom_providers(
        &mut self,
        job: &Job<'_>,
        spec: Option<&JobSpec>,
        manifest: &Mapping,
    ) -> Vec<Arc<str>> {
        let mut seen: BTreeMap<Arc<str>, u32> = BTreeMap::new();
        let mut names = Vec::new();
        if !job.can_define {
            return names;
        }
        for definition in self.reporter.maps(job.node, KEY) {
            let (name, link_type) = self.name_and_type(job, definition);
            let Some(name) = name else { continue };
            let count = seen.entry(Arc::clone(&name.text)).or_default();
            *count += 1;
            if *count > 1 {
                let count = *count;
                self.defined_twice(job, &name, count);
                continue;
            }
            if self.is_released(job, spec, &name) {
                continue;
            }
            names.push(Arc::clone(&name.text));
            let Some(link_type) = link_type else { continue };
            let exposure = self.custom_exposure(job, spec, definition);
            self.provider(job, ProvidedLink { name, link_type, exposure }, spec, manifest);
        }
        names
    }

    fn name_and_type(&mut self, job: &Job<'_>, definition: &Node) -> (Option<Named>, Option<Named>) {
        let [name, link_type] = ["name", "type"].map(|key| {
            let node = definition.get(key);
            let text = node.and_then(Node::as_str).filter(|it| !it.is_empty());
            let span = node.map_or(definition.span, |it| it.span);
            let span = if span.start == span.end { definition.span } else { span };
            if text.is_none() {
                let capital = if key == "name" { "Name" } else { "Type" };
                let director = format!(
                    "{capital} for custom link provider definition in manifest {} \
                     must be a valid non-empty string.",
                    job.place()
                );
                let own = format!("a custom provider needs a `{key}`, as text");
                let found = self.reporter.error(codes::CUSTOM, span, director, own);
                self.reporter.push(found.help(format!("write its `{key}`")));
            }
            Some(Named::new(text?, span))
        });
        (name, link_type)
    }

    /// Reported once for each name.
    fn defined_twice(&mut self, job: &Job<'_>, name: &Named, count: u32) {
        if count == 2 {
            let director = format!(
                "Custom provider '{}' {} is defined multiple times in manifest.",
                name.text,
                job.place()
            );
            let own = format!("there are two custom providers `{}`", name.text);
            let found = self.reporter.error(codes::CUSTOM, name.span, director, own);
            self.reporter.push(found.help("give one of them another name, or remove it"));
        }
    }

    fn is_released(&mut self, job: &Job<'_>, spec: Option<&JobSpec>, name: &Named) -> bool {
        let Some(spec) = spec else { return false };
        let Some(released) = spec.provides.iter().find(|it| it.name.text == name.text) else { return false };
        let release = job.release.as_deref().or(spec.release.as_deref()).unwrap_or_default();
        let director = format!(
            "Custom provider '{}' {} is already defined in release '{release}'",
            name.text,
            job.place()
        );
        let own = format!("the job `{}` has a provider `{}` already", spec.name, name.text);
        let found = self.reporter.error(codes::CUSTOM, name.span, director, own);
        let found = found.related(released.name.span, "its release provides it");
        self.reporter.push(found.help("give the custom provider another name"));
        true
    }

    fn custom_exposure(&mut self, job: &Job<'_>, spec: Option<&JobSpec>, definition: &Node) -> Exposure {
        let listed = self.reporter.names(definition, "properties");
        let declared = match spec {
            Some(spec) => spec.declared(&listed),
            // Without a spec, the listed properties are assumed to exist.
            None => order::map(listed.iter().map(|it| (Arc::clone(&it.text), Declared::default()))),
        };
        Exposure { written: job.written.of(&listed), listed: Some(listed), declared }
    }
}

/// The warning that an addon's custom providers are ignored, which the director does not report.
pub(crate) fn dropped(node: &Node, profile: links::Profile) -> Option<Diagnostic> {
    let entry = node.as_mapping()?.entry(KEY).filter(|_| !profile.is_strict())?;
    let message = format!("`{KEY}` has no effect on a job of an addon");
    Some(Diagnostic::warning(codes::ADDON, entry.key_span, message))
}
