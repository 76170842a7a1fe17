//! The parts that adapters of one machine share, whatever they run services as.
//!
//! - [`NotAllowed`] is the reason why an entry cannot be on the list of what an adapter may use;
//!   [`real_path`] and [`real_folder`] follow the links of its paths.
//! - [`files`] are those of an adapter's own folder.
//! - [`probe`] checks whether a service responds.
//!
//! The reading of specs is in [`adapter::spec`], because it needs no machine.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod files;
pub mod probe;

mod not_allowed;
mod path;

pub use not_allowed::NotAllowed;
pub use path::{real_folder, real_path};
