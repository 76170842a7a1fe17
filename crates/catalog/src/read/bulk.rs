use syntax::{Entry, NodeData};

/// The part of a document that is being read. Large parts that are not used are not made into a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentPart {
    /// A document.
    Document,
    /// The list of a bundle's properties.
    Properties,
    /// A property.
    Property,
    /// The value of `olm.csv.metadata`, of which only one key is used.
    Metadata,
    /// Anything else that is used.
    Other,
    /// Anything that is not used.
    Bulk,
}

/// The key of `olm.csv.metadata` that is used.
pub(super) const MIN_KUBE: &str = "minKubeVersion";

/// Keys of documents whose values are not used.
pub(super) const UNUSED: [&str; 2] = ["icon", "relatedImages"];

impl DocumentPart {
    /// The part for the value of a key, given the entries before it in the same map.
    pub(super) fn of_key(self, key: &str, before: &[Entry]) -> Self {
        match self {
            Self::Document if UNUSED.iter().any(|it| it.eq_ignore_ascii_case(key)) => Self::Bulk,
            Self::Document if key.eq_ignore_ascii_case("properties") => Self::Properties,
            // The entries of a template are documents.
            Self::Document if key.eq_ignore_ascii_case("entries") => Self::Document,
            Self::Property if key.eq_ignore_ascii_case("value") => Self::of_value(before),
            Self::Metadata if !key.eq_ignore_ascii_case(MIN_KUBE) => Self::Bulk,
            _ => Self::Other,
        }
    }

    /// The part for an item of a list.
    pub(super) const fn of_item(self) -> Self {
        match self {
            Self::Properties => Self::Property,
            Self::Document => Self::Document,
            _ => Self::Other,
        }
    }

    /// The part for a property's value, if its type is written before it.
    fn of_value(before: &[Entry]) -> Self {
        let is_type = |entry: &&Entry| entry.key.eq_ignore_ascii_case("type");
        match before.iter().find(is_type).map(|entry| &entry.value.data) {
            Some(NodeData::String(text, _)) => Self::of_type(text),
            _ => Self::Other,
        }
    }

    /// The part for the value of a property of this type.
    pub(super) fn of_type(kind: &str) -> Self {
        match kind {
            "olm.bundle.object" => Self::Bulk,
            "olm.csv.metadata" => Self::Metadata,
            _ => Self::Other,
        }
    }
}
