//! One value is set back to what was recorded.

use std::rc::Rc;

use ui::views::live::{Doing, StepItem, StepLook};
use web::{apply::message::Answer, text::sentence};

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
        let done = site.engine.hold("revert", site.engine.revert_field(address, path)).await;
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
