use std::collections::BTreeSet;

use crate::{
    demand::text,
    market::{Properties, Proposal},
    prices::Prices,
    spec::Market,
};

/// An offer whose terms are acceptable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) provider_id: String,
    pub(crate) provider_name: String,
    pub(crate) prices: Prices,
}

/// The conditions on which offers are acceptable.
#[derive(Clone, Debug)]
pub(crate) struct Acceptable<'a> {
    pub(crate) market: &'a Market,
    pub(crate) platform: &'a str,
    /// Providers that must not be asked, with the reason.
    pub(crate) excluded: &'a BTreeSet<String>,
}

impl Offer {
    /// The offer in a proposal.
    ///
    /// # Errors
    /// The reason why it is not acceptable, in words that follow the provider's name.
    pub(crate) fn read(proposal: &Proposal, acceptable: &Acceptable<'_>) -> Result<Self, String> {
        let Acceptable { market, platform, excluded } = acceptable;
        let (id, name) = (proposal.issuer_id.clone(), provider_name(&proposal.properties));
        let is_listed = market.providers.is_empty()
            || market.providers.contains(&name)
            || market.providers.iter().any(|it| it.eq_ignore_ascii_case(&id));
        if !is_listed {
            return Err("is not one of the listed providers".into());
        }
        if excluded.contains(&id) {
            return Err(
                "cannot be used again: it has a service of the same network, or has just failed".into()
            );
        }
        if !proposal.properties.contains_key(&format!("golem.com.payment.platform.{platform}.address")) {
            return Err(format!("cannot be paid on {platform}"));
        }
        let prices = Prices::of(&proposal.properties)?;
        if prices.start > market.max_start || prices.hour() > market.max_hour {
            return Err(format!("costs {prices}, which is too much"));
        }
        Ok(Self { provider_id: id, provider_name: name, prices })
    }
}

pub(crate) fn provider_name(offer: &Properties) -> String {
    let name = text(offer, "golem.node.id.name").unwrap_or("a provider without a name");
    name.chars().filter(|it| !it.is_control()).take(80).collect()
}
