//! The controllers, reported to the page as long as they are on screen.

use std::rc::Rc;

use store::Millis;
use web::apply::message::{Answer, Response};
use workspace::view::GraphFormat;

use super::Inner;
use crate::{controllers, places::Places};

/// The time between two reports of the controllers, in milliseconds.
const BETWEEN: i64 = 200;

impl Inner {
    /// Reports the state of the controllers whenever it changes, until they are no longer on screen.
    pub(super) fn inspect(self: &Rc<Self>, inspect: bool) {
        if self.inspected.replace(inspect) || !inspect {
            return;
        }
        let (session, timer) = (Rc::downgrade(self), self.host.environment.timer.clone());
        (self.host.environment.spawn)(Box::pin(async move {
            let (mut places, mut told) = (Places::default(), None);
            while let Some(session) = session.upgrade().filter(|it| it.inspected.get()) {
                let snapshot = session.snapshot(&mut places);
                if snapshot.is_some() && snapshot != told {
                    told.clone_from(&snapshot);
                    snapshot
                        .into_iter()
                        .for_each(|it| (session.host.tell)(Response::Controllers(Box::new(it))));
                }
                drop(session);
                timer.sleep_until(Millis(timer.now().0 + BETWEEN)).await;
            }
        }));
    }

    /// `None` before a deployment is open.
    fn snapshot(&self, places: &mut Places) -> Option<ui::views::controllers::Snapshot> {
        let site = self.site.borrow().clone()?;
        let runtime = site.engine.runtime();
        *places = std::mem::take(places).of(&runtime.graph());
        Some(controllers::snapshot(runtime, places, &self.live.borrow()))
    }

    /// The graph of the controllers as text; nothing where it has no such form.
    pub(super) fn graph_of_controllers(&self, format: GraphFormat) -> Answer {
        let site = self.site.borrow().clone();
        let graph = site.map(|it| it.engine.runtime().graph());
        Answer::Text(graph.map_or_else(String::new, |graph| match format {
            GraphFormat::Dot => graph.dot(),
            GraphFormat::Mermaid => graph.mermaid(),
            GraphFormat::Svg => String::new(),
        }))
    }
}
