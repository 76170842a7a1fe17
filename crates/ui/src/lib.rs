//! Components of the app and of the custom elements: views in, callbacks out; no fetch, no storage.
//!
//! Everything that is shown answers "from which byte?": components take the [`workspace::view`] types by `Rc` and
//! hand [`LocationView`](workspace::view::LocationView)s back. Colours, sizes and states live in `static/app.css`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod icons;
pub mod layer;
pub mod symbol;
pub mod views;

pub use icons::{Icon, IconName};
pub use layer::{LayerBadge, LayerMark};
pub use symbol::{ActionMark, ActionSymbol, SeverityMark};
