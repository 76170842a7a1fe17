//! Equality by identity, for large data that is never changed in place.

use std::{ops::Deref, rc::Rc};

use yew::prelude::*;

/// Shared data that equals itself only. A component that takes it is drawn again when it gets other data, and no time
/// is spent comparing the content.
#[derive(Debug)]
pub struct Same<T>(pub Rc<T>);

impl<T> Same<T> {
    /// Wraps data that is not shared yet.
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

/// The data of the last render if the given data is equal to it: a host may hand over a new copy at every keystroke,
/// and the view is drawn again only when it differs.
#[hook]
pub(crate) fn use_same<T: PartialEq + 'static>(data: &Rc<T>) -> Same<T> {
    let kept = use_mut_ref(|| Rc::clone(data));
    let mut kept = kept.borrow_mut();
    if !Rc::ptr_eq(&kept, data) && **kept != **data {
        *kept = Rc::clone(data);
    }
    Same(Rc::clone(&kept))
}

/// A callback that stays the same callback, whatever it calls: hosts create theirs again at each render, and a thousand
/// rows should not be drawn again for that.
#[hook]
pub(crate) fn use_stable<T: 'static>(callback: &Callback<T>) -> Callback<T> {
    let latest = use_mut_ref(|| callback.clone());
    latest.replace(callback.clone());
    let stable = use_memo((), |()| {
        Callback::from(move |value| {
            let callback = latest.borrow().clone();
            callback.emit(value);
        })
    });
    (*stable).clone()
}
