//! Access control: users with their tokens, roles of permissions, and bindings of users to roles in scopes.
//!
//! An access policy is a file:
//!
//! ```yaml
//! users:
//! - name: alice
//!   tokenSha256: 0ca9…f1        # of the token that she sends: printf %s "$TOKEN" | sha256sum | cut -c1-64
//! - name: importer
//!   tokenVariable: IMPORT_TOKEN # the environment variable that has the token
//! roles:
//! - name: reviewer
//!   permissions: [books.get, services/library.example.com/permissions/books.list]
//! bindings:
//! - role: services/library.example.com/roles/library-admin
//!   members: [importer]
//! - role: reviewer
//!   members: [alice]
//!   scope: publishers/1         # in it and below it; everywhere without it
//! ```
//!
//! [`read`] returns the policy of a file and every mistake in it, given the permissions and roles that the services
//! have ([`Known`]). [`Policy::allows`] answers whether a user may do something; nothing is allowed that no binding
//! allows. There is no IO here: hosts read the tokens. Servers ask for each request, and again for each field that
//! needs a permission of its own.
//!
//! Source of the rules: Goten's guide. That a policy is a file is ours; Goten keeps roles
//! and bindings as resources of its service for identities.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod codes;
mod keys;
mod known;
mod policy;
mod read;
mod scope;
mod token;

pub use known::Known;
pub use policy::{Binding, Policy, Role, User};
pub use read::read;
pub use scope::Scope;
pub use token::{TokenDigest, TokenSource};
