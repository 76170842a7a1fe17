use model::{Address, Phase};
use runtime::Context;
use state::Change;

use crate::{
    EngineError,
    execute::{Execute, Task, contract},
    holder::Holder,
    pending_write::PendingWrite,
    record,
    remote::{Refusal, WriteOutcome},
};

impl Execute {
    /// Destroys a recorded resource. With `is_half`, it is the first half of a rebuild, and the entry is
    /// kept.
    pub(crate) async fn destroy(&self, task: &Task<'_>, is_half: bool) -> Result<(), EngineError> {
        let address = task.step.address.to_string();
        let Some(entry) = self.recorded(&task.step.address) else { return Ok(()) };
        if entry.id.is_empty() {
            return self.forget(task.cx, &task.step.address).await;
        }
        let write = PendingWrite::destroy((&task.step.id, &address), entry.clone());
        let (mut changes, written) =
            self.run(task, &write, self.context.observed_version(&task.step.address)).await?;
        let (outcome, left) = match written {
            WriteOutcome::Gone => (Ok(()), true),
            // Some adapters report that a resource is gone instead of not finding it.
            WriteOutcome::Is(resource) if resource.phase == Phase::Terminated => (Ok(()), true),
            WriteOutcome::Is(_) => (Err(contract("the adapter did not destroy it")), false),
            WriteOutcome::Refused(Refusal { error, .. }) => (Err(error), false),
            WriteOutcome::Unknown(error) => return Err(error),
        };
        if left {
            self.context.made.borrow_mut().remove(&task.step.address);
            self.context.leftovers.borrow_mut().remove(&task.step.address);
            changes.push(if is_half {
                Change::Put(address, Box::new(record::ended(&entry)))
            } else {
                Change::Remove(address)
            });
        }
        self.context.ledger.commit(changes).await?;
        if left && !is_half {
            self.remove_persisted(task.cx, &task.step.address)?;
        }
        outcome
    }

    /// Destroys what is left of an ended resource that is recreated, at the adapter that created it.
    pub(crate) async fn clear_leftover(&self, task: &Task<'_>) -> Result<(), EngineError> {
        let address = &task.step.address;
        let Some(entry) =
            self.recorded(address).filter(|_| self.context.leftovers.borrow().contains(address))
        else {
            return Ok(());
        };
        match self.writers.holding(&entry.kind, entry.adapter.as_ref())? {
            (Holder::Own | Holder::Former, Some(writer)) => self.destroy(&task.at(writer), true).await,
            _ => Ok(()),
        }
    }

    pub(crate) async fn forget(&self, cx: &Context, address: &Address) -> Result<(), EngineError> {
        self.context.ledger.commit(vec![Change::Remove(address.to_string())]).await?;
        self.context.made.borrow_mut().remove(address);
        self.remove_persisted(cx, address)
    }
}
