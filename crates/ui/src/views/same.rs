//! Equality by identity, for what is large and never changed in place.

use std::{ops::Deref, rc::Rc};

/// Shared data that equals itself only. A component that takes it is drawn again when it is handed other
/// data, and
/// no time is spent comparing what is inside.
#[derive(Debug)]
pub struct Same<T>(pub Rc<T>);

impl<T> Same<T> {
    /// Wraps what is not shared yet.
    pub fn new(data: T) -> Self {
        Self(Rc::new(data))
    }
}

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Same<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
