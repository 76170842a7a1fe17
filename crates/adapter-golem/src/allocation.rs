use std::time::{Duration, SystemTime};

use protocol::{Code, Problem};
use rust_decimal::Decimal;
use sha2::{Digest, Sha256};

use crate::{
    bill::Bill,
    payment::{Account, Allocation},
    shared::Shared,
    timestamp,
    yagna::YagnaError,
};

/// Another budget for a deployment whose services are rented already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetChange {
    /// The budget.
    pub budget: Decimal,
    /// The amount that is set aside.
    pub from: Decimal,
    /// The amount that the budget requires: without what the deployment has cost under earlier allocations.
    pub to: Decimal,
}

/// 2100-01-01, in seconds since 1970.
const FAR: u64 = 4_102_444_800;

/// The range of time-outs, in microseconds: about nine years.
const RANGE: u64 = 1 << 48;

/// The time-out of a deployment's allocation.
///
/// An allocation has no name. Its time-out is the only value that the requestor chooses freely, so it says
/// which deployment the allocation is for, and one whose creation was not answered is found by it. It is far
/// in the future, because an allocation that expires leaves providers unpaid (golemfactory/yapapi#923).
pub(crate) fn timeout(deployment: &str) -> SystemTime {
    let hash = Sha256::digest(deployment);
    let number = hash.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    SystemTime::UNIX_EPOCH + Duration::from_secs(FAR) + Duration::from_micros(number % RANGE)
}

/// True if an allocation with that time-out is one of a deployment.
pub(crate) fn is_of_deployment(timeout: SystemTime) -> bool {
    let since = timeout.duration_since(SystemTime::UNIX_EPOCH + Duration::from_secs(FAR));
    since.is_ok_and(|it| it < Duration::from_micros(RANGE))
}

impl Shared {
    /// The account that is paid from. A daemon that was started again lists no accounts until one is used.
    pub(crate) async fn account(&self) -> Result<Account, Problem> {
        let accounts = self.yagna.accounts().await;
        let accounts = accounts.map_err(|error| self.yagna.problem("list its accounts", &error))?;
        let network = &self.options.payment_network;
        let found = accounts.into_iter().find(|it| it.driver == "erc20" && it.network == *network);
        if let Some(found) = found {
            return Ok(found);
        }
        let address = self.yagna.identity().await;
        let address = address.map_err(|error| self.yagna.problem("say who it is", &error))?;
        Ok(Account {
            platform: format!("erc20-{network}-{}", token(network)),
            address,
            driver: "erc20".into(),
            network: network.clone(),
        })
    }

    /// The allocation of a deployment, which is created if there is none, and amended if the budget has changed.
    pub(crate) async fn allocation(
        &self,
        deployment: &str,
        account: &Account,
    ) -> Result<Allocation, Problem> {
        if let Some(found) = self.allocation_of(deployment).await? {
            return self.amended(deployment, found).await;
        }
        let budget = self.left_of_budget(deployment)?;
        let text = timestamp::text(timeout(deployment));
        let made = self.yagna.allocate(account, budget, &text).await;
        // After a lost answer it may be there.
        let found = self.allocation_of(deployment).await?;
        match (found, made) {
            (Some(found), _) => {
                self.pay_from(deployment, &found)?;
                Ok(found)
            }
            (None, Err(error)) => {
                let doing = format!("set {budget} aside for payments on {}", account.platform);
                let problem = self.refusal(&doing, &error);
                let detail = format!("{}; {}", problem.detail, init(&account.network));
                Err(Problem { detail, ..problem })
            }
            (None, Ok(())) => Err(Problem::new(Code::Unavailable, "yagna does not list a new allocation")),
        }
    }

    /// The change that the allocation of a deployment needs; `None` if there is none, or it has the right amount.
    pub(crate) async fn budget_change(&self, deployment: &str) -> Result<Option<BudgetChange>, Problem> {
        let Some(budget) = self.options.budget else { return Ok(None) };
        let Some(found) = self.allocation_of(deployment).await? else { return Ok(None) };
        let (from, to) = (found.total_amount, self.left_of_budget(deployment)?);
        Ok((from != to).then_some(BudgetChange { budget, from, to }))
    }

    /// Changes the allocation of a deployment, if there is one and the budget is another one.
    pub(crate) async fn amend_budget(&self, deployment: &str) -> Result<(), Problem> {
        let _turn = self.turn.lock().await;
        if let Some(found) = self.allocation_of(deployment).await? {
            self.amended(deployment, found).await?;
        }
        Ok(())
    }

