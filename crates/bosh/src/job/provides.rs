use diag::{Code, Diagnostic, Span};
use links::{DnsAlias, Exposure, Named, Provider};
use syntax::{Entry, Mapping, NodeData};

use super::Job;
use crate::{
    codes,
    manifest::Reader,
    shape::{self, kind},
    spec::JobSpec,
    value::scalar,
};

/// A link that a job provides, according to its spec or its manifest.
#[derive(Debug)]
pub(super) struct ProvidedLink {
    pub(super) name: Named,
    pub(super) link_type: Named,
    pub(super) exposure: Exposure,
}

/// A manifest's settings of a provided link.
#[derive(Debug, Default)]
struct Settings {
    alias: Option<Named>,
    shared: bool,
    blocked: Option<Span>,
    broken: bool,
    aliases: Vec<DnsAlias>,
}

const KNOWN: [&str; 3] = ["as", "shared", "aliases"];

impl Reader<'_> {
    /// Reads the links that a job provides according to its spec.
    pub(super) fn providers(&mut self, job: &Job<'_>, spec: &JobSpec, manifest: &Mapping) {
        for it in &spec.provides {
            let exposure = Exposure {
                listed: Some(it.listed.clone()),
                written: job.written.of(&it.listed),
                declared: spec.declared(&it.listed),
            };
            let offer = ProvidedLink { name: it.name.clone(), link_type: it.link_type.clone(), exposure };
            self.provider(job, offer, Some(spec), manifest);
        }
    }

    /// Reads the settings of a link that a job provides.
    pub(super) fn provider(
        &mut self,
        job: &Job<'_>,
        offer: ProvidedLink,
        spec: Option<&JobSpec>,
        manifest: &Mapping,
    ) {
        let entry = manifest.entry(&offer.name.text);
        let settings = entry.map(|it| self.provider_settings(job, it)).unwrap_or_default();
        let is_broken = self.check_exposure(job, &offer.exposure, spec);
        self.deployment.providers.push(Provider {
            owner: job.owner(),
            declared: job.name.span,
            body: job.node.span,
            said: crate::shape::elsewhere(job.node, "provides"),
            name: offer.name,
            alias: settings.alias,
            link_type: offer.link_type,
            shared: settings.shared,
            blocked: settings.blocked,
            exposure: offer.exposure,
            broken: settings.broken || is_broken,
            aliases: settings.aliases,
        });
    }

    fn provider_settings(&mut self, job: &Job<'_>, entry: &Entry) -> Settings {
        match &entry.value.data {
            NodeData::String(text, _) if &**text == "nil" => {
                Settings { blocked: Some(entry.value.span), ..Settings::default() }
            }
            NodeData::Mapping(mapping) => self.provider_map(job, entry, mapping),
            _ => {
                self.neither_map_nor_nil(job, entry, "Provider");
                Settings { broken: true, ..Settings::default() }
            }
        }
    }

    fn provider_map(&mut self, job: &Job<'_>, entry: &Entry, mapping: &Mapping) -> Settings {
        let broken = self.name_or_type(job, entry, mapping, codes::PROVIDER);
        let (alias, shared, aliases) = (self.alias(mapping), self.shared(mapping), self.aliases(job, entry));
        self.unknown_keys(mapping, &KNOWN, "provider");
        Settings { alias, shared, blocked: None, broken, aliases }
    }

    fn alias(&mut self, mapping: &Mapping) -> Option<Named> {
        let entry = mapping.entry("as")?;
        let place = shape::place(entry);
        match scalar(&entry.value) {
            Some(text) if !text.is_empty() && entry.value.as_str().is_some() => {
                return Some(Named::new(text, place));
            }
            Some(text) if !self.reporter.is_strict() => return Some(Named::new(text, place)),
            // The director takes null for the name, which no consumer can request.
            None if !self.reporter.is_strict() && !entry.value.is_collection() => {
                return Some(Named::new("", place));
            }
            _ => {}
        }
        let what = if entry.value.as_str().is_some() { "empty text".to_owned() } else { kind(&entry.value) };
        let found = Diagnostic::error(codes::PROVIDER, place, format!("`as` is a name, not {what}"));
        self.reporter.push(found.help("write the name of the link, or remove `as`"));
        None
    }

    /// The director reads any value that is not a boolean as false.
    fn shared(&mut self, mapping: &Mapping) -> bool {
        let Some(entry) = mapping.entry("shared") else { return false };
        if let NodeData::Bool(shared) = entry.value.data {
            return shared;
        }
        self.reporter.strictly(|| {
            let message = format!("`shared` is true or false, not {}", kind(&entry.value));
            let found = Diagnostic::error(codes::PROVIDER, shape::place(entry), message);
            found.help("it counts as false")
        });
        false
    }

    /// Reports a consumer's or provider's value of a wrong type.
    pub(super) fn neither_map_nor_nil(&mut self, job: &Job<'_>, entry: &Entry, what: &str) {
        let director = format!(
            "{what} '{}' {} specified in the manifest should only be a hash or string 'nil'",
            entry.key,
            job.place()
        );
        let own = format!("the link `{}` must be a map or `nil`, not {}", entry.key, kind(&entry.value));
        let code = if what == "Provider" { codes::PROVIDER } else { codes::CONSUMER };
        let found = self.reporter.error(code, shape::place(entry), director, own);
        let is_written = entry.value.span.start < entry.value.span.end;
        let found = match entry.value.data {
            // A consumer may require a link: then `nil` is not a solution.
            NodeData::Null if is_written && what == "Provider" => {
                found.replace("Write `nil`", entry.value.span, "nil")
            }
            _ => found,
        };
        self.reporter.push(found.help("write `nil` for no link, or a map"));
    }

    /// Reports keys that only a spec can have.
    pub(super) fn name_or_type(
        &mut self,
        job: &Job<'_>,
        entry: &Entry,
        mapping: &Mapping,
        code: Code,
    ) -> bool {
        let Some(found) = ["name", "type"].iter().find_map(|key| mapping.entry(key)) else { return false };
        let director = format!(
            "Cannot specify 'name' or 'type' properties in the manifest for link '{}' {}. \
             Please provide these keys in the release only.",
            entry.key,
            job.place()
        );
        let own = format!("the `{}` of the link `{}` can be set only by its release", found.key, entry.key);
        let error = self.reporter.error(code, found.key_span, director, own);
        self.reporter.push(error.help(format!("remove `{}`", found.key)));
        true
    }

    /// Reports unknown keys, in the strict profile.
    pub(super) fn unknown_keys(&mut self, mapping: &Mapping, known: &[&str], what: &str) {
        let own = ["name", "type"];
        for entry in mapping.entries.iter().filter(|it| !own.contains(&&*it.key)) {
            if self.reporter.is_strict() && !known.contains(&&*entry.key) {
                let message = format!("unknown key `{}` on a {what}; it is ignored", entry.key);
                let found = Diagnostic::warning(codes::UNKNOWN_KEY, entry.key_span, message);
                let names = known.iter().copied().filter(|it| mapping.entry(it).is_none());
                let found = self.reporter.rename(found, (&entry.key, entry.key_span), names, "other keys");
                self.reporter.push(found);
            }
        }
    }
}
