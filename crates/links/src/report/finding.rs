//! One link that leads nowhere, in words.

use std::sync::Arc;

use diag::{Code, Diagnostic, Span, nearest};

use super::{NAMES, PLACES};
use crate::{
    Candidate, Consumer, ConsumerSpec, Deployment, Link, LinkModel, Outcome, Owner, Profile, ProviderId,
    ProviderSelector, Refusal, Request, Scope, Verdict, codes, director, impact, names, sentence,
};

/// One link that may have gone wrong.
pub(super) struct Finding<'s> {
    pub(super) site: &'s LinkModel,
    pub(super) link: &'s Link,
    pub(super) deployment: &'s Deployment,
    pub(super) consumer: &'s Consumer,
    pub(super) profile: Profile,
}

impl Finding<'_> {
    pub(super) fn diagnostic(&self) -> Option<Diagnostic> {
        let (code, message, help) = self.words()?;
        let message = match self.profile {
            Profile::Bosh => {
                director::error(self.site, self.link)?.lines().next().unwrap_or_default().to_owned()
            }
            Profile::Strict => message,
        };
        let diagnostic = Diagnostic::error(code, self.place(), message).help(help);
        let own = self.consumer.name.span;
        let diagnostic = match own.file == self.place().file {
            true => diagnostic,
            false => {
                diagnostic.related(own, format!("the link `{}` is requested here", self.consumer.name.text))
            }
        };
        Some(self.candidates().fold(diagnostic, |it, (span, text)| it.related(span, text)))
    }

    /// The place at which the author of the consumer's deployment can resolve it.
    fn place(&self) -> Span {
        let request = match &self.consumer.spec {
            ConsumerSpec::Ask(request) => self.word(request),
            ConsumerSpec::Blocked(span) => Some(*span),
            ConsumerSpec::Manual(manual) => Some(manual.span),
            ConsumerSpec::Broken => None,
        };
        request.unwrap_or(self.consumer.declared)
    }

    /// The word of a request that is at fault.
    fn word(&self, request: &Request) -> Option<Span> {
        let named = match (&self.link.outcome, &request.by) {
            (Outcome::Refused(Refusal::NoDeployment), _) => request.deployment.as_ref(),
            (Outcome::Refused(Refusal::Network(_)), _) => request.network.as_ref(),
            (Outcome::NoneFound | Outcome::Refused(_), ProviderSelector::Name { name, written: true }) => {
                Some(name)
            }
            _ => None,
        };
        named.map(|it| it.span).or(request.span)
    }

    fn words(&self) -> Option<(Code, String, String)> {
        let who = names::consumer(self.deployment, self.consumer);
        let kind = &self.consumer.link_type.text;
        Some(match &self.link.outcome {
            Outcome::Linked(_) | Outcome::Absent(_) | Outcome::Manual => return None,
            Outcome::Refused(Refusal::Broken | Refusal::Contract(_)) => return None,
            Outcome::Blocked => {
                let message = format!("{who} is required, but it is set to nil");
                (codes::BLOCKED, message, "remove `nil`, or write the link out as a manual link".into())
            }
            Outcome::Ambiguous(found) => {
                let all: Vec<_> =
                    found.iter().map(|it| names::provider(self.site, *it, self.link.deployment)).collect();
                let message =
                    format!("{who} has {} candidates of `{kind}`: {}", found.len(), names::list(&all, NAMES));
                (
                    codes::AMBIGUOUS,
                    message,
                    "name one with `from`, or set the others to have no consumers".into(),
                )
            }
            Outcome::NoneFound if self.link.is_consequence() => return None,
            Outcome::NoneFound => (codes::NONE_FOUND, self.nothing(&who), self.nothing_help()),
            Outcome::Refused(Refusal::NoDeployment) => {
                let message = format!("the deployment that {who} requests does not exist");
                let known =
                    self.site.deployments.iter().map(|it| format!("`{}`", it.name)).collect::<Vec<_>>();
                (codes::NO_DEPLOYMENT, message, format!("deployments here: {}", names::list(&known, PLACES)))
            }
            Outcome::Refused(Refusal::NotShared(id)) => {
                let provider = names::provider(self.site, *id, self.link.deployment);
                let message = format!("{provider} is not shared, and {who} requests it");
                (codes::NOT_SHARED, message, "set `shared: true` where it is provided".into())
            }
            Outcome::Refused(Refusal::Network(id)) => {
                let provider = names::provider(self.site, *id, self.link.deployment);
                let message = format!("{provider} is not in the network that {who} requests");
                (codes::NETWORK, message, self.networks(*id))
            }
        })
    }

    fn nothing(&self, who: &str) -> String {
        let kind = &self.consumer.link_type.text;
        if let Some(Candidate { verdict: Verdict::Blocked, provider }) = self.link.considered.first() {
            let provider = names::provider(self.site, *provider, self.link.deployment);
            return format!("{provider} is set to have no consumers, but {who} requires it");
        }
        match &self.consumer.spec {
            ConsumerSpec::Ask(Request { by: ProviderSelector::Name { name, .. }, .. }) => {
                format!("no provider of `{kind}` is called `{}`, which {who} requires", name.text)
            }
            _ if self.consumer.scope == Scope::Colocated => {
                format!("no provider of `{kind}` is on the same host, which {who} requires")
            }
            _ => format!("no provider of `{kind}` exists, which {who} requires"),
        }
    }

    fn nothing_help(&self) -> String {
        match self.link.considered.first() {
            Some(Candidate { verdict: Verdict::WrongName, .. }) if !self.is_written() => {
                "a link with settings is matched by name: add `from` with the provider's name".into()
            }
            Some(Candidate { verdict: Verdict::WrongName, .. }) => "use the provider's name".into(),
            Some(Candidate { verdict: Verdict::Blocked, .. }) => {
                "one provider is set to have no consumers: allow consumers there".into()
            }
            Some(Candidate { verdict: Verdict::OtherDeployment, .. }) => {
                "another deployment shares one: request it with `deployment` and `from`".into()
            }
            Some(Candidate { verdict: Verdict::WrongType, .. }) => {
                "the provider of that name has another type: deploy a provider of this type, or use \
                 another name"
                    .into()
            }
            _ => self.likely().unwrap_or_else(|| "deploy a provider, or write a manual link".into()),
        }
    }

    /// A type, or a name of a provider, that was probably meant.
    fn likely(&self) -> Option<String> {
        let providers = || self.deployment.providers.iter();
        let kind = &*self.consumer.link_type.text;
        let types = providers().map(|it| &*it.link_type.text).filter(|it| *it != kind);
        if let Some(likely) = nearest(kind, types) {
            return Some(format!("there is a provider of `{likely}`: was that meant?"));
        }
        let request = &self.consumer.spec;
        let ConsumerSpec::Ask(Request { by: ProviderSelector::Name { name, .. }, .. }) = request else {
            return None;
        };
        let names = providers().map(|it| &*it.public_name().text).filter(|it| *it != &*name.text);
        let likely = nearest(&name.text, names)?;
        Some(format!("there is a provider called `{likely}`: was that meant?"))
    }

    /// True if the requested name is written.
    const fn is_written(&self) -> bool {
        !matches!(
            &self.consumer.spec,
            ConsumerSpec::Ask(Request { by: ProviderSelector::Name { written: false, .. }, .. })
        )
    }

    fn networks(&self, id: ProviderId) -> String {
        let deployment = &self.site.deployments[id.deployment];
        let owner = &deployment.providers[id.provider].owner;
        let group = match owner {
            Owner::Job { group, .. } | Owner::Service { group, .. } => deployment.groups.get(*group),
            Owner::Disk { .. } | Owner::Variable { .. } => None,
        };
        let names = group.map_or(&[][..], |it| &it.networks);
        let names: Vec<_> = names.iter().map(|it| format!("`{}`", it.name)).collect();
        if names.is_empty() {
            "it is in no network".into()
        } else {
            format!("it is in {}", names::list(&names, PLACES))
        }
    }

    /// The places of the candidates, each with the verdict.
    fn candidates(&self) -> impl Iterator<Item = (Span, String)> {
        self.link.considered.iter().take(PLACES).map(|candidate| {
            let provider =
                &self.site.deployments[candidate.provider.deployment].providers[candidate.provider.provider];
            let who = names::provider(self.site, candidate.provider, self.link.deployment);
            let why = sentence::verdict(self.site, self.link, *candidate);
            let span = match (candidate.verdict, &provider.alias) {
                (Verdict::Blocked, _) => provider.blocked.unwrap_or(provider.declared),
                (Verdict::WrongName, Some(alias)) => alias.span,
                _ => provider.declared,
            };
            (span, format!("{who}: {}", names::lower_first(why.trim_end_matches('.'))))
        })
    }

    /// A link that leaves the consumer's host although a provider on it offers the same and is not used for it.
    pub(super) fn left_host(&self) -> Option<Diagnostic> {
        let ((_, from), (deployment, to)) = impact::endpoints(self.site, self.link)?;
        if deployment != self.link.deployment || !self.profile.is_strict() {
            return None;
        }
        let host = &self.deployment.groups.get(from)?.host;
        if self.deployment.groups.get(to)?.host == *host {
            return None;
        }
        let is_near = |it: &&Candidate| {
            self.host_of(it.provider).is_some_and(|it| it == host) && it.verdict == Verdict::Blocked
        };
        let near = self.link.considered.iter().find(is_near)?;
        let who = names::consumer(self.deployment, self.consumer);
        let (far, near_name) =
            (self.link.provider()?, names::provider(self.site, near.provider, self.link.deployment));
        let message = format!(
            "{who} is linked to {} on another host",
            names::provider(self.site, far, self.link.deployment)
        );
        let blocked = self.deployment.providers[near.provider.provider].blocked?;
        let help = format!(
            "{near_name} is on the same host and is set to have no consumers; if the other one is \
             intended, ignore this"
        );
        Some(
            Diagnostic::hint(codes::WRONG_SCOPE, self.place(), message)
                .related(blocked, "set here")
                .help(help),
        )
    }

    fn host_of(&self, id: ProviderId) -> Option<&Arc<str>> {
        let deployment = self.site.deployments.get(id.deployment)?;
        let group = deployment.providers.get(id.provider)?.owner.group()?;
        Some(&deployment.groups.get(group)?.host)
    }
}
