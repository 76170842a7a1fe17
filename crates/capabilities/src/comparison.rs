//! The difference of two sets of files or states.

use ::comparison::{Side, compare, compare_and_draw};
use ::workspace::{File, Workspace};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::json;

/// The functions of the part. Answers are JSON text.
pub trait ComparisonPart {
    /// The differences of `after` from `before`, as `planloom.compare/1`. Each side is JSON text: `{"files": […]}`,
    /// `{"state": …}` with the state as text or as what it stands for, or `{}` for the workspace as it is. `load` adds what
    /// the files of a side need.
    ///
    /// # Errors
    /// The reason why a side cannot be read.
    fn compare(
        &self,
        workspace: &mut Workspace,
        load: &dyn Fn(&mut Workspace),
        before: &str,
        after: &str,
    ) -> Result<String, String>;

    /// The same beside the graph of both sides, in the form of [`DrawnComparisonView`](workspace::view::DrawnComparisonView).
    ///
    /// # Errors
    /// The reason why a side cannot be read.
    fn compare_and_draw(
        &self,
        workspace: &mut Workspace,
        load: &dyn Fn(&mut Workspace),
        before: &str,
        after: &str,
    ) -> Result<String, String>;
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl ComparisonPart for Loaded {
    fn compare(
        &self,
        workspace: &mut Workspace,
        load: &dyn Fn(&mut Workspace),
        before: &str,
        after: &str,
    ) -> Result<String, String> {
        let (before, after) = (side(before)?, side(after)?);
        Ok(json(&compare(workspace, load, &before, &after)))
    }

    fn compare_and_draw(
        &self,
        workspace: &mut Workspace,
        load: &dyn Fn(&mut Workspace),
        before: &str,
        after: &str,
    ) -> Result<String, String> {
        let (before, after) = (side(before)?, side(after)?);
        Ok(json(&compare_and_draw(workspace, load, &before, &after)))
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LooseSide {
    files: Option<Vec<File>>,
    state: Json,
}

fn side(text: &str) -> Result<Side, String> {
    let side: LooseSide = serde_json::from_str(text).map_err(|why| why.to_string())?;
    Ok(match side {
        LooseSide { files: None, state: Json::Null } => Side::Current,
        LooseSide { files: Some(files), state: Json::Null } => Side::Files(files),
        LooseSide { files: None, state: Json::String(text) } => Side::State(text),
        LooseSide { files: None, state } => Side::State(state.to_string()),
        LooseSide { .. } => return Err("either `files` or `state` is compared, not both".to_owned()),
    })
}
