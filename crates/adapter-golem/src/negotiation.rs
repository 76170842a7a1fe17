use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, SystemTime},
};

use protocol::{Code, Problem};
use tokio::time::Instant;

use crate::{
    demand::answer,
    folder::Failures,
    market::{AgreementState, Demand, Proposal},
    offer::{Acceptable, Offer},
    rental::Lease,
    spec::{Market, Timeouts},
    strategy::rank,
    timestamp,
    yagna::{Yagna, YagnaError},
};

/// The time that an agreement stays valid after the wait for its decision.
const EXPIRY: Duration = Duration::from_secs(1);

/// The time that acceptable offers are waited for after the first one that is not.
const HOPELESS: Duration = Duration::from_secs(20);

/// The longest wait for events at a time.
const POLL: Duration = Duration::from_secs(5);

/// From a published demand to an approved agreement.
pub(crate) struct Negotiation<'n> {
    pub(crate) yagna: &'n Yagna,
    pub(crate) demand: &'n Demand,
    /// The id of the published demand.
    pub(crate) id: &'n str,
    pub(crate) market: &'n Market,
    pub(crate) platform: &'n str,
    pub(crate) timeouts: Timeouts,
    pub(crate) expires: SystemTime,
    /// The time that better offers are waited for, after the first acceptable one.
    pub(crate) choice: Duration,
    /// Providers that must not be asked.
    pub(crate) excluded: BTreeSet<String>,
    pub(crate) failures: Failures,
    /// Called with each step, for people.
    pub(crate) progress: &'n dyn Fn(String),
    /// True if a provider is still free to be asked, which is then reserved.
    pub(crate) reserve: &'n dyn Fn(&str) -> bool,
    /// Called with each provider that did not approve an agreement.
    pub(crate) failed: &'n dyn Fn(&str),
}

/// Offers that were received.
#[derive(Default)]
struct Received {
    /// Those that a provider has confirmed for this demand.
    drafts: Vec<(Offer, Proposal)>,
    /// The time at which the first draft came.
    since: Option<Instant>,
    /// Since when all drafts are of providers that are reserved for other services.
    reserved_since: Option<Instant>,
    /// The reasons why offers are not acceptable, by provider.
    refused: BTreeMap<String, String>,
    first_refused: Option<Instant>,
    answered: BTreeSet<String>,
}

impl Received {
    /// True if all providers that have confirmed their offers have been reserved for other services for a while.
    fn all_are_reserved(&self) -> bool {
        self.reserved_since.is_some_and(|it| it.elapsed() > HOPELESS)
    }

    /// True if all offers for a while were not acceptable: others will hardly come.
    fn is_hopeless(&self) -> bool {
        self.answered.is_empty() && self.first_refused.is_some_and(|it| it.elapsed() > HOPELESS)
    }
}

