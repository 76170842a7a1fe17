use std::collections::BTreeSet;

use protocol::{Answer, Batch, Code, MAX_BODY, Page, Problem, Resource, ResourceId};

use super::Inner;
use crate::{Adapter, Record, gather::gather};

impl<A: Adapter> Inner<A> {
    pub(super) async fn read(&self, id: &ResourceId) -> Result<Answer, Problem>
    where
        A: 'static,
    {
        self.makes(&id.kind)?;
        match self.look(id).await? {
            Some(record) => Ok(Answer::Is(Box::new(record.to_resource()))),
            None => Err(absent()),
        }
    }

    pub(super) async fn batch(&self, ids: Vec<ResourceId>) -> Result<Answer, Problem> {
        let most = self.limits.get().batch;
        if ids.len() > most {
            return Err(Problem::new(
                Code::TooLarge,
                format!("at most {most} resources can be read at a time"),
            ));
        }
        let mut request = BTreeSet::new();
        let ids: Vec<ResourceId> = ids.into_iter().filter(|id| request.insert(id.clone())).collect();
        let mut batch = Batch::default();
        for (id, record) in ids.iter().zip(self.look_at(&ids).await) {
            match record? {
                Some(record) => batch.items.push(record.to_resource()),
                None => batch.missing.push(id.clone()),
            }
        }
        Ok(Answer::Batch(batch))
    }

    pub(super) async fn list(&self, deployment: &str, page: Option<&str>) -> Result<Answer, Problem> {
        let after = page.map(bookmark).transpose()?;
        let count = self.limits.get().page.max(1);
        let ids = self.index.borrow().page(deployment, after, count.saturating_add(1));
        self.page(ids, count).await
    }

    pub(super) async fn list_by_name(
        &self,
        name: &str,
        except: Option<&str>,
        page: Option<&str>,
    ) -> Result<Answer, Problem> {
        let after = page.map(bookmark).transpose()?;
        let count = self.limits.get().page.max(1);
        let ids = self.index.borrow().page_by_name(name, except, after, count.saturating_add(1));
        self.page(ids, count).await
    }

    /// A page of a list: the resources of these ids that still exist. An id more than `count` means that the
    /// list continues.
    async fn page(&self, mut ids: Vec<ResourceId>, count: usize) -> Result<Answer, Problem> {
        let more = ids.len() > count;
        ids.truncate(count);
        let (mut items, mut bytes, mut shown) = (Vec::with_capacity(ids.len()), 0, 0);
        for record in self.look_at(&ids).await {
            let item = record?.map(|record| record.to_resource());
            bytes += item.as_ref().map_or(0, length);
            // The next item would exceed the size of a response; a page has at least one item.
            if bytes > PAGE && shown > 0 {
                break;
            }
            shown += 1;
            items.extend(item);
        }
        let more = more || shown < ids.len();
        let last = shown.checked_sub(1).and_then(|it| ids.get(it));
        let next = last.filter(|_| more).map(|id| format!("{}/{}", id.kind, id.id));
        Ok(Answer::Page(Page { items, next }))
    }

    async fn look_at(&self, ids: &[ResourceId]) -> Vec<Result<Option<Record>, Problem>> {
        gather(ids.iter().map(|id| Box::pin(self.look(id)) as _), self.limits.get().at_once).await
    }

    /// The state of a resource for a caller. While a write works on the resource: its last known state.
    async fn look(&self, id: &ResourceId) -> Result<Option<Record>, Problem> {
        let known = self.index.borrow().get(id);
        if known.is_none() || self.calls.borrow().is_busy(id) {
            return Ok(known);
        }
        let _turn = self.turns.take(id).await;
        self.see(id).await
    }

    /// Reads the state of a resource; the caller must hold its lock. A resource that no longer exists is
    /// forgotten.
    pub(super) async fn see(&self, id: &ResourceId) -> Result<Option<Record>, Problem> {
        let known = self.index.borrow().get(id);
        let Some(known) = known else { return Ok(None) };
        let Some(seen) = self.adapter.read(&known.known).await? else {
            self.index.borrow_mut().remove(id);
            return Ok(None);
        };
        let record = known.now(seen);
        self.index.borrow_mut().note(record.clone());
        Ok(Some(record))
    }
}

/// The maximum number of bytes of the items of a page, unless a single item has more.
const PAGE: usize = MAX_BODY / 2;

/// The size of a resource in a response, in bytes.
fn length(resource: &Resource) -> usize {
    serde_json::to_vec(resource).map_or(0, |it| it.len())
}

pub(super) fn absent() -> Problem {
    Problem::new(Code::NotFound, "there is no such resource")
}

/// The last resource of the previous page.
fn bookmark(text: &str) -> Result<ResourceId, Problem> {
    let (kind, id) =
        text.split_once('/').ok_or_else(|| Problem::new(Code::BadRequest, "there is no such page"))?;
    Ok(ResourceId::new(kind, id))
}
