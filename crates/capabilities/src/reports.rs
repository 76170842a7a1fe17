//! The output of commands, in formats for other programs; and texts of files as hosts read them.

use ::report::{InputError, ReportHost, Request, report, text};
use ::workspace::{PlanOptions, Workspace};
use serde_json::{Value as Json, json as object};

use crate::json;

/// The functions of the part. Answers are JSON text.
pub trait ReportsPart {
    /// The output of a command; `request` is JSON.
    ///
    /// # Errors
    /// The reason why `request` is no request, as a sentence.
    fn report(
        &self,
        workspace: &mut Workspace,
        request: &str,
        options: &PlanOptions,
        host: &dyn ReportHost,
    ) -> Result<String, String>;
    /// The bytes of a file as `{"text": …}`, or the problem with them as `{"problem": …}`.
    fn text(&self, name: &str, bytes: Vec<u8>) -> String;
    /// The report about a file that could not be read, as `{"problem": …}`; `error` is JSON.
    ///
    /// # Errors
    /// The reason why `error` is none, as a sentence.
    fn unreadable(&self, name: &str, error: &str) -> Result<String, String>;
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl ReportsPart for Loaded {
    fn report(
        &self,
        workspace: &mut Workspace,
        request: &str,
        options: &PlanOptions,
        host: &dyn ReportHost,
    ) -> Result<String, String> {
        let request: Request = serde_json::from_str(request).map_err(|it| it.to_string())?;
        Ok(json(&report(workspace, &request, options, host)))
    }

    fn text(&self, name: &str, bytes: Vec<u8>) -> String {
        json(&match text(name, bytes) {
            Ok(text) => object!({ "text": text }),
            Err(problem) => object!({ "problem": problem }),
        })
    }

    fn unreadable(&self, name: &str, error: &str) -> Result<String, String> {
        let error: InputError = serde_json::from_str(error).map_err(|it| it.to_string())?;
        let problem: Json = object!({ "problem": error.diagnostic(name) });
        Ok(json(&problem))
    }
}
