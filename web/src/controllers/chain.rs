//! The example: numbers get roots, roots get sentences, and all numbers get one sentence about their sums.

use std::time::Duration;

use runtime::{
    Action, Context, Controller, Failure, Input, Outcome, Output, Rejected, Runtime, Sharing,
    generic::{Destroy, Transform},
    mapper,
};
use serde::{Deserialize, Serialize};
use store::{Draft, Key, Kind, Phase, Query, Resource, Spec};

/// How long a sentence takes: long enough to be seen.
pub const SLOW: Duration = Duration::from_secs(1);

/// The kinds of the example, in the order they are read.
const NAMES: [&str; 3] = ["Numbers", "Roots", "Sentences"];

/// What each controller does, in one line.
const DOES: [(&str, &str); 4] = [
    ("root", "Makes a root of each number; a number below zero has none, so it fails and tries again later."),
    ("tell", "Makes a sentence of each root, and takes a second for it; taking one back takes as long."),
    ("total", "Reads all numbers at once: one sentence for the even ones, one for the odd ones."),
    ("sweep", "Destroys numbers that were torn down, once no controller holds them."),
];

/// A root, and what it is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Root {
    of: i64,
    root: f64,
}

/// What the user edits.
pub fn numbers() -> Kind {
    kind("Numbers")
}

/// The kinds, in the order they are read.
pub fn kinds() -> [Kind; 3] {
    NAMES.map(kind)
}

/// What a controller does; nothing of a controller that is not of the example.
pub fn does(id: &str) -> &'static str {
    DOES.iter().find(|(known, _)| *known == id).map_or("", |(_, does)| does)
}

/// How a spec reads.
pub fn spoken(resource: &Resource) -> String {
    if let Ok(Root { of, root }) = resource.read() {
        return format!("√{of} = {}", rounded(root));
    }
    resource.read::<String>().unwrap_or_else(|_| resource.spec.text().to_owned())
}

/// Puts the example's controllers into a runtime.
///
/// # Errors
/// None as long as the example is sound.
pub fn register(runtime: &Runtime) -> Result<(), Rejected> {
    runtime.register(root())?;
    runtime.register(tell())?;
    runtime.register(total())?;
    runtime.register(Destroy::new("sweep", numbers()).controller())
}

fn kind(name: &str) -> Kind {
    Kind::new("example", name)
}

/// A transform from the generic ones: holds its input, withdraws its output first.
fn root() -> Controller {
    Transform::new("root", numbers(), kind("Roots")).make(|_, number| {
        let of: i64 = number.read()?;
        if of < 0 {
            return Err(Failure::retry("example/no-root", format!("{} has no square root", signed(of))));
        }
        #[expect(clippy::cast_precision_loss, reason = "a root is shown with three digits")]
        let root = (of as f64).sqrt();
        Ok(Some(Draft::new(number.key().clone(), Spec::of(&Root { of, root })?)))
    })
}

/// The same by hand, because it waits in between. Whatever changes while it waits wakes it again.
fn tell() -> Controller {
    let (roots, sentences) = (kind("Roots"), kind("Sentences"));
    Controller::queue("tell")
        .primary(roots.clone())
        .mapped(Input::destroy_ready(sentences.clone()), mapper::same_id(roots))
        .writes(Output::shared(sentences))
        .concurrency(4)
        .reconcile(|cx, key| async move { tell_one(&cx, &key).await })
}

async fn tell_one(cx: &Context, key: &Key) -> Outcome {
    let sentence = kind("Sentences").key(key.id.clone());
    let Some(root) = cx.find(key)? else {
        cx.remove(&sentence)?;
        return Ok(Action::Done);
    };
    let sentence_now = cx.find(&sentence)?;
    if leaves(&root) {
        if sentence_now.is_some() {
            cx.sleep(SLOW).await;
        }
        if cx.remove(&sentence)? && cx.holds(&root) {
            cx.release(key)?;
        }
        return Ok(Action::Done);
    }
    let Root { of, root: value } = root.read()?;
    let words = Spec::of(&format!("The square root of {of} is {}.", rounded(value)))?;
    if sentence_now.is_some_and(|sentence_now| sentence_now.spec == words) {
        return Ok(Action::Skip("it is up to date".into()));
    }
    cx.hold(key)?;
    cx.sleep(SLOW).await;
    cx.put(Draft::new(sentence, words))?;
    Ok(Action::Done)
}

/// All numbers at once; what it does not write again goes.
fn total() -> Controller {
    let sentences = kind("Sentences");
    Controller::whole("total")
        .weak(numbers())
        .destroy_ready(sentences.clone())
        .output(sentences, Sharing::Shared)
        .reconcile(|cx| async move {
            let numbers = cx.list(&numbers(), &Query::all())?;
            let staying = numbers.iter().filter(|number| !leaves(number));
            let values = staying.map(|number| number.read()).collect::<Result<Vec<i64>, _>>()?;
            for (name, rest) in [("even", 0), ("odd", 1)] {
                let these: Vec<i64> = values.iter().copied().filter(|it| it.rem_euclid(2) == rest).collect();
                if !these.is_empty() {
                    let key = kind("Sentences").key(format!("all-{name}"));
                    cx.put(Draft::new(key, Spec::of(&sum(name, &these))?))?;
                }
            }
            cx.prune_untouched(&kind("Sentences"))?;
            Ok(Action::Done)
        })
}

fn sum(name: &str, these: &[i64]) -> String {
    let sum = signed(these.iter().fold(0, |sum, it| it.saturating_add(sum)));
    match these.len() {
        1 => format!("One {name} number: {sum}."),
        count => format!("{count} {name} numbers add up to {sum}."),
    }
}

fn leaves(resource: &Resource) -> bool {
    resource.metadata.phase == Phase::TearingDown
}

/// With a real minus, and three digits after the point at most.
fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn signed(value: i64) -> String {
    value.to_string().replace('-', "−")
}
