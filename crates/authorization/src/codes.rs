//! The codes of mistakes in access policies.

use diag::Code;

pub(crate) const EMPTY: Code = Code("access-policy/empty");
pub(crate) const TYPE: Code = Code("access-policy/type");
pub(crate) const MISSING_KEY: Code = Code("access-policy/missing-key");
pub(crate) const UNKNOWN_KEY: Code = Code("access-policy/unknown-key");
pub(crate) const DUPLICATE: Code = Code("access-policy/duplicate");
pub(crate) const TOKEN: Code = Code("access-policy/token");
pub(crate) const NAME: Code = Code("access-policy/name");
pub(crate) const UNKNOWN_PERMISSION: Code = Code("access-policy/unknown-permission");
pub(crate) const UNKNOWN_ROLE: Code = Code("access-policy/unknown-role");
pub(crate) const UNKNOWN_USER: Code = Code("access-policy/unknown-user");
pub(crate) const SCOPE: Code = Code("access-policy/scope");
pub(crate) const UNUSED: Code = Code("access-policy/unused");
