//! Reports of commands, for the command of the npm package and for programs.

use std::cell::RefCell;

use ::workspace as core;
use report::ReportHost;
use wasm_bindgen::prelude::*;

use crate::{
    Workspace,
    answer::{self, Answer},
    argument, failure, options, parts,
};

/// A question about reports: its name and its two arguments. One function for all of them, because each export makes the
/// core larger. `report` has a request and options of a plan, `text` a name and bytes, `unreadable` a name and an error.
///
/// # Errors
/// `wasm/bad-argument` for arguments of another form, `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = askReports)]
pub fn ask_reports(workspace: &mut Workspace, question: &str, first: &str, second: JsValue) -> Answer {
    let reports = parts::reports()?;
    let answer = match question {
        "report" => {
            let options = options::plan(&argument::json(&second, "options")?)?;
            let host = Host::default();
            let answer = reports.report(workspace.ready(), first, &options, &host);
            host.failed.into_inner().map_or(Ok(answer), Err)?
        }
        "text" => Ok(reports.text(first, crate::files::bytes(&second, "bytes")?)),
        _ => reports.unreadable(first, &argument::json(&second, "error")?),
    };
    answer::parsed(&answer.map_err(|why| failure::bad_argument(&why))?)
}

/// Capabilities come as they are needed, if they can be loaded at once.
#[derive(Default)]
struct Host {
    /// The error of a capability that could not be loaded.
    failed: RefCell<Option<JsValue>>,
}

impl ReportHost for Host {
    fn workspace(&self) -> core::Workspace {
        core::Workspace::with(capabilities::ALL)
    }

    fn complete(&self, workspace: &mut core::Workspace) {
        parts::complete(workspace);
    }

    fn merged_yaml(&self, workspace: &mut core::Workspace) -> String {
        match parts::documents() {
            Ok(documents) => documents.merged_yaml(workspace),
            Err(error) => {
                self.failed.replace(Some(error));
                String::new()
            }
        }
    }
}
