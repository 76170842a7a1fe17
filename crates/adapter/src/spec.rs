//! Reading specs, for adapters that report every error in a spec.
//!
//! ```
//! use planloom_adapter::spec::{SpecErrors, SpecValue};
//! use protocol::Code;
//! use serde_json::json;
//!
//! let (faults, spec) = (SpecErrors::default(), json!({"port": 0, "colour": "red"}));
//! let place = SpecValue::root(&spec, &faults);
//! place.reject_other_keys(&["port", "color"]);
//! assert_eq!(place.key("port").and_then(|it| it.port()), None);
//! let problem = faults.into_result(Code::InvalidSpec).unwrap_err();
//! let violations: Vec<_> = problem.violations.iter().map(|it| (&*it.pointer, &*it.detail)).collect();
//! assert_eq!(violations[0], ("/colour", "`colour` is not supported; did you mean `color`?"));
//! assert_eq!(violations[1], ("/port", "must be a whole number from 1 to 65535"));
//! ```

mod check;
mod differences;
mod expand;
mod http;
mod id;
mod kind;
mod parts;
mod payload;
mod place;
mod secrets;

pub use check::Check;
pub use differences::{differences, ensure_only_labels, is_below, rebuild_required};
pub use expand::expand;
pub use http::{Http, http};
pub use id::plain_id;
pub use kind::Kind;
pub use parts::{CommandLine, Init, Proxy, Variable, commands, proxies, variables};
pub use payload::payload;
pub use place::{SpecErrors, SpecValue};
pub use secrets::{hidden_variables, redactor_of, remove_secrets};
