use std::{
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use smoltcp::{iface::SocketHandle, socket::tcp::Socket};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::host::Host;

/// A connection to a node of a virtual private network, which is closed when it is dropped.
pub(crate) struct Stream {
    host: Rc<Host>,
    handle: SocketHandle,
}

impl Stream {
    pub(crate) fn new(host: Rc<Host>, handle: SocketHandle) -> Self {
        Self { host, handle }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.host.with(self.handle, |socket| {
            if socket.can_recv() {
                let length = socket.recv_slice(buffer.initialize_unfilled()).map_err(io::Error::other)?;
                buffer.advance(length);
                return Poll::Ready(Ok(()));
            }
            if !socket.may_recv() {
                return Poll::Ready(Ok(()));
            }
            socket.register_recv_waker(context.waker());
            Poll::Pending
        })
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.host.with(self.handle, |socket| {
            if !socket.may_send() {
                return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
            }
            if socket.can_send() {
                return Poll::Ready(socket.send_slice(bytes).map_err(io::Error::other));
            }
            socket.register_send_waker(context.waker());
            Poll::Pending
        })
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.host.with(self.handle, Socket::close);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.host.close(self.handle);
    }
}
