//! Common controllers, built from the same parts as custom ones.
//!
//! - [`Transform`]: one resource from each resource of another kind, with finalizers on what it is made from.
//! - [`Rollup`]: one resource from all that a label groups.
//! - [`Cleanup`]: keeps a resource until what depends on it is gone, or removes that.
//! - [`Destroy`]: destroys the user's resources that were torn down, in case the client that tore them down
//!   has gone away.
//! - [`Reaper`]: tears down resources whose lifetime has ended.

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

/// A function from a resource to its result: `None` if there should be none.
type ResultFn<T> = Rc<dyn Fn(&Context, &T) -> Result<Option<Draft>, Failure>>;

/// True if it is tearing down.
fn leaves(resource: &Resource) -> bool {
    resource.metadata.phase == store::Phase::TearingDown
}
