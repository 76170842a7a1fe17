use std::{
    cell::RefCell,
    convert::Infallible,
    fmt,
    future::poll_fn,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use api::LastPart;
use futures_core::Stream;
use http::{HeaderValue, Request, Response, header, request::Parts};
use http_body_util::{BodyExt, Either, Full, LengthLimitError, Limited};
use hyper::{
    body::{Body as HttpBody, Bytes, Frame, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use protocol::{Code, Problem};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    select,
    sync::watch,
    time,
};

use crate::{
    Access, Body, Entry, Fault, Guard, Handler, Limits, Shared,
    admission::ConnectionSlot,
    handler::refusal,
    send_buffer::{Reservation, SendBuffer, counted},
    timeout_stream::TimeoutStream,
};

/// The time for which input is read and discarded after the last response. Without this, the client's system may
/// discard the response.
const LINGER: Duration = Duration::from_millis(500);

/// The shared context of connections.
#[derive(Clone)]
pub(crate) struct Connection {
    handler: Rc<dyn Handler>,
    guard: Rc<Guard>,
    limits: Limits,
    unsent: SendBuffer,
    /// The parts of streams that are not sent yet.
    parts: SendBuffer,
    stopped: watch::Receiver<bool>,
}

/// A response with a fault.
type Faulty = Rc<RefCell<Option<(Fault, Response<Vec<u8>>)>>>;

impl Connection {
    pub(crate) fn new(
        handler: Rc<dyn Handler>,
        guard: Guard,
        limits: Limits,
        (unsent, parts): (SendBuffer, SendBuffer),
        stopped: watch::Receiver<bool>,
    ) -> Self {
        Self { handler, guard: Rc::new(guard), limits, unsent, parts, stopped }
    }

    pub(crate) fn stopped(&self) -> watch::Receiver<bool> {
        self.stopped.clone()
    }

    /// Responds to the requests of a connection until either side closes it, its slot is given to another
    /// one, or the server stops.
    pub(crate) async fn serve(self, stream: TcpStream, place: ConnectionSlot) {
        // Responses are small and complete.
        let _without_delay = stream.set_nodelay(true);
        let faulty = Faulty::default();
        let mut stopped = self.stopped();
        let Some(mut stream) = self.exchanges(stream, faulty.clone(), &place).await else { return };
        let faulty = faulty.take();
        let end = async {
            match faulty {
                Some((fault, response)) => fault.play(stream, response).await,
                None => linger(&mut stream).await,
            }
        };
        select! {
            () = end => {}
            _ = stopped.wait_for(|it| *it) => {}
        }
    }

    /// Sends all responses up to one with a fault, which is left in `faulty`. Input that is no request of HTTP/1 at all (a
    /// wrong first line or version, a header that cannot be read, a head that is too long, a target that is too long) reaches
    /// no handler: hyper answers it with 400, 414 or 431 without a body, and offers no way to add one. The stream of a
    /// connection whose slot is given to another one is not returned: it is closed at once, and its response in the system's
    /// buffers is discarded.
    async fn exchanges(
        &self,
        stream: TcpStream,
        faulty: Faulty,
        place: &ConnectionSlot,
    ) -> Option<TcpStream> {
        let service = service_fn(|request| Box::pin(self.answer(request, &faulty, place)));
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head)
            .max_header_size(self.limits.head_bytes)
            .serve_connection(TokioIo::new(TimeoutStream::new(stream, self.limits.answer)), service);
        let mut stopped = self.stopped();
        let end = select! {
            _ = poll_fn(|cx| Pin::new(&mut connection).poll(cx)) => End::Closed,
            _ = stopped.wait_for(|it| *it) => End::Stopped,
            () = place.evicted() => End::Evicted,
        };
        if end == End::Stopped {
            Pin::new(&mut connection).graceful_shutdown();
            let _broken = poll_fn(|cx| Pin::new(&mut connection).poll(cx)).await;
        }
        let stream = connection.into_parts().io.into_inner().into_inner();
        if end == End::Evicted {
            let _not_there = stream.set_zero_linger();
            return None;
        }
        Some(stream)
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        faulty: &Faulty,
        place: &ConnectionSlot,
    ) -> Result<Response<Sent>, Unanswered> {
        let (head, body) = request.into_parts();
        let mut response = match self.guard.entry(&head) {
            Entry::Answered(response) => {
                place.renew();
                response.map(Body::Whole)
            }
            Entry::Admitted(visitor) => {
                let access = self.handler.access(&head);
                match access.authenticated {
                    true => place.recognise().await,
                    false => place.renew(),
                }
                let response = self.bounded(self.response(head, body, access).await, access).await;
                let has_room = !matches!(response.body(), Body::Stream(_)) || place.stream();
                visitor.add_cors_headers(if has_room { response } else { busy().map(Body::Whole) })
            }
        };
        match response.extensions_mut().remove::<Fault>() {
            None => Ok(self.whole(response)),
            Some(fault) => {
                let (head, body) = response.into_parts();
                faulty.replace(Some((fault, Response::from_parts(head, body.whole().await))));
                Err(Unanswered)
            }
        }
    }

    /// The response, if there is room for it; otherwise an error that says so.
    ///
    /// A body that is made in pieces takes room before it is made; one that comes in parts takes it part by part. A body that
    /// is made at once takes it in the turn of the thread that made it, so that one such response is not counted. A file or a
    /// state takes it when it was read: until then there is at most one for each connection with a token.
    async fn bounded(&self, response: Response<Body>, access: Access) -> Response<Body> {
        let bytes = match response.body() {
            Body::Whole(body) => body.len(),
            Body::Long(length, _) => *length,
            Body::Stream(_) => 0,
        };
        if !access.authenticated && bytes > self.limits.stranger_bytes {
            let problem = Problem::new(Code::Unauthorized, "a response of this size requires the token");
            return refusal(problem).map(Body::Whole);
        }
        let Some(room) = self.unsent.room(bytes, self.limits.unsent_bytes) else {
            return busy().map(Body::Whole);
        };
        let (mut head, body) = response.into_parts();
        head.extensions.insert(Arc::new(room));
        let body = match body {
            Body::Long(..) => Body::Whole(body.whole().await),
            body => body,
        };
        Response::from_parts(head, body)
    }

    /// The response as it is sent: a shared body without a copy, another one with its reservation, parts as they come.
    fn whole(&self, mut response: Response<Body>) -> Response<Sent> {
        let room = response.extensions_mut().remove::<Arc<Reservation>>();
        let last = response.extensions_mut().remove::<LastPart>();
        if let Some(Shared(body)) = response.extensions_mut().remove::<Shared>() {
            return response.map(|_| Sent::Left(Full::new(body)));
        }
        response.map(|body| match body {
            Body::Whole(body) => Sent::Left(Full::new(counted(body, room))),
            Body::Stream(parts) => {
                let (unsent, most) = (self.parts.clone(), self.limits.part_bytes());
                Sent::Right(Parted { parts: Some(parts), last, unsent, most })
            }
            // It was made when it had room.
            Body::Long(..) => Sent::Left(Full::default()),
        })
    }

    async fn response(&self, head: Parts, body: Incoming, access: Access) -> Response<Body> {
        if let Some(refusal) = self.handler.refuse(&head) {
            return refusal.map(Body::Whole);
        }
        let most = match access.authenticated {
            true => access.body_bytes.unwrap_or(self.limits.body_bytes),
            false => self.limits.stranger_bytes,
        };
        match self.read(body, most).await {
            Ok(body) => self.handler.respond(Request::from_parts(head, body)).await,
            Err(problem) => refusal(problem).map(Body::Whole),
        }
    }

    async fn read(&self, body: Incoming, most: usize) -> Result<Vec<u8>, Problem> {
        let too_long = || Problem::new(Code::TooLarge, format!("at most {most} bytes are read"));
        if body.size_hint().lower() > most as u64 {
            return Err(too_long());
        }
        match time::timeout(self.limits.body, Limited::new(body, most).collect()).await {
            Ok(Ok(body)) => Ok(body.to_bytes().into()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long()),
            Ok(Err(_)) => Err(Problem::new(Code::BadRequest, "the body is not complete")),
            Err(_) => Err(late()),
        }
    }
}

/// The end of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Closed,
    Stopped,
    Evicted,
}

