//! Views that arrive as JSON text: only the code that shows one needs its reader.

use std::rc::Rc;

use serde::de::DeserializeOwned;
use yew::prelude::*;

use crate::message::Encoded;

/// The result of `with` for the view in a text, computed once for each text.
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
