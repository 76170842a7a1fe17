use std::ops::ControlFlow::{self, Break, Continue};

use model::{Address, Phase};
use protocol::{Call, ResourceId, Verb};
use runtime::Context;
use state::{Change, Entry};

use crate::{
    Trouble,
    execute::{Execute, Task, contract},
    record,
    remote::{Leaves, Refusal, Written},
    sighting::Sighting,
};

impl Execute {
    /// Destroys what is recorded. `is_half`: it will be made again, so that it was there is kept.
    pub(crate) async fn destroy(&self, task: &Task<'_>, is_half: bool) -> Result<(), Trouble> {
        let address = task.step.address.to_string();
        let Some(entry) = self.recorded(&task.step.address) else { return Ok(()) };
        if entry.id.is_empty() {
            return self.forget(task.cx, &task.step.address).await;
        }
        let (intent, written) = self.unmake(task, &entry).await?;
        let (outcome, left) = match written {
            Written::Gone => (Ok(()), true),
            // Some tell of what is gone that it is gone.
            Written::Is(resource) if resource.phase == Phase::Terminated => (Ok(()), true),
            Written::Is(_) => (Err(contract("the adapter did not destroy it")), false),
            Written::Refused(Refusal { trouble, .. }) => (Err(trouble), false),
            Written::Unknown(trouble) => return Err(trouble),
        };
        let mut changes = vec![Change::Settle(intent)];
        if left {
            self.desk.made.borrow_mut().remove(&task.step.address);
            changes.push(if is_half {
                Change::Put(address, Box::new(record::ended(&entry)))
            } else {
                Change::Remove(address)
            });
        }
        self.desk.ledger.commit(changes).await?;
        if left && !is_half {
            self.unshow(task.cx, &task.step.address)?;
        }
        outcome
    }

    /// Has it destroyed as it was when the plan was made. If it is another by now because it got ready meanwhile, or
    /// failed, it is destroyed as it is; if somebody changed it, it stays.
    async fn unmake(&self, task: &Task<'_>, entry: &Entry) -> Result<(String, Written), Trouble> {
        let id = ResourceId::new(&entry.kind, &entry.id);
        let mut if_match = self.desk.etag(&task.step.address);
        let mut tries = self.desk.pace.settings.tries;
        loop {
            let key = self.desk.name();
            let call = Call::Destroy { id: id.clone(), key: key.clone(), if_match };
            let intent = self.begin(task, Verb::Destroy, key, entry.clone(), "").await?;
            let written = self.write(task, &call, "").await;
            tries = tries.saturating_sub(1);
            match self.looked_again(task, &id, written).await {
                Continue((_, newer)) if tries > 0 => if_match = newer,
                Continue((refused, _)) | Break(refused) => return Ok((intent, refused)),
            }
            // What was refused is over; the next call is another.
            self.desk.ledger.commit(vec![Change::Settle(intent)]).await?;
        }
    }

    /// Where it was not destroyed because it is not any more as it was read: the ETag it has now, if it is still what
    /// the plan was made on.
    async fn looked_again(
        &self,
        task: &Task<'_>,
        id: &ResourceId,
        written: Written,
    ) -> ControlFlow<Written, (Written, Option<String>)> {
        if !matches!(&written, Written::Refused(Refusal { leaves: Leaves::Other, .. })) {
            return Break(written);
        }
        match task.writer.reader().read(id, task.deadline).await {
            Ok(None) => Break(Written::Gone),
            Ok(Some(now)) if self.desk.is_as_planned(&task.step.address, &now) => {
                Continue((written, Sighting::of(&now).etag()))
            }
            _ => Break(written),
        }
    }

    pub(crate) async fn forget(&self, cx: &Context, address: &Address) -> Result<(), Trouble> {
        self.desk.ledger.commit(vec![Change::Remove(address.to_string())]).await?;
        self.desk.made.borrow_mut().remove(address);
        self.unshow(cx, address)
    }
}
