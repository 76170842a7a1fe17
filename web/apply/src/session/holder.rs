//! The other holder of the state.

use std::rc::{Rc, Weak};

use store::Millis;
use ui::views::live::{Doing, HolderItem};

use super::{Inner, Job};

/// Somebody else holds the state.
pub(super) const LOCKED: &str = state::codes::LOCKED.as_str();

/// The time between two checks of the state's holder, in milliseconds.
const PAUSE: i64 = 2_000;

impl Inner {
    /// The holder of the state; `None` if nobody holds it or the holder cannot be found out.
    pub(super) async fn holder(&self) -> Option<HolderItem> {
        let site = self.site.borrow().clone()?;
        let holder = site.storage.backend.holder().await.ok().flatten()?;
        Some(HolderItem { id: holder.id, who: holder.who, operation: holder.operation })
    }

    /// Plans again once the holder of the state has released it. A state that `planloom serve` keeps is left out: its
    /// holder is only sent to those who ask for the state.
    pub(super) fn follow(self: &Rc<Self>) {
        let is_followed = self.live.borrow().holder.is_some() && self.live.borrow().shared.is_empty();
        if !is_followed || self.follows.replace(true) {
            return;
        }
        let (session, timer): (Weak<Self>, _) = (Rc::downgrade(self), self.host.environment.timer.clone());
        (self.host.environment.spawn)(Box::pin(async move {
            loop {
                timer.sleep_until(Millis(timer.now().0 + PAUSE)).await;
                let Some(desk) = session.upgrade() else { return };
                if !desk.still_holds().await {
                    return desk.follows.set(false);
                }
            }
        }));
    }

    /// Returns true if the holder that is shown still holds the state; otherwise plans again. Also false while another
    /// job is done, which plans again at its end.
    async fn still_holds(&self) -> bool {
        let shown = self.live.borrow().holder.clone();
        if shown.is_none() || self.live.borrow().doing != Doing::Idle {
            return false;
        }
        let holds = self.holder().await == shown;
        if !holds {
            self.add(Job::Look);
        }
        holds
    }
}
