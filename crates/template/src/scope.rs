use std::{fmt, sync::Arc};

use model::{Map, Origin, Value};

/// The scope of an expression or a template: all that it can see.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The links by the names that the consumer calls them: each a map with `address`, `instances` and `properties`.
    /// A link that is absent is not in it.
    pub links: &'a Map,
    /// The properties of the job or service itself, nested.
    pub properties: Option<&'a Value>,
    /// What an instance knows of itself (`spec.index`); `None` where no instance is looked at.
    pub spec: Option<&'a Value>,
    /// Tells the address of a link where the content has none or only some instances are meant.
    pub address: Option<&'a AddressOf<'a>>,
    /// Where the text is written; values that are computed come from there.
    pub origin: Origin,
}

/// Tells the address of the link with a name, as `address(azs: …)` asks for it; `None` where only the director can.
pub type AddressOf<'a> = dyn Fn(&str, &AddressQuery) -> Option<Value> + 'a;

/// Which instances of a link an address is for; everything is empty for `address` alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressQuery {
    /// Those in these availability zones.
    pub azs: Vec<Arc<str>>,
    /// `healthy`, `unhealthy`, `all` or `default`.
    pub status: Option<Arc<str>>,
    /// The one with this id.
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
