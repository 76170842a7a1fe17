//! Specifications of services, and services in memory.

use std::{cell::RefCell, collections::BTreeMap};

use ::services::{Questions as _, ServiceSession, Services};
use ::workspace::{Workspace, capability::Capability, view::GeneratedArtifact};

use crate::json;

/// The functions of the part. Answers are JSON text.
pub trait ServicesPart {
    /// The capability, for a workspace.
    fn capability(&self) -> Box<dyn Capability>;
    /// The services, with everything that their specifications imply.
    fn specification(&self, workspace: &mut Workspace) -> String;
    /// What is generated from the specifications; `None` if nothing of that name is.
    fn generated(&self, workspace: &mut Workspace, artifact: &str) -> Option<String>;
    /// What changed in the services since an earlier version of them.
    fn service_changes(&self, workspace: &mut Workspace, before: &mut Workspace) -> String;
    /// What a text is a name of.
    fn resource_name(&self, workspace: &mut Workspace, text: &str) -> String;
    /// Opens a service in memory with the API of the specifications; its number, or null if a service is given in two
    /// versions.
    fn open(&self, workspace: &mut Workspace) -> String;
    /// The response of an open service to a request, which is JSON text.
    ///
    /// # Errors
    /// Why the text is no request; `None` if no service of that number is open.
    fn send(&self, number: u32, request: &str) -> Result<Option<String>, serde_json::Error>;
    /// Closes a service in memory.
    fn close(&self, number: u32);
}

#[derive(Debug)]
pub(crate) struct Loaded;

thread_local! {
    static OPEN: RefCell<BTreeMap<u32, ServiceSession>> = const { RefCell::new(BTreeMap::new()) };
}

impl ServicesPart for Loaded {
    fn capability(&self) -> Box<dyn Capability> {
        Box::new(Services)
    }

    fn specification(&self, workspace: &mut Workspace) -> String {
        json(&having(workspace).specification())
    }

    fn generated(&self, workspace: &mut Workspace, artifact: &str) -> Option<String> {
        let artifact = GeneratedArtifact::named(artifact)?;
        Some(json(&having(workspace).generated(artifact)))
    }

    fn service_changes(&self, workspace: &mut Workspace, before: &mut Workspace) -> String {
        json(&having(workspace).service_changes(having(before)))
    }

    fn resource_name(&self, workspace: &mut Workspace, text: &str) -> String {
        json(&having(workspace).resource_name(text))
    }

    fn open(&self, workspace: &mut Workspace) -> String {
        let session = ServiceSession::open(having(workspace));
        let number = session.map(|session| {
            OPEN.with_borrow_mut(|open| {
                let number = open.keys().next_back().map_or(0, |last| last + 1);
                open.insert(number, session);
                number
            })
        });
        json(&number)
    }

    fn send(&self, number: u32, request: &str) -> Result<Option<String>, serde_json::Error> {
        let request = serde_json::from_str(request)?;
        Ok(OPEN.with_borrow(|open| open.get(&number).map(|it| json(&it.send(&request)))))
    }

    fn close(&self, number: u32) {
        OPEN.with_borrow_mut(|open| open.remove(&number));
    }
}

/// The workspace with the capability, be it that its files do not need it: a question about services has an answer.
fn having(workspace: &mut Workspace) -> &mut Workspace {
    workspace.load(Box::new(Services));
    workspace
}
