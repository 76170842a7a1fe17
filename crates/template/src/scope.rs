use std::{fmt, sync::Arc};

use model::{Map, Origin, Value};

/// The scope of an expression or a template: everything that it can read.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The links by the names that the consumer uses: each a map with `address`, `instances` and
    /// `properties`. An absent link is not in it.
    pub links: &'a Map,
    /// The properties of the job or service itself, nested.
    pub properties: Option<&'a Value>,
    /// The data of an instance about itself (`spec.index`); `None` if there is no instance.
    pub spec: Option<&'a Value>,
    /// Gives the address of a link if the content has none or only some instances are selected.
    pub address: Option<&'a AddressOf<'a>>,
    /// The place where the text is written; it becomes the origin of computed values.
    pub origin: Origin,
}

/// Gives the address of the link with a name for the query of `address(azs: …)`; `None` if only the director
/// knows it.
pub type AddressOf<'a> = dyn Fn(&str, &AddressQuery) -> Option<Value> + 'a;

/// The instances of a link that an address selects; everything is empty for `address` alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressQuery {
    /// Instances in these availability zones.
    pub azs: Vec<Arc<str>>,
    /// `healthy`, `unhealthy`, `all` or `default`.
    pub status: Option<Arc<str>>,
    /// The instance with this id.
    pub uuid: Option<Arc<str>>,
    /// `asynchronous` or `synchronous`.
    pub initial_health_check: Option<Arc<str>>,
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("links", &self.links)
            .field("properties", &self.properties)
            .field("spec", &self.spec)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}
