use std::collections::BTreeSet;

use protocol::{Call, Feature, Reply, Resource};

use super::{Reader, read::unexpected_reply};
use crate::{EngineError, codes, retry_timing::Deadline};

/// The highest number of pages that are read.
const MOST_PAGES: usize = 10_000;

/// The highest number of resources that are kept.
const MOST_KEPT: usize = 100_000;

impl Reader {
    /// The selected resources of all that the adapter has of a deployment; none if it cannot list.
    ///
    /// # Errors
    /// If it cannot be reached, or its list has a broken page link.
    pub(crate) async fn list<T>(
        &self,
        deployment: &str,
        deadline: Deadline,
        mut select: impl FnMut(Resource) -> Option<T>,
    ) -> Result<Vec<T>, EngineError> {
        if !self.describe(deadline).await?.can(Feature::List) {
            return Ok(Vec::new());
        }
        let call = |page| Call::List { deployment: deployment.to_owned(), page };
        let of_it = |it: Resource| if it.deployment == deployment { select(it) } else { None };
        self.pages(call, deadline, of_it).await
    }

    /// The selected resources of all that the adapter has of deployments of that name, except the one of that
    /// lineage; none if it cannot list.
    ///
    /// # Errors
    /// If it cannot be reached, or its list has a broken page link.
    pub(crate) async fn list_by_name<T>(
        &self,
        name: &str,
        except: &str,
        deadline: Deadline,
        mut select: impl FnMut(Resource) -> Option<T>,
    ) -> Result<Vec<T>, EngineError> {
        if !self.describe(deadline).await?.can(Feature::Lineage) {
            return Ok(Vec::new());
        }
        let call = |page| Call::ListByName { name: name.to_owned(), except: Some(except.to_owned()), page };
        let is_other = |it: &Resource| {
            it.deployment_name == name && it.deployment != except && !it.deployment.is_empty()
        };
        let of_it = |it: Resource| if is_other(&it) { select(it) } else { None };
        self.pages(call, deadline, of_it).await
    }

    /// The selected resources of all pages of a list.
    async fn pages<T>(
        &self,
        call: impl Fn(Option<String>) -> Call,
        deadline: Deadline,
        mut select: impl FnMut(Resource) -> Option<T>,
    ) -> Result<Vec<T>, EngineError> {
        let (mut found, mut page, mut pages) = (Vec::new(), None, BTreeSet::new());
        loop {
            let call = call(page.clone());
            let part = match self.0.question(&call, deadline).await {
                Reply::Page(part) => part,
                reply => return Err(unexpected_reply(&reply)),
            };
            found.extend(part.items.into_iter().filter_map(&mut select));
            let Some(next) = part.next else { return Ok(found) };
            if !pages.insert(next.clone()) {
                return Err(endless("a page of the adapter's list leads back to an earlier one"));
            }
            let is_long = pages.len() > MOST_PAGES || found.len() > MOST_KEPT;
            if is_long || self.0.timing.is_over(deadline) {
                return Err(endless("the adapter's list does not end"));
            }
            page = Some(next);
        }
    }
}

fn endless(what: &str) -> EngineError {
    EngineError::new(codes::ADAPTER_CONTRACT, what)
        .help("the adapter violates the protocol; report it to its author")
}
