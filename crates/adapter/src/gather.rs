//! The two ways in which this crate waits for more than one future.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    task::{Context, Poll},
};

/// The result of the future that was ready first.
#[derive(Debug)]
pub(crate) enum Either<A, B> {
    Left(A),
    Right(B),
}

/// Waits for the first of two, the left one if both are ready, and drops the other.
pub(crate) async fn first<A, B>(
    left: impl Future<Output = A>,
    right: impl Future<Output = B>,
) -> Either<A, B> {
    let (mut left, mut right) = (pin!(left), pin!(right));
    poll_fn(|cx| match left.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Either::Left(value)),
        Poll::Pending => right.as_mut().poll(cx).map(Either::Right),
    })
    .await
}

type Boxed<'f, T> = Pin<Box<dyn Future<Output = T> + 'f>>;

/// The results of all futures, in their order, with that many at a time. The cost of a wake-up depends on the
/// futures in progress, not on all of them.
pub(crate) async fn gather<'f, T>(all: impl Iterator<Item = Boxed<'f, T>>, at_once: usize) -> Vec<T> {
    let mut gathering =
        Gathering { waiting: all.enumerate(), running: Vec::new(), done: Vec::new(), at_once };
    poll_fn(|cx| gathering.poll(cx)).await;
    gathering.done.into_iter().flatten().collect()
}

struct Gathering<'f, T, I> {
    waiting: I,
    running: Vec<(usize, Boxed<'f, T>)>,
    done: Vec<Option<T>>,
    at_once: usize,
}

impl<'f, T, I: Iterator<Item = (usize, Boxed<'f, T>)>> Gathering<'f, T, I> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let done = &mut self.done;
        self.running.retain_mut(|(at, future)| !settled(done, *at, future, cx));
        while self.running.len() < self.at_once.max(1) {
            let Some((at, mut future)) = self.waiting.next() else { break };
            self.done.push(None);
            if !settled(&mut self.done, at, &mut future, cx) {
                self.running.push((at, future));
            }
        }
        if self.running.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    }
}

fn settled<T>(done: &mut [Option<T>], at: usize, future: &mut Boxed<'_, T>, cx: &mut Context<'_>) -> bool {
    let Poll::Ready(value) = future.as_mut().poll(cx) else { return false };
    if let Some(place) = done.get_mut(at) {
        *place = Some(value);
    }
    true
}
