//! The questions of the page that are answered once.

use std::rc::Rc;

use fetch::{Obstacle, Reached};
use state::BackendError;
use ui::views::live::{Doing, VersionItem};
use web::{
    apply::message::{Answer, Question},
    text::sentence,
};
use workspace::File;

use super::{Inner, Job};
use crate::{items, open_deployment::OpenDeployment, write};

impl Inner {
    pub(super) async fn answer(self: &Rc<Self>, question: Question) -> Answer {
        if let Question::Controllers(format) = question {
            return self.graph_of_controllers(format);
        }
        if let Question::Connect { address, token } = question {
            return self.connect(&address, &token).await;
        }
        let Some(site) = self.site.borrow().clone() else {
            return refused("There is no state yet.", "Wait until the files have been read.");
        };
        let backend = &*site.storage.backend;
        let changed = match question {
            Question::Versions => return versions(&site).await.unwrap_or_else(|error| failed(&error)),
            Question::Compare { before, after } => {
                return compare(&site, before, after).await.unwrap_or_else(|error| failed(&error));
            }
            Question::Version(serial) => {
                return version(&site, serial).await.unwrap_or_else(|error| failed(&error));
            }
            Question::Revert { address, path } => return self.revert_field(&site, &address, &path).await,
            Question::Restore(serial) => {
                let restored = write::restore(&self.host, backend, serial).await;
                restored.map(|forgotten| self.tell_forgotten(serial, &forgotten))
            }
            Question::Import { text, simulate } => {
                let imported = write::import(&self.host, backend, &text).await;
                if simulate && imported.is_ok() {
                    self.simulate(&site).await;
                }
                imported
            }
            Question::Simulate => {
                self.simulate(&site).await;
                Ok(())
            }
            Question::Accept { address, path, value } => {
                write::accept(&self.host, backend, &address, &path, &value).await
            }
            Question::Connect { .. } | Question::Controllers(_) => Ok(()),
        };
        // The earlier plan must not be approved any more.
        self.set(|live| (live.digest, live.doing) = (None, Doing::Looking));
        self.add(Job::Look);
        changed.map_or_else(|error| failed(&error), |()| Answer::Done)
    }

    /// Gives the simulator the recorded resources that it never had.
    async fn simulate(&self, site: &OpenDeployment) {
        let Some(world) = &site.world else { return };
        // The engine knows their ids.
        if site.engine.inspect().await.is_err() {
            return;
        }
        if let Err(why) = world.import(&site.engine.snapshot()).await {
            self.live.borrow_mut().note =
                format!("The simulator does not have all recorded resources: {why}.");
        }
        // It is opened again, with what it has now.
        self.site.replace(None);
    }

    /// Notes the resources that may exist and are no longer recorded: they are in nobody's way, and nobody destroys
    /// them.
    fn tell_forgotten(&self, serial: u64, forgotten: &[String]) {
        if !forgotten.is_empty() {
            let which = forgotten.join(", ");
            let note = format!(
                "Revision {serial} does not record {which}. If it still exists, it is not destroyed from \
                 here: restore the previous revision to record it again."
            );
            self.live.borrow_mut().note = note;
        }
    }

    async fn probe(&self, address: &str, token: &str) -> Result<Reached, Obstacle> {
        fetch::probe(&*self.host.network, &*self.host.environment.timer, address, token).await
    }

    pub(super) async fn connect(self: &Rc<Self>, address: &str, token: &str) -> Answer {
        let adapter = match address.trim() {
            "" => None,
            address => match self.probe(address, &self.token(address, token)).await {
                Ok(adapter) => Some(adapter),
                Err(obstacle) => return refused(obstacle.what, obstacle.help),
            },
        };
        let types = adapter.iter().filter_map(|it| File::of_adapter(it.caller.base(), &it.description.types));
        self.workspace.borrow_mut().set_types(types.collect());
        self.adapter.replace(adapter);
        self.live.borrow_mut().adrift = None;
        self.add(Job::Look);
        Answer::Done
    }
}

async fn versions(site: &OpenDeployment) -> Result<Answer, BackendError> {
    let versions = site.storage.backend.versions().await?;
    let item = |it: state::Version| VersionItem { serial: it.serial, at: it.at, resources: it.resources };
    Ok(Answer::Versions(versions.into_iter().map(item).collect()))
}

async fn compare(site: &OpenDeployment, before: u64, after: Option<u64>) -> Result<Answer, BackendError> {
    let backend = &site.storage.backend;
    let gone = || BackendError::Invalid("that revision is no longer kept".into());
    let before = backend.version(before).await?.ok_or_else(gone)?;
    let after = match after {
        Some(serial) => backend.version(serial).await?,
        None => backend.load().await?,
    };
    Ok(Answer::Differences(items::differences(state::diff(&before, &after.ok_or_else(gone)?))))
}

async fn version(site: &OpenDeployment, serial: u64) -> Result<Answer, BackendError> {
    let found = site.storage.backend.version(serial).await?;
    Ok(Answer::Version(found.map(|it| it.to_text())))
}

pub(super) fn refused(what: impl Into<String>, help: impl Into<String>) -> Answer {
    Answer::Refused { what: what.into(), help: help.into() }
}

fn failed(error: &BackendError) -> Answer {
    let help = match error {
        BackendError::Locked(_) => "Wait until it has finished.",
        _ => "Nothing was changed.",
    };
    refused(sentence(&error.to_string()), help)
}
