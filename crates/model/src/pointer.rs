use std::{
    borrow::Cow,
    fmt::{self, Write},
    sync::Arc,
};

use crate::Step;

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
        self.keys(&[key])
    }

    /// The place at `index`.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut text = self.with_room(INDEX);
        push_index(&mut text, index);
        Self(text.into())
    }

    /// The place under one key after the other.
    #[must_use]
    pub fn keys(&self, keys: &[&str]) -> Self {
        let mut text = self.with_room(keys.iter().map(|key| key.len() + 1).sum());
        keys.iter().for_each(|key| push_key(&mut text, key));
        Self(text.into())
    }

    /// The place that steps lead to from here.
    #[must_use]
    pub fn steps(&self, steps: &[Step]) -> Self {
        let room = steps.iter().map(|step| match step {
            Step::Key(key) => key.len() + 1,
            Step::Index(_) => INDEX,
        });
        let mut text = self.with_room(room.sum());
        steps.iter().for_each(|step| match step {
            Step::Key(key) => push_key(&mut text, key),
            Step::Index(index) => push_index(&mut text, *index),
        });
        Self(text.into())
    }

    /// The text of this place, to be gone on with.
    fn with_room(&self, room: usize) -> String {
        let mut text = String::with_capacity(self.0.len() + room);
        text.push_str(&self.0);
        text
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

    /// True if this place is `ancestor` or lies inside it.
    pub fn is_within(&self, ancestor: &Self) -> bool {
        self.0.strip_prefix(&*ancestor.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// As RFC 6901 writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The bytes that most indices need.
const INDEX: usize = 4;

fn push_key(text: &mut String, key: &str) {
    text.push('/');
    if key.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        text.push_str(&key.replace('~', "~0").replace('/', "~1"));
    } else {
        text.push_str(key);
    }
}

fn push_index(text: &mut String, index: usize) {
    text.push('/');
    match u8::try_from(index) {
        Ok(digit @ 0..10) => text.push((b'0' + digit) as char),
        // Writing to a string cannot fail.
        _ => drop(write!(text, "{index}")),
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
        let steps = ["a/b", "~"].map(|key| Step::Key(key.into()));
        assert_eq!(Pointer::root().keys(&["a/b"]).steps(&steps[1..]).index(12).as_str(), "/a~1b/~0/12");
        assert_eq!(Pointer::root().steps(&steps).steps(&[Step::Index(3)]), pointer);
        assert!(pointer.is_within(&Pointer::parse("/a~1b")) && !pointer.is_within(&Pointer::parse("/a~1")));
    }
}
