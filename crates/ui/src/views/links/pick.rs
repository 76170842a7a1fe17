/// The selection: by index while it is shown, by name in between, because an edit may change the indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pick<K> {
    /// A consumer.
    Link(K),
    /// Several consumers: those of a cell or of a line.
    Links(Vec<K>),
    /// A provider.
    Provider(K),
    /// An instance group or service.
    Owner(K),
}

impl Pick<usize> {
    /// Some links, or the only one.
    pub(super) fn of(links: &[usize]) -> Self {
        match links {
            [link] => Self::Link(*link),
            all => Self::Links(all.to_vec()),
        }
    }
}

impl<K> Pick<K> {
    /// The same selection with other keys; `None` if nothing of it is left.
    pub(super) fn map<T>(&self, key: impl Fn(What, &K) -> Option<T>) -> Option<Pick<T>> {
        match self {
            Self::Link(at) => key(What::Link, at).map(Pick::Link),
            Self::Provider(at) => key(What::Provider, at).map(Pick::Provider),
            Self::Owner(at) => key(What::Owner, at).map(Pick::Owner),
            Self::Links(all) => {
                let left: Vec<T> = all.iter().filter_map(|at| key(What::Link, at)).collect();
                (!left.is_empty()).then_some(Pick::Links(left))
            }
        }
    }
}

/// The kind of object that a key of a [`Pick`] refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Link,
    Provider,
    Owner,
}
