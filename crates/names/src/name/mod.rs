//! Names themselves.

mod error;
mod full;
mod parent;
mod relative;
mod resolved;
mod resource_type;
mod service;

pub use error::{NameError, NameProblem};
pub use full::FullName;
pub use parent::ParentName;
pub use relative::RelativeName;
pub use resolved::Name;
pub use resource_type::ResourceType;
pub use service::ServiceName;
