//! Fixes of links without a provider.

use diag::{Span, TextEdit, nearest};

use crate::{
    Candidate, Consumer, ConsumerSpec, Link, LinkModel, Outcome, Owner, Provider, ProviderId,
    ProviderSelector, Refusal, Request, Verdict, fix_builder::FixBuilder, names,
};

/// A fix: its label, and its edits.
pub(crate) type LabelledEdits = (String, Vec<TextEdit>);

/// The largest number of candidates that are offered.
const MOST: usize = 6;

/// The ways to mend one link.
pub(crate) struct LinkFixes<'s> {
    site: &'s LinkModel,
    links: &'s [Link],
    link: &'s Link,
    consumer: &'s Consumer,
}

impl<'s> LinkFixes<'s> {
    pub(crate) const fn new(
        site: &'s LinkModel,
        links: &'s [Link],
        link: &'s Link,
        consumer: &'s Consumer,
    ) -> Self {
        Self { site, links, link, consumer }
    }

    /// Edits that take the finding away, best first.
    pub(crate) fn fixes(&self, builder: &mut FixBuilder<'_>) -> Vec<LabelledEdits> {
        match &self.link.outcome {
            Outcome::Ambiguous(found) => self.choose(found, builder),
            Outcome::NoneFound => self.find(builder),
            Outcome::Blocked => self.unblock_consumer(builder),
            Outcome::Refused(Refusal::NotShared(id)) => self.share(*id, builder),
            Outcome::Refused(Refusal::Network(id)) => self.pick_network(*id),
            Outcome::Refused(Refusal::NoDeployment) => self.rename_deployment(),
            _ => Vec::new(),
        }
    }

