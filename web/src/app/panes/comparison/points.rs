//! The points that can be compared: the files now, before each change, and in each environment; states; and files of
//! the disk.

use std::{cell::RefCell, rc::Rc};

use futures_util::future::poll_fn;
use ui::views::{NOW, PointItem, PointTime, STATE, live::VersionItem};
use workspace::File;
use yew::prelude::*;

use crate::{
    app::context::Context,
    apply::{
        link::Link,
        message::{Answer, Question},
    },
    inputs,
    state::{FileKeys, Files, Input, State},
};

/// The id of the files that were opened to be compared.
pub(super) const OPENED: &str = "opened";
/// Only the latest changes are points.
const CHANGES: usize = 30;

/// A point that can be compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) item: PointItem,
    pub(super) source: Source,
}

/// The content of a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// Files of the workspace, now or earlier.
    Files(Files),
    /// Files of the disk.
    Opened(Rc<Opened>),
    /// A state.
    State(Rc<Input>),
    /// A revision of the state that is kept.
    Version(u64),
}

/// Files that were opened only to be compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opened {
    label: String,
    pub(super) files: Vec<File>,
}

impl Opened {
    pub(super) fn of(files: Vec<File>) -> Self {
        let label = match files.as_slice() {
            [file] => file.name.clone(),
            [first, ..] => format!("{} and {} more", first.name, files.len() - 1),
            [] => "no file".to_owned(),
        };
        Self { label, files }
    }
}

fn point(id: String, group: &'static str, label: String, is_open: bool, source: Source) -> Point {
    let item = PointItem { id: id.into(), group: group.into(), label: label.into(), is_open, time: None };
    Point { item, source }
}

impl Point {
    /// The same at a time.
    fn at(mut self, time: Option<PointTime>) -> Self {
        self.item.time = time;
        self
    }
}

/// A time that is known.
fn known(at: i64) -> Option<PointTime> {
    (at > 0).then_some(PointTime::At(at))
}

/// Every point, those first that say the most.
pub(super) fn points(state: &State, versions: &[VersionItem], opened: Option<&Rc<Opened>>) -> Vec<Point> {
    let document = &state.document;
    let files = |id: String, group, label: String, is_open, files: Files| {
        point(id, group, label, is_open, Source::Files(files))
    };
    let now = files(NOW.into(), "Files", "now".into(), true, document.files.unmuted());
    let mut all = vec![now.at(Some(PointTime::Now))];
    if !document.files.muted().is_empty() {
        let whole = document.files.with_muted(&FileKeys::default());
        all.push(files("all".into(), "Files", "all files".into(), true, whole));
    }
    all.extend(document.environments.iter().map(|it| {
        files(
            format!("env:{}", it.name),
            "Environments",
            it.name.clone(),
            true,
            document.files_in(it).unmuted(),
        )
    }));
    if let Some(opened) = opened {
        all.push(point(
            OPENED.into(),
            "Files of the disk",
            opened.label.clone(),
            false,
            Source::Opened(opened.clone()),
        ));
    }
    all.extend(recorded(state, versions).into_iter().chain(revisions(state, versions)));
    all.extend(state.history.changes().take(CHANGES).map(|step| {
        files(
            format!("change:{}", step.id),
            "Before a change",
            format!("before: {}", step.label),
            false,
            step.before.files.unmuted(),
        )
        .at(known(step.at))
    }));
    all
}

/// The state that is planned against.
fn recorded(state: &State, versions: &[VersionItem]) -> Option<Point> {
    let own = state.document.inputs.state.as_ref();
    let input = own.or(state.applying.recorded.as_ref())?;
    let serial = inputs::serial(input);
    let kept = versions.iter().find(|it| own.is_none() && it.serial == serial);
    let label = format!("recorded state, revision {serial}");
    let point = point("state".into(), STATE, label, false, Source::State(input.clone()));
    Some(point.at(kept.and_then(|it| known(it.at))))
}

fn revisions<'v>(state: &'v State, versions: &'v [VersionItem]) -> impl Iterator<Item = Point> + 'v {
    let is_kept = state.document.inputs.state.is_none();
    let now = state.applying.recorded.as_deref().map(inputs::serial);
    let earlier = versions.iter().filter(move |it| is_kept && Some(it.serial) != now);
    earlier.map(|it| {
        let label = format!("revision {}", it.serial);
        let id = format!("version:{}", it.serial);
        point(id, STATE, label, false, Source::Version(it.serial)).at(known(it.at))
    })
}

/// The two points that are compared before anybody chooses: two environments, else how it was before the first change and
/// how it is now, else the state and the files.
pub(super) fn likely(all: &[Point]) -> (Point, Point) {
    let with = |prefix: &'static str| all.iter().filter(move |it| it.item.id.starts_with(prefix)).cloned();
    let now = || with(NOW).next().unwrap_or_else(nothing);
    let mut environments = with("env:");
    if let (Some(first), Some(second)) = (environments.next(), environments.next()) {
        return (first, second);
    }
    let first = with("change:").next_back().or_else(|| with("state").next()).or_else(|| with("env:").next());
    (first.unwrap_or_else(now), now())
}

fn nothing() -> Point {
    point(NOW.into(), "Files", "now".into(), true, Source::Files(Files::default()))
}

/// The revisions that are kept, once the worker that has them is there.
#[hook]
pub(super) fn use_versions(context: &Context) -> Rc<Vec<VersionItem>> {
    let versions = use_state(|| Rc::new(Vec::new()));
    let serial = context.state().applying.recorded.as_deref().map(inputs::serial);
    {
        let versions = versions.setter();
        use_effect_with(serial, move |serial| {
            let then = Callback::from(move |answer: Answer| {
                if let Answer::Versions(found) = answer {
                    versions.set(Rc::new(found));
                }
            });
            if serial.is_some() && Link::of_page().is_open() {
                Link::of_page().ask(Question::Versions, then);
            }
        });
    }
    (*versions).clone()
}

/// The text of a revision.
pub(super) async fn version(serial: u64) -> Option<String> {
    let (answer, waker) = (Rc::new(RefCell::new(None)), Rc::new(RefCell::new(None::<std::task::Waker>)));
    {
        let (answer, waker) = (answer.clone(), waker.clone());
        let then = Callback::from(move |found: Answer| {
            answer.replace(Some(found));
            waker.take().into_iter().for_each(std::task::Waker::wake);
        });
        Link::of_page().ask(Question::Version(serial), then);
    }
    let found = poll_fn(|task| match answer.take() {
        Some(found) => std::task::Poll::Ready(found),
        None => {
            waker.replace(Some(task.waker().clone()));
            std::task::Poll::Pending
        }
    });
    match found.await {
        Answer::Version(text) => text,
        _ => None,
    }
}
