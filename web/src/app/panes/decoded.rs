//! Views that arrive as JSON text: only who shows one needs what reads it.

use std::rc::Rc;

use serde::de::DeserializeOwned;
use yew::prelude::*;

use crate::message::Encoded;

/// What `with` makes of the view that a text holds, made once for each text.
#[hook]
pub(super) fn use_decoded<T: DeserializeOwned + 'static, U: Clone + 'static>(
    text: Option<&Rc<Encoded<T>>>,
    with: fn(T) -> U,
) -> Option<U> {
    let text = text.cloned();
    let identity = text.as_ref().map(|text| Rc::as_ptr(text).addr());
    let view = use_memo(identity, move |_| text.and_then(|text| text.read()).map(with));
    (*view).clone()
}
