use plan::Action;

use crate::{Engine, Event, Report, Stop, Terms, Trouble};

/// How an engine keeps what exists as it is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watching {
    /// How long between two looks, in milliseconds.
    pub interval: u64,
    /// How it is repaired.
    pub terms: Terms,
    /// Only look and tell; repair nothing.
    pub only_look: bool,
    /// Destroy what is not described any more, too.
    pub destroys: bool,
}

impl Engine {
    /// Looks again and again, and brings what exists back to what is described, until it is [cancelled](Self::cancel)
    /// or loses the state. Everything is told as [`Event`]s.
    ///
    /// What an adapter refused is not tried again until something changed: the plan, or what is there.
    ///
    /// # Errors
    /// Where the state is lost.
    pub async fn watch(&self, how: Watching) -> Result<(), Trouble> {
        let mut refused: Option<Vec<Action>> = None;
        while !self.is_cancelled() {
            match self.plan(true).await {
                Err(trouble) => self.tell(&Event::Trouble(trouble)),
                Ok(planned) => {
                    let actions = &planned.plan.actions;
                    let acts = actions.iter().any(|it| it.verb.acts());
                    let destroys = actions.iter().any(|it| it.verb == plan::Verb::Destroy);
                    let is_known = refused.as_ref() == Some(actions);
                    if let Some(trouble) = planned.refused.clone().filter(|_| acts || !is_known) {
                        self.tell(&Event::Trouble(trouble));
                        refused = Some(actions.clone());
                    } else if acts && !how.only_look && !is_known && (how.destroys || !destroys) {
                        let report = self.apply(&planned.digest, how.terms).await?;
                        if let Some(trouble) = &report.trouble {
                            return Err(trouble.clone());
                        }
                        refused = is_final(&report).then(|| actions.clone());
                    }
                }
            }
            self.rest(how.interval).await;
        }
        Ok(())
    }

    /// Waits, but no longer than until it is cancelled.
    async fn rest(&self, millis: u64) {
        let mut stop = self.stops();
        let cancelled = std::pin::pin!(async move {
            // The sender lives as long as the engine.
            let _ = stop.wait_for(|it| *it != Stop::No).await;
        });
        self.pace().within(millis, cancelled).await;
    }
}

/// Whether trying the same again is of no use: something failed, and nothing of that for a passing reason.
fn is_final(report: &Report) -> bool {
    let mut troubles = report.steps.iter().filter_map(|it| it.trouble.as_ref()).peekable();
    troubles.peek().is_some() && troubles.all(|it| !it.passing)
}
