//! Providers that do not tell what they should, and those that wait to collide.

use diag::{Diagnostic, Diagnostics, Span};
use model::{Data, Origin, Value};

use super::{NAMES, PLACES};
use crate::{
    ConsumerSpec, Link, LinkModel, Named, Profile, Provider, ProviderId, codes, contract, expose, impact,
    names,
};

/// Providers, and links that are written out, that do not tell what their type promises.
pub(super) fn contracts(site: &LinkModel, profile: Profile) -> Diagnostics {
    let mut found = Diagnostics::new();
    for deployment in &site.deployments {
        for provider in deployment.providers.iter().filter(|it| !it.broken) {
            let Some(link_type) = site.link_type(&provider.link_type.text) else { continue };
            let who =
                format!("`{}` of {}", provider.public_name().text, names::owner(deployment, &provider.owner));
            let breaches = contract::contract_violations(link_type, provider, profile);
            found.extend(breaches.iter().map(|it| breach(it, &who, provider.name.span)));
        }
        for consumer in &deployment.consumers {
            let ConsumerSpec::Manual(manual) = &consumer.spec else { continue };
            let Some(link_type) = site.link_type(&consumer.link_type.text) else { continue };
            let nothing = Value::new(Data::Null, Origin::Written(manual.span));
            let breaches = contract::check(link_type, manual.properties.as_ref().unwrap_or(&nothing));
            let who = names::consumer(deployment, consumer);
            found.extend(breaches.iter().map(|it| breach(it, &who, manual.span)));
        }
    }
    found
}

fn breach(it: &contract::ContractViolation<'_>, who: &str, span: Span) -> Diagnostic {
    let (path, kind) = (&it.property.path, with_article(&it.property.kind));
    let message = match it.is {
        None => format!("{who} does not provide `{}`, which its type promises", path.text),
        Some(is) => {
            format!("{who} provides {} as `{}`, its type promises {kind}", with_article(is), path.text)
        }
    };
    let help = match it.is {
        None => format!("add the property `{}`", path.text),
        Some(_) => format!("write {kind}"),
    };
    Diagnostic::error(codes::CONTRACT, span, message).related(path.span, "promised here").help(help)
}

/// A kind of value, as people say it.
fn with_article(kind: &str) -> String {
    match kind {
        "text" | "null" => kind.into(),
        "integer" => "a whole number".into(),
        _ => format!("a {kind}"),
    }
}

/// Properties of providers that are consumed, or may be from elsewhere, about which nothing is known.
pub(super) fn unknown_properties(site: &LinkModel, links: &[Link], profile: Profile) -> Diagnostics {
    let users = impact::consumers_by_provider(links);
    let mut found = Diagnostics::new();
    for (n, deployment) in site.deployments.iter().enumerate() {
        for (provider, it) in deployment.providers.iter().enumerate() {
            if !it.shared && !users.contains_key(&ProviderId { deployment: n, provider }) {
                continue;
            }
            let exposed = expose(&it.exposure, profile);
            let who = format!("`{}` of {}", it.public_name().text, names::owner(deployment, &it.owner));
            found.extend(no_value(it, &who, &exposed.missing));
            found.extend(exposed.unchecked.iter().map(|path| {
                let message = format!("`{}` of {who} cannot be checked before it is filled in", path.text);
                let help = "the value that is filled in later has to be a map with that key";
                Diagnostic::warning(codes::UNCHECKED, it.declared, message)
                    .related(path.span, "provided here")
                    .help(help)
            }));
        }
    }
    found
}

/// One warning for all that a provider tells without knowing it.
fn no_value(provider: &Provider, who: &str, missing: &[Named]) -> Option<Diagnostic> {
    let first = missing.first()?;
    let names: Vec<String> = missing.iter().map(|it| format!("`{}`", it.text)).collect();
    let has = if missing.len() == 1 { "has" } else { "have" };
    let message = format!("{who} provides {}, which {has} no value", names::list(&names, NAMES));
    let help = "set it where the provider is deployed; otherwise consumers that require it fail";
    Some(
        Diagnostic::warning(codes::NO_VALUE, provider.declared, message)
            .related(first.span, "provided here")
            .help(help),
    )
}

/// Types that the next consumer would have to choose from.
pub(super) fn latent(site: &LinkModel) -> Diagnostics {
    let hint = |providers: Vec<ProviderId>| {
        let first = providers[0];
        let all: Vec<_> = providers.iter().map(|it| names::provider(site, *it, first.deployment)).collect();
        let provider = &site.deployments[first.deployment].providers[first.provider];
        let kind = &provider.link_type.text;
        let message = format!(
            "`{kind}` is provided {} times and has no consumers: {}",
            all.len(),
            names::list(&all, NAMES)
        );
        let help = "the next consumer would have to name one; set the others to have no consumers";
        let diagnostic = Diagnostic::hint(codes::LATENT, provider.declared, message).help(help);
        let others = providers.iter().skip(1).take(PLACES);
        others.fold(diagnostic, |it, id| {
            let other = &site.deployments[id.deployment].providers[id.provider];
            it.related(other.declared, "here too")
        })
    };
    impact::latent(site).into_iter().map(hint).collect()
}
