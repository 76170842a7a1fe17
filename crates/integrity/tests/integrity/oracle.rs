//! Deletions once more, as simply as possible: sets, and loops over everything until nothing changes. It shares with the tested
//! code only the links of a resource.

use std::collections::BTreeSet;

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{InstanceMap, Instances, Link, Via};
use store::Key;

pub(crate) struct Oracle {
    pub(crate) active: BTreeSet<Key>,
    pub(crate) deleting: BTreeSet<Key>,
    links: Vec<Link>,
    asynchronous: BTreeSet<Key>,
}

impl Oracle {
    pub(crate) fn new(map: &InstanceMap) -> Self {
        let keys = || map.iter().map(|(key, _)| key.clone());
        Self {
            active: keys().filter(|key| map.is_active(key)).collect(),
            deleting: keys().filter(|key| !map.is_active(key)).collect(),
            links: map.iter().flat_map(|(key, value)| map.rules().links(key, value)).collect(),
            asynchronous: keys()
                .filter(|key| map.rules().model.kind(&key.kind).unwrap().async_deletion)
                .collect(),
        }
    }

    /// The links of active resources.
    fn live(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(|link| self.active.contains(&link.referrer))
    }

    /// True if an active resource is to be deleted, by something that is not active any more.
    fn is_due(&self, key: &Key) -> bool {
        self.live().any(|it| {
            it.referrer == *key && it.behavior == AsyncCascadeDelete && !self.active.contains(&it.target)
        })
    }

    /// A deletion's transaction; whether it is possible.
    pub(crate) fn delete(&mut self, roots: &[Key], later: bool) -> bool {
        let mut deleted: BTreeSet<Key> =
            roots.iter().filter(|key| self.active.contains(key)).cloned().collect();
        loop {
            let follows = |it: &&Link| {
                deleted.contains(&it.target)
                    && !deleted.contains(&it.referrer)
                    && (it.behavior == CascadeDelete
                        || (later && it.behavior == Block && self.is_due(&it.referrer)))
            };
            let Some(next) = self.live().find(follows).map(|it| it.referrer.clone()) else { break };
            deleted.insert(next);
        }
        let outside = |it: &Link| deleted.contains(&it.target) && !deleted.contains(&it.referrer);
        if self.live().any(|it| outside(it) && it.behavior == Block) {
            return false;
        }
        let (active, links) = (&self.active, &mut self.links);
        links.retain(|it| !(outside(it) && it.behavior == Unset && active.contains(&it.referrer)));
        self.active.retain(|key| !deleted.contains(key));
        // Of those that can be kept, the ones that something else that stays refers to.
        loop {
            let stays = |it: &&Link| {
                let soft = it.behavior == AllowDangling || matches!(it.via, Via::Owner { .. });
                let by = self.active.contains(&it.referrer) || self.deleting.contains(&it.referrer);
                !soft && by && deleted.contains(&it.target) && self.asynchronous.contains(&it.target)
            };
            let Some(next) = self.links.iter().find(stays).map(|it| it.target.clone()) else { break };
            deleted.remove(&next);
            self.deleting.insert(next);
        }
        self.forget();
        true
    }

    fn forget(&mut self) {
        let exists = |key: &Key| self.active.contains(key) || self.deleting.contains(key);
        self.links.retain(|it| exists(&it.referrer));
    }

    /// The resources that are being deleted and referred to by something active, directly or not.
    fn held(&self) -> BTreeSet<Key> {
        let mut held = BTreeSet::new();
        loop {
            let holds = |it: &&Link| {
                let soft = it.behavior == AllowDangling || matches!(it.via, Via::Owner { .. });
                let by = self.active.contains(&it.referrer) || held.contains(&it.referrer);
                !soft && by && self.deleting.contains(&it.target) && !held.contains(&it.target)
            };
            let Some(next) = self.links.iter().find(holds).map(|it| it.target.clone()) else { return held };
            held.insert(next);
        }
    }

    /// All asynchronous work.
    pub(crate) fn drain(&mut self) {
        while self.cascade() || self.clear() || self.disown() || self.remove() {}
    }

    fn cascade(&mut self) -> bool {
        let due: Vec<Key> = self.active.iter().filter(|key| self.is_due(key)).cloned().collect();
        due.into_iter().any(|key| self.delete(&[key], true))
    }

    fn clear(&mut self) -> bool {
        let before = self.links.len();
        let active = &self.active;
        self.links.retain(|it| {
            let field = matches!(it.via, Via::Field { .. });
            let open = field && it.behavior == AsyncUnset && !active.contains(&it.target);
            !(open && active.contains(&it.referrer))
        });
        self.links.len() < before
    }

    fn disown(&mut self) -> bool {
        let is_owner = |it: &&Link| matches!(it.via, Via::Owner { .. });
        let leaving: Vec<Link> =
            self.live().filter(is_owner).filter(|it| !self.active.contains(&it.target)).cloned().collect();
        for link in leaving {
            let others = self
                .live()
                .filter(is_owner)
                .any(|it| it.referrer == link.referrer && it.target != link.target);
            if others {
                self.links.retain(|it| *it != link);
                return true;
            }
            if self.delete(std::slice::from_ref(&link.referrer), true) {
                return true;
            }
        }
        false
    }

    fn remove(&mut self) -> bool {
        let (held, before) = (self.held(), self.deleting.len());
        self.deleting.retain(|key| held.contains(key));
        self.forget();
        self.deleting.len() < before
    }
}