    async fn amended(&self, deployment: &str, found: Allocation) -> Result<Allocation, Problem> {
        let budget = self.left_of_budget(deployment)?;
        if budget == found.total_amount {
            return Ok(found);
        }
        let amended = self.yagna.amend(&found.allocation_id, budget).await;
        amended.map_err(|error| {
            let doing = format!("change the allocation from {} to {budget}", found.total_amount.normalize());
            self.refusal(&doing, &error)
        })?;
        let amended = Allocation { total_amount: budget, ..found };
        self.pay_from(deployment, &amended)?;
        Ok(amended)
    }

    /// The reason why an allocation is not as it should be. Requests that the daemon refuses will be refused again.
    fn refusal(&self, doing: &str, error: &YagnaError) -> Problem {
        let problem = self.yagna.problem(doing, error);
        match error {
            YagnaError::Refused(status, _) if status.is_client_error() => {
                Problem::new(Code::Forbidden, problem.detail)
            }
            _ => problem,
        }
    }

    /// Bills of a deployment are paid from that allocation from now on.
    fn pay_from(&self, deployment: &str, from: &Allocation) -> Result<(), Problem> {
        for bill in self.folder.bills().into_iter().filter(|it| it.deployment == deployment) {
            let allocation = from.allocation_id.clone();
            self.folder.put_bill(&Bill { allocation, budget: from.total_amount, ..bill })?;
        }
        Ok(())
    }

    /// The amount that a deployment may still cost: the budget without what it has cost under earlier allocations, of which
    /// there is one for each time in which it had services.
    fn left_of_budget(&self, deployment: &str) -> Result<Decimal, Problem> {
        let budget = self.options.budget.ok_or_else(no_budget)?;
        let spent = self.folder.spent().get(deployment).copied().unwrap_or_default();
        if spent >= budget {
            let (budget, spent) = (budget.normalize(), spent.normalize());
            let message = format!(
                "the budget of {budget} is used up: the deployment has cost {spent} so far; raise `--budget`"
            );
            return Err(Problem::new(Code::Forbidden, message));
        }
        Ok(budget - spent)
    }

    /// The allocation of a deployment, if there is one.
    pub(crate) async fn allocation_of(&self, deployment: &str) -> Result<Option<Allocation>, Problem> {
        let (all, timeout) = (self.allocations().await?, timeout(deployment));
        Ok(all.into_iter().find(|it| timestamp::parse(&it.timeout) == Some(timeout)))
    }

    pub(crate) async fn allocations(&self) -> Result<Vec<Allocation>, Problem> {
        let all = self.yagna.allocations().await;
        all.map_err(|error| self.yagna.problem("list its allocations", &error))
    }

    /// Releases the allocation of a deployment that has no service any more.
    pub(crate) async fn release_allocation(&self, deployment: &str) -> Result<(), Problem> {
        let Some(allocation) = self.allocation_of(deployment).await? else { return Ok(()) };
        let released = self.yagna.release(&allocation.allocation_id).await;
        released.map_err(|error| self.yagna.problem("release an allocation", &error))
    }
}

/// The token of a payment network: GLM where it has a value, tGLM on test networks.
fn token(network: &str) -> &'static str {
    match network {
        "mainnet" | "polygon" => "glm",
        _ => "tglm",
    }
}

/// The advice on making an account known to the daemon.
fn init(network: &str) -> String {
    format!(
        "check `--payment-network {network}`, see `yagna payment status`, or run `yagna payment init --sender \
         --network {network}`"
    )
}

fn no_budget() -> Problem {
    let message = "no budget is set, and services on the Golem network cost money; say how much may be spent \
                   with `--budget`";
    Problem::new(Code::Forbidden, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deployment_has_a_time_out_of_its_own() {
        let text = |deployment: &str| timestamp::text(timeout(deployment));
        assert_eq!(text("a"), text("a"));
        assert_ne!(text("a"), text("b"));
        assert!((2100..2110).contains(&text("a")[..4].parse().unwrap()), "{}", text("a"));
        assert_eq!(timestamp::parse(&text("a")), Some(timeout("a")));
        assert!(is_of_deployment(timeout("a")));
        assert!(
            !is_of_deployment(SystemTime::now())
                && !is_of_deployment(timestamp::parse("2120-01-01T00:00:00Z").unwrap())
        );
    }
}