    fn provider(&self, id: ProviderId) -> &'s Provider {
        &self.site.deployments[id.deployment].providers[id.provider]
    }

    fn request(&self) -> Option<&'s Request> {
        match &self.consumer.spec {
            ConsumerSpec::Ask(request) => Some(request),
            _ => None,
        }
    }

    /// One of several: by its name, which it gets where it shares it; or by taking the others out of the way.
    fn choose(&self, found: &[ProviderId], builder: &mut FixBuilder<'_>) -> Vec<LabelledEdits> {
        let by_name =
            found.iter().take(MOST).filter_map(|id| self.choose_one(*id, builder)).collect::<Vec<_>>();
        let out_of_the_way = found.iter().filter_map(|id| self.block(*id, found, builder));
        by_name.into_iter().chain(out_of_the_way.collect::<Vec<_>>()).collect()
    }

    fn choose_one(&self, id: ProviderId, builder: &mut FixBuilder<'_>) -> Option<LabelledEdits> {
        let provider = self.provider(id);
        let who = names::provider(self.site, id, self.link.deployment);
        if self.has_own_name(id) {
            let edits = self.ask_for(&provider.public_name().text, builder)?;
            return Some((format!("Use {who}"), edits));
        }
        if self.is_one_of_many(id) {
            return None;
        }
        let alias = self.free_name(id)?;
        let mut edits = self.rename(id, &alias, builder)?;
        edits.extend(self.ask_for(&alias, builder)?);
        Some((format!("Set the alias `{alias}` for {who}, and use it"), edits))
    }

    /// True if no other provider of the type has the same public name.
    fn has_own_name(&self, id: ProviderId) -> bool {
        self.of_same_name(id, &self.provider(id).public_name().text) == 1
    }

    /// True if its declaration applies to other providers too, as that of an addon in several groups, or by an alias of
    /// YAML.
    fn is_one_of_many(&self, id: ProviderId) -> bool {
        let provider = self.provider(id);
        let same = |it: &&Provider| it.body == provider.body && it.name.text == provider.name.text;
        self.site.deployments[id.deployment].providers.iter().filter(same).nth(1).is_some()
    }

    fn of_same_name(&self, id: ProviderId, name: &str) -> usize {
        let link_type = &self.provider(id).link_type.text;
        let all = self.site.deployments[id.deployment].providers.iter();
        all.filter(|it| {
            it.link_type.text == *link_type && *it.public_name().text == *name && it.is_consumable()
        })
        .count()
    }

    /// A name of the provider's group and its own that no other provider has.
    fn free_name(&self, id: ProviderId) -> Option<String> {
        let provider = self.provider(id);
        let deployment = &self.site.deployments[id.deployment];
        let group = provider.owner.group().and_then(|it| deployment.groups.get(it))?;
        // A dot would separate a deployment from a name.
        let name = format!("{}-{}", group.name, provider.name.text).replace('.', "-");
        (self.of_same_name(id, &name) == 0 && is_plain(&name)).then_some(name)
    }

    /// Gives a provider another name, unless a consumer asks for it by the one it has.
    fn rename(&self, id: ProviderId, alias: &str, builder: &mut FixBuilder<'_>) -> Option<Vec<TextEdit>> {
        let provider = self.provider(id);
        let is_user = |link: &&Link| link.provider() == Some(id);
        let by_name = |link: &Link| link.consumer(self.site).is_some_and(|(_, it)| asks_by_name(it));
        if self.links.iter().filter(is_user).any(by_name) {
            return None;
        }
        match &provider.alias {
            Some(written) => Some(vec![TextEdit { span: written.span, new_text: alias.to_owned() }]),
            None => {
                builder.set_in(provider.body, provider.said, &["provides", &provider.name.text, "as"], alias)
            }
        }
    }

    /// Sets the name that the consumer asks for.
    fn ask_for(&self, name: &str, builder: &mut FixBuilder<'_>) -> Option<Vec<TextEdit>> {
        if !is_plain(name) || name.contains('.') {
            return None;
        }
        if let Some(Request { by: ProviderSelector::Name { name: written, written: true }, .. }) =
            self.request()
        {
            return Some(vec![TextEdit { span: written.span, new_text: name.to_owned() }]);
        }
        self.say("from", name, builder)
    }

    /// Sets one key of the consumer's declaration of the link.
    fn say(&self, key: &str, value: &str, builder: &mut FixBuilder<'_>) -> Option<Vec<TextEdit>> {
        let body = self.request().and_then(|it| it.span).and_then(|span| builder.set(span, &[key], value));
        body.or_else(|| {
            builder.set_in(
                self.consumer.body,
                self.consumer.said,
                &["consumes", &self.consumer.name.text, key],
                value,
            )
        })
    }

    /// With two to choose from: forbids this one to all consumers, if none has it.
    fn block(
        &self,
        id: ProviderId,
        found: &[ProviderId],
        builder: &mut FixBuilder<'_>,
    ) -> Option<LabelledEdits> {
        let is_used = self.links.iter().any(|it| it.provider() == Some(id));
        if found.len() != 2 || is_used || self.is_one_of_many(id) {
            return None;
        }
        let who = names::provider(self.site, id, self.link.deployment);
        let edits = self.set_blocked(self.provider(id), builder)?;
        Some((format!("Set {who} to have no consumers"), edits))
    }

    fn set_blocked(&self, provider: &Provider, builder: &mut FixBuilder<'_>) -> Option<Vec<TextEdit>> {
        let name = &*provider.name.text;
        match provider.owner {
            Owner::Service { .. } => {
                builder.set_in(provider.body, provider.said, &["provides", name, "blocked"], "true")
            }
            Owner::Job { .. } if provider.alias.is_none() && !provider.shared => {
                builder.set_in(provider.body, provider.said, &["provides", name], "nil")
            }
            _ => None,
        }
    }

    /// A provider that nearly fits.
    fn find(&self, builder: &mut FixBuilder<'_>) -> Vec<LabelledEdits> {
        let near = self.link.considered.iter().take(MOST);
        near.filter_map(|it| self.take(*it, builder)).collect()
    }

    fn take(&self, candidate: Candidate, builder: &mut FixBuilder<'_>) -> Option<LabelledEdits> {
        let (id, provider) = (candidate.provider, self.provider(candidate.provider));
        let who = names::provider(self.site, id, self.link.deployment);
        match candidate.verdict {
            Verdict::WrongName if provider.is_consumable() && self.has_own_name(id) => {
                let may = id.deployment == self.link.deployment || provider.shared;
                let edits = may.then(|| self.ask_for(&provider.public_name().text, builder))??;
                Some((format!("Use {who}"), edits))
            }
            Verdict::Blocked => {
                let span = provider.blocked?;
                let free =
                    self.of_same_name(id, &provider.public_name().text) == 0 && !self.is_one_of_many(id);
                free.then(|| (format!("Allow consumers of {who}"), vec![unblocked(provider, span)]))
            }
            Verdict::OtherDeployment if self.has_own_name(id) => self.take_from_elsewhere(id, &who, builder),
            _ => None,
        }
    }

    fn take_from_elsewhere(
        &self,
        id: ProviderId,
        who: &str,
        builder: &mut FixBuilder<'_>,
    ) -> Option<LabelledEdits> {
        let deployment = &self.site.deployments[id.deployment].name;
        let known = &self.provider(id).public_name().text;
        let is_silent = self.request().is_some_and(|it| it.span.is_none());
        if !is_silent || !is_plain(deployment) || !is_plain(known) {
            return None;
        }
        let value = format!("{{from: {known}, deployment: {deployment}}}");
        let keys = ["consumes", &self.consumer.name.text];
        Some((format!("Use {who}"), builder.set_in(self.consumer.body, self.consumer.said, &keys, &value)?))
    }

    /// The consumer may have the provider it could have.
    fn unblock_consumer(&self, _: &mut FixBuilder<'_>) -> Vec<LabelledEdits> {
        let ConsumerSpec::Blocked(span) = self.consumer.spec else { return Vec::new() };
        let matches = || self.link.considered.iter().filter(|it| it.verdict == Verdict::Matched);
        let is_only = matches().nth(1).is_none();
        let fitting = matches().filter(|it| self.has_own_name(it.provider)).take(MOST);
        let edits = fitting.filter_map(|it| {
            let known = &self.provider(it.provider).public_name().text;
            let who = names::provider(self.site, it.provider, self.link.deployment);
            let new_text = match self.consumer.owner {
                // Which one is not said there.
                Owner::Service { .. } => is_only.then(|| "false".to_owned())?,
                _ => format!("{{from: {known}}}"),
            };
            is_plain(known).then(|| (format!("Use {who}"), vec![TextEdit { span, new_text }]))
        });
        edits.collect()
    }

    fn share(&self, id: ProviderId, builder: &mut FixBuilder<'_>) -> Vec<LabelledEdits> {
        let provider = self.provider(id);
        let who = names::provider(self.site, id, self.link.deployment);
        let edits = builder.set_in(
            provider.body,
            provider.said,
            &["provides", &provider.name.text, "shared"],
            "true",
        );
        edits.map(|it| (format!("Share {who}"), it)).into_iter().collect()
    }

    fn pick_network(&self, id: ProviderId) -> Vec<LabelledEdits> {
        let Some(written) = self.request().and_then(|it| it.network.as_ref()) else { return Vec::new() };
        let deployment = &self.site.deployments[id.deployment];
        let owner = &self.provider(id).owner;
        if matches!(owner, Owner::Disk { .. } | Owner::Variable { .. }) {
            return Vec::new();
        }
        let group = owner.group().and_then(|it| deployment.groups.get(it));
        let names = group.map_or(&[][..], |it| &it.networks).iter().filter(|it| is_plain(&it.name));
        names
            .take(MOST)
            .map(|it| replace(format!("Use the network `{}`", it.name), written.span, &it.name))
            .collect()
    }

    fn rename_deployment(&self) -> Vec<LabelledEdits> {
        let Some(written) = self.request().and_then(|it| it.deployment.as_ref()) else { return Vec::new() };
        let names = self.site.deployments.iter().map(|it| &*it.name);
        let likely = nearest(&written.text, names).filter(|it| is_plain(it));
        likely.map(|it| replace(format!("Change to `{it}`"), written.span, it)).into_iter().collect()
    }
}

fn asks_by_name(consumer: &Consumer) -> bool {
    matches!(&consumer.spec, ConsumerSpec::Ask(Request { by: ProviderSelector::Name { .. }, .. }))
}

fn replace(title: String, span: Span, new_text: &str) -> LabelledEdits {
    (title, vec![TextEdit { span, new_text: new_text.to_owned() }])
}

fn unblocked(provider: &Provider, span: Span) -> TextEdit {
    let new_text = if let Owner::Service { .. } = provider.owner { "false" } else { "{}" };
    TextEdit { span, new_text: new_text.to_owned() }
}

/// True if a name can be written without quotes, wherever it stands.
fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    let begins = bytes.next().is_some_and(|it| it.is_ascii_alphabetic());
    let words = ["nil", "null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    begins
        && bytes.all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.'))
        && !words.contains(&&*name.to_ascii_lowercase())
}
