use std::{borrow::Cow, fmt, sync::Arc};

/// A place inside a value, as RFC 6901 writes it: `/payload/params/image_hash`, `/init/0`. The root is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(Arc<str>);

impl Pointer {
    /// The whole value.
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads a pointer; anything that is neither empty nor begins with `/` is read as one key.
    pub fn parse(text: &str) -> Self {
        if text.is_empty() || text.starts_with('/') { Self(text.into()) } else { Self::root().key(text) }
    }

    /// The place under `key`.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + key.len() + 1);
        text.push_str(&self.0);
        text.push('/');
        if key.contains(['~', '/']) {
            text.push_str(&key.replace('~', "~0").replace('/', "~1"));
        } else {
            text.push_str(key);
        }
        Self(text.into())
    }

    /// The place at `index`.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0).into())
    }

    /// The keys and indices, unescaped, from the root.
    pub fn segments(&self) -> impl Iterator<Item = String> + '_ {
        self.parts().map(Cow::into_owned)
    }

    /// The keys and indices, unescaped, from the root; copied only where something was escaped.
    pub fn parts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.0.split('/').skip(1).map(|segment| {
            if segment.contains('~') {
                Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
            } else {
                Cow::Borrowed(segment)
            }
        })
    }

    /// The place `inner` inside the value at this place.
    #[must_use]
    pub fn join(&self, inner: &Self) -> Self {
        match (self.0.is_empty(), inner.0.is_empty()) {
            (true, _) => inner.clone(),
            (_, true) => self.clone(),
            _ => Self([&*self.0, &*inner.0].concat().into()),
        }
    }

    /// The place around this one and this one's own segment; `None` at the root.
    pub fn split_last(&self) -> Option<(Self, String)> {
        let (parent, last) = self.0.rsplit_once('/')?;
        Some((Self(parent.into()), last.replace("~1", "/").replace("~0", "~")))
    }

    /// Whether this place is `ancestor` or lies inside it.
    pub fn is_within(&self, ancestor: &Self) -> bool {
        self.0.strip_prefix(&*ancestor.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// As RFC 6901 writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_escaped() {
        let pointer = Pointer::root().key("a/b").key("~").index(3);
        assert_eq!(pointer.as_str(), "/a~1b/~0/3");
        assert_eq!(pointer.segments().collect::<Vec<_>>(), ["a/b", "~", "3"]);
        assert!(pointer.is_within(&Pointer::parse("/a~1b")) && !pointer.is_within(&Pointer::parse("/a~1")));
    }
}