impl Negotiation<'_> {
    /// An agreement that a provider has approved.
    ///
    /// # Errors
    /// There is none in time, with a summary of the offers.
    pub(crate) async fn agree(mut self) -> Result<Lease, Problem> {
        let deadline = Instant::now() + self.timeouts.agreement;
        let mut received = Received::default();
        while Instant::now() < deadline && !received.is_hopeless() && !received.all_are_reserved() {
            self.receive(&mut received, deadline).await?;
            let is_time = received.since.is_some_and(|it| it.elapsed() >= self.choice);
            let best = if is_time { self.best(&mut received) } else { None };
            let Some(best) = best else {
                let are_reserved = is_time && !received.drafts.is_empty();
                let since = received.reserved_since.unwrap_or_else(Instant::now);
                received.reserved_since = are_reserved.then_some(since);
                continue;
            };
            received.reserved_since = None;
            if let Some(lease) = self.propose(best).await? {
                return Ok(lease);
            }
        }
        Err(self.none_in_time(&received))
    }

    async fn receive(&self, received: &mut Received, deadline: Instant) -> Result<(), Problem> {
        // The wait for a better offer begins with the first draft; once that is over, with the next one.
        let until = match received.since {
            Some(since) if !received.drafts.is_empty() => deadline.min(since + self.choice),
            _ => deadline,
        };
        let wait = until.saturating_duration_since(Instant::now()).clamp(Duration::from_millis(100), POLL);
        let events = self.yagna.events(self.id, wait).await.map_err(|it| self.problem("read offers", &it))?;
        for proposal in events.into_iter().filter_map(|it| it.proposal) {
            self.consider(received, proposal).await?;
        }
        let (answered, drafts) = (received.answered.len(), received.drafts.len());
        let others = match received.refused.iter().next() {
            Some((name, why)) => format!("{} ({name} {why})", received.refused.len()),
            None => "0".into(),
        };
        (self.progress)(format!(
            "looking for a provider: acceptable offers {answered}, confirmed {drafts}, others {others}"
        ));
        Ok(())
    }

    async fn consider(&self, received: &mut Received, proposal: Proposal) -> Result<(), Problem> {
        let acceptable =
            Acceptable { market: self.market, platform: self.platform, excluded: &self.excluded };
        let offer = match Offer::read(&proposal, &acceptable) {
            Ok(offer) => offer,
            Err(why) => {
                // Who does not answer need not be told either.
                _ = self.yagna.reject(self.id, &proposal, &why).await;
                let name = crate::offer::provider_name(&proposal.properties);
                received.first_refused.get_or_insert_with(Instant::now);
                received.refused.insert(name, why);
                return Ok(());
            }
        };
        if proposal.state == "Draft" {
            received.since.get_or_insert_with(Instant::now);
            received.drafts.push((offer, proposal));
            return Ok(());
        }
        let demand = answer(self.demand, &proposal.properties);
        match self.yagna.counter(self.id, &proposal, &demand).await {
            Ok(()) => drop(received.answered.insert(offer.provider_id)),
            // An offer that is no longer there is no reason to give up the others.
            Err(YagnaError::Refused(..)) => {}
            Err(error) => return Err(self.problem("answer an offer", &error)),
        }
        Ok(())
    }

    fn best(&self, received: &mut Received) -> Option<(Offer, Proposal)> {
        received.drafts.retain(|(offer, _)| !self.excluded.contains(&offer.provider_id));
        let now = timestamp::millis(SystemTime::now());
        rank(&mut received.drafts, self.market.strategy, &self.failures, now);
        let free = received.drafts.iter().position(|(offer, _)| (self.reserve)(&offer.provider_id));
        free.map(|at| received.drafts.remove(at))
    }

    /// Proposes an agreement to a provider; `None` if there is none, and another provider is to be asked.
    async fn propose(&mut self, (offer, proposal): (Offer, Proposal)) -> Result<Option<Lease>, Problem> {
        (self.progress)(format!("waiting until {} approves the agreement", offer.provider_name));
        let decided = self.decide(&proposal).await;
        let agreement = match decided {
            Ok((agreement, AgreementState::Approved)) => agreement,
            Ok((agreement, state)) => {
                self.give_up(&offer, &agreement, state).await?;
                return Ok(None);
            }
            Err(YagnaError::Refused(..)) => {
                self.exclude(&offer);
                return Ok(None);
            }
            Err(error) => return Err(self.problem("make an agreement", &error)),
        };
        Ok(Some(Lease {
            agreement,
            provider_id: offer.provider_id,
            provider_name: offer.provider_name,
            prices: offer.prices,
            expires: timestamp::millis(self.expires),
        }))
    }

    async fn decide(&self, proposal: &Proposal) -> Result<(String, AgreementState), YagnaError> {
        let wait = self.timeouts.decision;
        // An agreement that is not decided cannot be taken back, it can only expire.
        let valid_to = timestamp::text(SystemTime::now() + wait + EXPIRY);
        let agreement = self.yagna.draft(&proposal.proposal_id, &valid_to).await?;
        self.yagna.confirm(&agreement).await?;
        let state = self.yagna.decision(&agreement, wait).await?;
        Ok((agreement, state))
    }

    /// A provider that has not decided may still do so until the agreement expires, which is waited for: one
    /// that is approved at the last moment is terminated.
    async fn give_up(
        &mut self,
        offer: &Offer,
        agreement: &str,
        state: AgreementState,
    ) -> Result<(), Problem> {
        if state.is_open() {
            let ended = self.yagna.end_agreement(agreement, "not approved in time").await;
            ended.map_err(|error| self.problem("end an agreement", &error))?;
        }
        self.exclude(offer);
        Ok(())
    }

    fn exclude(&mut self, offer: &Offer) {
        (self.failed)(&offer.provider_id);
        self.excluded.insert(offer.provider_id.clone());
    }

    fn problem(&self, doing: &str, error: &YagnaError) -> Problem {
        self.yagna.problem(doing, error)
    }

    fn none_in_time(&self, received: &Received) -> Problem {
        let mut message = "no provider agreed".to_owned();
        match received.refused.iter().next() {
            _ if received.reserved_since.is_some() => {
                message += ": all that offer it have another service of the network, and a network needs as many \
                            providers as services";
            }
            None if received.answered.is_empty() => {
                message += ": there is no offer that meets the conditions; look at `constraints`, \
                            `capabilities` and `min_…` of the payload, at `--subnet` and `--payment-network`";
            }
            None => message += ": offers were received, but their providers did not agree",
            Some((name, why)) => {
                let others = received.refused.len() - 1;
                message += &format!(": {name} {why}");
                if others > 0 {
                    message += &format!(", and {others} other offers were not acceptable either");
                }
                message += "; what is acceptable is `market` in the payload's `params`";
            }
        }
        Problem::new(Code::Unavailable, message)
    }
}
