//! Code that reads links: accessors in descriptors, and templates of jobs.
//!
//! Both are written in a small part of Ruby, read and run here without Ruby. [`parse`] reads the code in `${…}` of a
//! descriptor; [`preview`] fills in a template. The core does not depend on this crate: `lower` finds the expressions
//! and is given a function that reads them.
//!
//! **What is supported**
//! - `link("db")`, `if_link("db")`, `p("a.b", default)`, `p(["a", "b"])`, `if_p("a", "b")`, `properties`, `spec`
//! - of a link: `address`, `address(azs: ["z1"], status: "healthy")`, `instances`, `properties.a.b`, `p`, `if_p`;
//!   of an instance: `name`, `id`, `index`, `az`, `address`, `bootstrap`, `p`
//! - `if_link("db").p("x").else("none")`: every call on an absent link gives nothing, and `else` gives the
//!   value for that case. It does not apply to a property that a present link lacks. This form is Planloom's
//!   own: in Ruby `if_link` and `if_p` take blocks, which may be written here too
//!   (`if_p("a") { |a| a + 1 }.else { 0 }`)
//! - texts in double quotes, with `#{…}`, and in single quotes; symbols, numbers, lists, maps, `nil`, `true`, `false`;
//!   `a ? b : c`, `||`, `&&`, `!`, comparisons, `+ - * / %`, `[…]`, `&.`
//! - `map`, `select`, `reject`, `find`, `any?`, `all?`, `sort_by` and the like with `{ |i| … }` or `(&:name)`; `join`,
//!   `size`, `first`, `last`, `sort`, `uniq`, `include?`, `keys`, `to_s`, `to_json`, `split`, `upcase` and the like
//!
//! `p` takes the first of the names that has a value: false, 0 and the empty text are values, null is not. If
//! there is none, it takes the default; without a default that is an error, with the director's message.
//!
//! Maps are iterated in order of their keys, not in the order in which they were written.
//!
//! A value that is only known later, such as a text with a placeholder of BOSH (`((name))`, see
//! [`placeholders`]), is inserted into text as it is; a decision or computation with it is an error. The same
//! holds for sensitive values, which may also be changed as text (`upcase`).
//!
//! No text causes a failure: depth, work and length are bounded, and exceeding a bound is a [`Problem`].
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod expression;
mod lexer;
mod machine;
mod methods;
mod names;
mod parser;
mod path;
mod placeholder;
mod preview;
mod problem;
mod runtime_value;
mod scope;
mod tree;
mod write;

pub use expression::{Expression, parse};
pub use path::LinkPath;
pub use placeholder::{instance_ids, placeholders, references};
pub use preview::{Preview, preview};
pub use problem::{ByteRange, Problem, ProblemKind};
pub use scope::{AddressOf, AddressQuery, Scope};

#[cfg(test)]
mod tests;
