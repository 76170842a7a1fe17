use std::{
    io::Write as _,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use fields::json_size;
use serde_json::{Map, Value};

use super::selection::Selection;

/// A response with several resources.
pub(crate) struct Items {
    /// The field that has the resources.
    pub(crate) field: String,
    pub(crate) items: Vec<Arc<Value>>,
    pub(crate) selection: Selection,
    /// The other fields.
    pub(crate) rest: Map<String, Value>,
}

/// The length of what is written without a pause, in bytes, but for a longer resource.
const PIECE: usize = 256 << 10;

impl Items {
    pub(crate) fn value(self) -> Value {
        let Self { field, items, selection, rest } = self;
        let items = items.iter().map(|it| selection.show(it)).collect();
        Value::Object([(field, Value::Array(items))].into_iter().chain(rest).collect())
    }

    /// The maximum length of the response, in bytes.
    pub(crate) fn length(&self) -> usize {
        let resources = self.items.iter().map(|it| self.selection.weigh(it) + 1).sum::<usize>();
        let rest = self.rest.iter().map(|(name, value)| name.len() + json_size(value) + 4);
        resources + rest.sum::<usize>() + self.field.len() + "{\"\":[]}".len()
    }

    /// The response as JSON, written in pieces: a server that has one thread answers others between them.
    pub(crate) async fn json(self) -> Vec<u8> {
        let Self { field, items, selection, rest } = self;
        let mut text = format!("{{{}:[", Value::from(field)).into_bytes();
        let mut next = PIECE;
        for (at, item) in items.iter().enumerate() {
            let separator = if at > 0 { "," } else { "" };
            // Writing to memory does not fail.
            drop(write!(text, "{separator}{}", selection.show(item)));
            if text.len() >= next {
                Pause::default().await;
                next = text.len() + PIECE;
            }
        }
        text.push(b']');
        rest.into_iter().for_each(|(name, value)| drop(write!(text, ",{}:{value}", Value::from(name))));
        text.push(b'}');
        text
    }
}

/// Lets other tasks of the thread run once.
#[derive(Default)]
struct Pause {
    is_over: bool,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_over {
            return Poll::Ready(());
        }
        self.is_over = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
