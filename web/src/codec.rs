//! Messages between page and worker travel as JSON text: the views flatten and skip fields, which a format that does
//! not describe itself cannot read back. Texts that are JSON already travel beside it, so that they are not escaped.

use std::cell::RefCell;

use gloo_worker::Codec;
use js_sys::Array;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// The attachments of the message that is written or read at present.
    static ATTACHED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// JSON text, alone or in a list with its attachments behind it.
#[derive(Debug)]
pub struct Json;

/// Writes the number of an attachment in place of a text. Only for fields of messages that [`Json`] encodes.
///
/// # Errors
/// Those of the serializer.
pub(crate) fn attach<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let number = ATTACHED.with_borrow_mut(|it| {
        it.push(text.to_owned());
        it.len() - 1
    });
    number.serialize(serializer)
}

/// The text that was attached; empty where there is none of that number.
///
/// # Errors
/// Those of the deserializer.
pub(crate) fn detach<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let number = usize::deserialize(deserializer)?;
    Ok(ATTACHED.with_borrow_mut(|it| it.get_mut(number).map(std::mem::take)).unwrap_or_default())
}

impl Codec for Json {
    #[expect(clippy::expect_used, reason = "our own plain data always has a JSON form")]
    fn encode<I: Serialize>(input: I) -> JsValue {
        let text = serde_json::to_string(&input).expect("a message has a JSON form");
        let attached = ATTACHED.take();
        if attached.is_empty() {
            return JsValue::from_str(&text);
        }
        std::iter::once(text).chain(attached).map(JsValue::from).collect::<Array>().into()
    }

    #[expect(clippy::expect_used, reason = "both sides are one build and send nothing else")]
    fn decode<O: for<'de> Deserialize<'de>>(input: JsValue) -> O {
        let text = match input.dyn_ref::<Array>() {
            None => input.as_string(),
            Some(list) => {
                ATTACHED.set(list.iter().skip(1).filter_map(|it| it.as_string()).collect());
                list.get(0).as_string()
            }
        };
        let message = serde_json::from_str(&text.expect("a message is text"));
        ATTACHED.take();
        message.expect("a message is what the other side sends")
    }
}
