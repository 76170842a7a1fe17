use std::{
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use serde_json::Value;

use super::response::ResponseConversion;

/// Before the message of an event (`text/event-stream`).
const DATA: &str = "data: ";

/// The messages of a watch, in the old version.
pub(super) struct ConvertedStream {
    messages: Pin<Box<dyn Stream<Item = Vec<u8>>>>,
    conversion: ResponseConversion,
}

impl ConvertedStream {
    pub(super) fn new(
        messages: Pin<Box<dyn Stream<Item = Vec<u8>>>>,
        conversion: ResponseConversion,
    ) -> Self {
        Self { messages, conversion }
    }

    /// The lines of a part: one message, alone or as an event.
    fn part(&self, part: Vec<u8>) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(&part) else { return part };
        text.split_inclusive('\n').map(|it| self.line(it)).collect::<String>().into_bytes()
    }

    fn line(&self, line: &str) -> String {
        let (before, message) = match line.strip_prefix(DATA) {
            Some(message) => (DATA, message),
            None => ("", line),
        };
        match serde_json::from_str::<Value>(message) {
            Ok(message @ Value::Object(_)) => format!("{before}{}\n", self.conversion.value(message)),
            Ok(_) | Err(_) => line.to_owned(),
        }
    }
}

impl Stream for ConvertedStream {
    type Item = Vec<u8>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        match self.messages.as_mut().poll_next(cx) {
            Poll::Ready(part) => Poll::Ready(part.map(|it| self.part(it))),
            Poll::Pending => Poll::Pending,
        }
    }
}
