//! One value is set back to what was recorded.

use std::rc::Rc;

use ui::views::live::{Doing, StepItem, StepLook};
use web::{apply::message::Answer, text::sentence};
use workspace::engine::EngineError;

use super::{Inner, questions::refused};
use crate::open_deployment::OpenDeployment;

impl Inner {
    /// It takes as long as an adapter does: it is shown as a run of one step, and can be stopped.
    pub(super) async fn revert_field(
        self: &Rc<Self>,
        site: &OpenDeployment,
        address: &str,
        path: &str,
    ) -> Answer {
        self.show_steps(vec![StepItem {
            id: format!("{address}{path}"),
            address: address.to_owned(),
            verb: workspace::view::Action::Update,
            look: StepLook::Running,
            words: format!("reverting {path}"),
            ..StepItem::default()
        }]);
        self.stopped.set(false);
        self.set(|live| {
            live.doing = Doing::Applying;
            (live.outcome, live.error, live.holder, live.note) = (None, None, None, String::new());
        });
        let done = put_back(site, address, path).await;
        self.show_steps(Vec::new());
        let error = match &done {
            Ok(()) => None,
            Err(error) => Some(self.error_item(error).await),
        };
        self.look(error).await;
        match done {
            Ok(()) => Answer::Done,
            Err(error) => refused(sentence(&error.message), sentence(&error.help)),
        }
    }
}

async fn put_back(site: &OpenDeployment, address: &str, path: &str) -> Result<(), EngineError> {
    let engine = &site.engine;
    engine.open("revert").await?;
    let done = engine.revert_field(address, path).await;
    let closed = engine.close().await;
    done.and(closed)
}
