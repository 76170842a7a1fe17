//! Values of messages in JSON, and operations on their fields.
//!
//! Messages are those of proto3, their values JSON as proto3 maps it. Paths, masks, filters and orders name fields in
//! `snake_case`; values have the names that JSON has (`lowerCamelCase`), and both are accepted in values.
//!
//! A path, a mask or an order is read once and used for many values. A filter is also bound once, to the type if there is
//! one, and evaluated often. Its truth values are three, after Kleene, because a field can be null: a comparison with null
//! is unknown. A page token is a place in the order and not a number, so that a list can change while somebody turns its
//! pages. The plans of indices ([`index`]) and of caches ([`cache`]) say which lists a database or a cache supports; there
//! is no database and no cache here.
//!
//! Functions with an optional [`MessageType`] work without one too, by the JSON types of the values: they then take
//! every object for a message, and texts for texts. With a type they distinguish maps from messages, `int64` from texts, and
//! know instants, enumerations and the defaults of fields that are absent.
//!
//! Nothing here does IO, has a clock or draws random numbers. A mistake in a text of a user is a [`ParseError`] with its
//! byte; a mistake in a value is a [`Violation`] with its place.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

pub mod cache;
mod case;
pub mod codes;
mod compare;
mod cursor;
mod error;
mod filter;
pub mod index;
mod known;
mod mask;
mod merge;
mod message_type;
mod name_matcher;
mod normalize;
mod number;
mod order;
mod page;
mod path;
pub mod schema;
mod size;
#[cfg(test)]
mod testing;
mod time;
mod update;
mod validate;
mod view;

pub use cursor::{Cursor, query_digest};
pub use error::{ParseError, Violation};
pub use filter::{CompareOperator, Condition, Filter, Literal, Quantifier, Selector, Special};
pub use known::{keep_others, without_unknown};
pub use mask::FieldMask;
pub use merge::merge;
pub use message_type::MessageType;
pub use name_matcher::{BySegment, NameMatcher};
pub use normalize::normalize;
pub use number::Number;
pub use order::{Direction, OrderBy, Sorter};
pub use page::{NamedList, NamedPage, Page, PageQuery, page, page_by_name};
pub use path::{FieldPath, Found};
pub use size::json_size;
pub use time::{instant, timestamp};
pub use update::{Update, UpdateCondition, update};
pub use validate::{check_names, refuses_absence, validate};
pub use view::{View, Views};
