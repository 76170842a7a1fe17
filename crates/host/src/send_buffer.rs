//! A limit for the memory of responses that their clients have not read yet.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use hyper::body::Bytes;

/// The number of bytes of responses that are not sent yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct SendBuffer(Arc<Count>);

#[derive(Debug, Default)]
struct Count {
    now: AtomicUsize,
    most: AtomicUsize,
}

/// Room for one response, which is free when this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    unsent: SendBuffer,
    bytes: usize,
}

impl SendBuffer {
    /// Reserves room for that many bytes; `None` if the total would exceed `limit`.
    pub(crate) fn room(&self, bytes: usize, limit: usize) -> Option<Reservation> {
        let add = |now: usize| now.checked_add(bytes).filter(|it| *it <= limit);
        let before = self.0.now.fetch_update(Relaxed, Relaxed, add).ok()?;
        self.0.most.fetch_max(before + bytes, Relaxed);
        Some(Reservation { unsent: self.clone(), bytes })
    }

    /// The current total, and the largest total so far.
    pub(crate) fn count(&self) -> (usize, usize) {
        (self.0.now.load(Relaxed), self.0.most.load(Relaxed))
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.unsent.0.now.fetch_sub(self.bytes, Relaxed);
    }
}

/// A body with a reservation that lasts until all of it is sent.
struct Counted {
    body: Vec<u8>,
    _room: Arc<Reservation>,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// The body as it is sent.
pub(crate) fn counted(body: Vec<u8>, room: Option<Arc<Reservation>>) -> Bytes {
    match room {
        Some(room) if !body.is_empty() => Bytes::from_owner(Counted { body, _room: room }),
        _ => Bytes::from(body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_taken_until_the_last_reader_is_gone() {
        let unsent = SendBuffer::default();
        let room = unsent.room(60, 100).map(Arc::new);
        let bytes = counted(vec![0; 60], room);
        assert!(unsent.room(41, 100).is_none());
        let rest = bytes.slice(50..);
        drop(bytes);
        assert_eq!(unsent.count(), (60, 60));
        drop(rest);
        assert_eq!(unsent.count(), (0, 60));
        assert!(unsent.room(usize::MAX, 100).is_none());
    }
}
