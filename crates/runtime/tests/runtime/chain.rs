//! The chains that cases and laws use: Descriptor→Plan→Deployment, number→word→sentence, and one without end.

use std::{cell::Cell, rc::Rc};

use planloom_runtime::{Action, Context, Controller, Failure, Sharing, generic::Transform};
use store::{Draft, Key, Kind, Resource, Spec};

use crate::support::{World, draft, key, kind};

/// A function from a resource to another spec.
type Make = fn(&Resource) -> Result<Spec, Failure>;

fn step(id: &str, from: Kind, to: Kind, make: Make) -> Controller {
    Transform::new(id, from, to.clone()).make(move |_: &Context, input| {
        let key: Key = to.key(input.id().clone());
        Ok(Some(Draft::new(key, make(input)?)))
    })
}

/// Three kinds, two transforms, and another that watches the end, so that each link of the chain is held.
pub(crate) fn plans(world: &World) {
    let doubled: Make = |input| Ok(Spec::of(&(input.read::<i64>()? * 2))?);
    let next: Make = |input| Ok(Spec::of(&(input.read::<i64>()? + 1))?);
    world.register(step("planner", kind("Descriptors"), kind("Plans"), doubled));
    world.register(step("deployer", kind("Plans"), kind("Deployments"), next));
    world.register(step("reporter", kind("Deployments"), kind("Reports"), next));
}

/// A number, its word, a sentence with it, its length.
pub(crate) fn sentences(world: &World) {
    let word: Make = |input| {
        let words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        let digit = usize::try_from(input.read::<i64>()?.rem_euclid(10)).unwrap_or_default();
        Ok(Spec::of(words[digit])?)
    };
    let sentence: Make = |input| Ok(Spec::of(&format!("the number is {}", input.read::<String>()?))?);
    let length: Make = |input| Ok(Spec::of(&input.read::<String>()?.len())?);
    world.register(step("speller", kind("Numbers"), kind("Words"), word));
    world.register(step("writer", kind("Words"), kind("Sentences"), sentence));
    world.register(step("counter", kind("Sentences"), kind("Lengths"), length));
}

/// Each writes what the other reads, one more than it read.
pub(crate) fn growing(id: &str, from: &str, to: &str, runs: &Rc<Cell<u32>>) -> Controller {
    let (from, to, runs) = (key(from, "n"), key(to, "n"), runs.clone());
    Controller::whole(id).weak(from.kind.clone()).output(to.kind.clone(), Sharing::Exclusive).reconcile(
        move |cx| {
            runs.set(runs.get() + 1);
            let outcome = (|| {
                let number = cx.find(&from)?.map_or(Ok(0), |it| it.read::<i64>())?;
                cx.put(draft(&to, number + 1))?;
                Ok(Action::Done)
            })();
            async move { outcome }
        },
    )
}
