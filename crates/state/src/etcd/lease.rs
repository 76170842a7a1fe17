use serde_json::{Value as Json, json};

use super::{
    gateway::{Gateway, GatewayError},
    head::{LOCK, of_token, token},
    wire::{Condition, Keys, Pair, Transaction, TransactionOp, number},
};
use crate::{BackendError, Claim, Holder, Lease};

impl Gateway {
    pub(super) async fn acquire(&self, claim: Claim) -> Result<Lease, BackendError> {
        let (id, ttl) = self.grant(claim.ttl).await?;
        let holder = Holder {
            id: claim.id,
            who: claim.who,
            operation: claim.operation,
            since: claim.now,
            until: claim.now.saturating_add(ttl),
        };
        let key = self.key(LOCK);
        // Text and numbers can always be written.
        let value = serde_json::to_vec(&holder).unwrap_or_default();
        let outcome = self
            .transact(&Transaction {
                conditions: vec![Condition::Created(key.clone(), 0)],
                deeds: vec![TransactionOp::Put { key: key.clone(), value, lease: id }],
                otherwise: vec![TransactionOp::Read(Keys::One(key))],
            })
            .await?;
        match outcome.one(0) {
            None => Ok(Lease { token: token(id, outcome.revision), holder }),
            // An earlier try, whose answer was lost, acquired it.
            Some(pair) if pair.lease == id => Ok(Lease { token: token(id, pair.created), holder }),
            Some(pair) => {
                self.revoke(id).await?;
                Err(BackendError::Locked(Box::new(self.holder_of(pair).await?)))
            }
        }
    }

    /// Grants a lease of etcd; returns its id and duration in milliseconds: etcd counts in seconds and has a
    /// minimum.
    async fn grant(&self, ttl: u64) -> Result<(i64, i64), BackendError> {
        let seconds = ttl.div_ceil(1000).max(1);
        let body = json!({"TTL": seconds.to_string(), "ID": "0"});
        let granted = self.post("/lease/grant", &body).await?;
        match number(&granted, "ID") {
            0 => Err(BackendError::Unavailable("etcd grants a lease without a name".into())),
            id => Ok((id, number(&granted, "TTL").saturating_mul(1000))),
        }
    }

    pub(super) async fn renew(&self, lease: &Lease, now: i64) -> Result<Lease, BackendError> {
        let (id, _) = of_token(lease)?;
        let kept = match self.post("/lease/keepalive", &json!({"ID": id.to_string()})).await {
            Err(GatewayError::Refused(404, _)) => return Err(BackendError::LeaseLost),
            kept => kept?,
        };
        match kept.get("result").map_or(0, |it| number(it, "TTL")) {
            0 => Err(BackendError::LeaseLost),
            ttl => {
                let until = now.saturating_add(ttl.saturating_mul(1000));
                Ok(Lease { holder: Holder { until, ..lease.holder.clone() }, token: lease.token.clone() })
            }
        }
    }

    /// Revokes a lease of etcd, and the lock with it. It is no error if it has ended.
    async fn revoke(&self, id: i64) -> Result<(), BackendError> {
        match self.post("/lease/revoke", &json!({"ID": id.to_string()})).await {
            Ok(_) | Err(GatewayError::Refused(404, _)) => Ok(()),
            Err(denied) => Err(denied.into()),
        }
    }

    pub(super) async fn release(&self, lease: &Lease) -> Result<(), BackendError> {
        match of_token(lease) {
            Ok((id, _)) => self.revoke(id).await,
            Err(_) => Ok(()),
        }
    }

    pub(super) async fn holder(&self) -> Result<Option<Holder>, BackendError> {
        match self.one(self.key(LOCK)).await?.0 {
            Some(pair) => self.holder_of(&pair).await.map(Some),
            None => Ok(None),
        }
    }

    pub(super) async fn unlock(&self, id: &str) -> Result<(), BackendError> {
        let Some(pair) = self.one(self.key(LOCK)).await?.0 else { return Ok(()) };
        let holder = self.holder_of(&pair).await?;
        // A lease belongs to one holder, so this cannot unlock the state for another one.
        if holder.id == id {
            self.revoke(pair.lease).await
        } else {
            Err(BackendError::Locked(Box::new(holder)))
        }
    }

    /// The writer of a lock; its end is only known from its lease, which is renewed without a write.
    async fn holder_of(&self, pair: &Pair) -> Result<Holder, BackendError> {
        let holder = serde_json::from_slice::<Holder>(&pair.value)
            .map_err(|why| self.corrupt(LOCK, &why.to_string()))?;
        let left = match self.post("/lease/timetolive", &json!({"ID": pair.lease.to_string()})).await {
            Err(GatewayError::Refused(404, _)) => Json::Null,
            left => left?,
        };
        let left = number(&left, "TTL").max(0).saturating_mul(1000);
        Ok(Holder { until: self.now().saturating_add(left), ..holder })
    }
}