/// A body as hyper sends it.
type Sent = Either<Full<Bytes>, Parted>;

/// A body whose parts are sent when they are there. One is taken only when the one before has been sent.
///
/// Parts that clients have not read take room of their own, so that watches which nobody reads stop no other response. A stream
/// whose part finds none ends with one that says so: clients are too slow, and this one can resume where it was.
struct Parted {
    /// `None` at the end. The resources of a stream are dropped then, however long its client takes to read the rest.
    parts: Option<Pin<Box<dyn Stream<Item = Vec<u8>>>>>,
    last: Option<LastPart>,
    unsent: SendBuffer,
    most: usize,
}

impl Parted {
    /// A part as it is sent, or the last one, if there is no room for it.
    fn frame(&mut self, part: Vec<u8>) -> Option<Frame<Bytes>> {
        if let Some(room) = self.unsent.room(part.len(), self.most) {
            return Some(Frame::data(counted(part, Some(Arc::new(room)))));
        }
        self.parts = None;
        self.last.map(|it| Frame::data(Bytes::from(it.0(&too_slow()))))
    }
}

impl HttpBody for Parted {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        let Some(parts) = &mut this.parts else { return Poll::Ready(None) };
        let part = ready!(parts.as_mut().poll_next(cx));
        Poll::Ready(part.and_then(|it| this.frame(it)).map(Ok))
    }
}

/// The problem that ends a stream for whose next part there is no room.
fn too_slow() -> api::Problem {
    let detail = "too much of what is watched waits to be read by clients: read faster, and resume this watch after the last message";
    api::Problem::resource_exhausted(detail)
}

/// The response if too many responses wait for their clients.
fn busy() -> Response<Vec<u8>> {
    let mut response = refusal(Problem {
        status: 503,
        title: "The server is busy".into(),
        code: "busy".into(),
        retryable: true,
        ..Problem::new(
            Code::Internal,
            "too many responses are waiting to be read; read them, or try again later",
        )
    });
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

fn late() -> Problem {
    Problem {
        status: 408,
        title: "The request took too long".into(),
        code: "request_timeout".into(),
        retryable: true,
        ..Problem::new(Code::BadRequest, "the body did not arrive in time")
    }
}

/// An error that makes hyper close the connection without a response.
#[derive(Debug)]
struct Unanswered;

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this answer is to go wrong")
    }
}

impl std::error::Error for Unanswered {}

async fn linger(stream: &mut TcpStream) {
    let throw_away = async {
        stream.shutdown().await?;
        let mut thrown_away = [0; 16 << 10];
        while stream.read(&mut thrown_away).await? > 0 {}
        std::io::Result::Ok(())
    };
    let _over = time::timeout(LINGER, throw_away).await;
}
