//! Controllers that many need, made of the same parts as hand-written ones.
//!
//! - [`Transform`]: one resource from each resource of another kind, with finalizers on what it is made from.
//! - [`Rollup`]: one resource from all that a label groups.
//! - [`Cleanup`]: keeps a resource until what depends on it is gone, or removes that.
//! - [`Destroy`]: destroys the user's resources that were torn down, in case whoever tore them down went away.
//! - [`Reaper`]: tears down what has outlived its time.

mod cleanup;
mod destroy;
mod reaper;
mod rollup;
mod transform;

pub use cleanup::Cleanup;
pub use destroy::Destroy;
pub use reaper::Reaper;
pub use rollup::Rollup;
pub use transform::Transform;

use std::rc::Rc;

use store::{Draft, Resource};

use crate::{Context, Failure};

/// Makes a resource's result: nothing where there should be none.
type ResultFn<T> = Rc<dyn Fn(&Context, &T) -> Result<Option<Draft>, Failure>>;

/// Whether it is on its way out.
fn leaves(resource: &Resource) -> bool {
    resource.metadata.phase == store::Phase::TearingDown
}
