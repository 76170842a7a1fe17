use std::{cell::RefCell, fmt, future::poll_fn, pin::Pin, rc::Rc, time::Duration};

use http::{Request, Response, request::Parts};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::{
    body::{Body, Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use protocol::{Code, Problem};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    select,
    sync::{OwnedSemaphorePermit, watch},
    time,
};

use crate::{Entry, Fault, Guard, Handler, Limits, handler::refusal, wire::Wire};

/// How long what a client still sends is taken and thrown away after the last answer: where it is not, the client's
/// system may throw the answer away instead.
const LINGER: Duration = Duration::from_millis(500);

/// What each connection needs.
#[derive(Clone)]
pub(crate) struct Connection {
    handler: Rc<dyn Handler>,
    guard: Rc<Guard>,
    limits: Limits,
    stopped: watch::Receiver<bool>,
}

/// An answer that is to go wrong.
type Faulty = Rc<RefCell<Option<(Fault, Response<Vec<u8>>)>>>;

impl Connection {
    pub(crate) fn new(
        handler: Rc<dyn Handler>,
        guard: Guard,
        limits: Limits,
        stopped: watch::Receiver<bool>,
    ) -> Self {
        Self { handler, guard: Rc::new(guard), limits, stopped }
    }

    pub(crate) fn stopped(&self) -> watch::Receiver<bool> {
        self.stopped.clone()
    }

    /// Answers what comes over a connection until either side closes it, or the server stops.
    pub(crate) async fn serve(self, stream: TcpStream, _place: OwnedSemaphorePermit) {
        // Answers are small and whole.
        let _without_delay = stream.set_nodelay(true);
        let faulty = Faulty::default();
        let mut stopped = self.stopped();
        let mut stream = self.exchanges(stream, faulty.clone()).await;
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

    /// All answers but one that is to go wrong, which is left in `faulty`.
    async fn exchanges(&self, stream: TcpStream, faulty: Faulty) -> TcpStream {
        let service = service_fn(|request| Box::pin(self.answer(request, &faulty)));
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head)
            .max_header_size(self.limits.head_bytes)
            .serve_connection(TokioIo::new(Wire::new(stream, self.limits.answer)), service);
        let mut stopped = self.stopped();
        let stop = select! {
            _ = poll_fn(|cx| Pin::new(&mut connection).poll(cx)) => false,
            _ = stopped.wait_for(|it| *it) => true,
        };
        if stop {
            Pin::new(&mut connection).graceful_shutdown();
            let _broken = poll_fn(|cx| Pin::new(&mut connection).poll(cx)).await;
        }
        connection.into_parts().io.into_inner().into_inner()
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        faulty: &Faulty,
    ) -> Result<Response<Full<Bytes>>, Unanswered> {
        let (head, body) = request.into_parts();
        let mut response = match self.guard.entry(&head) {
            Entry::Answered(response) => response,
            Entry::Admitted(visitor) => visitor.dress(self.response(head, body).await),
        };
        match response.extensions_mut().remove::<Fault>() {
            None => Ok(response.map(Full::from)),
            Some(fault) => {
                faulty.replace(Some((fault, response)));
                Err(Unanswered)
            }
        }
    }

    async fn response(&self, head: Parts, body: Incoming) -> Response<Vec<u8>> {
        if let Some(refusal) = self.handler.refuse(&head) {
            return refusal;
        }
        match self.read(body).await {
            Ok(body) => self.handler.handle(Request::from_parts(head, body)).await,
            Err(problem) => refusal(problem),
        }
    }

    async fn read(&self, body: Incoming) -> Result<Vec<u8>, Problem> {
        let most = self.limits.body_bytes;
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

fn late() -> Problem {
    Problem {
        status: 408,
        title: "The request took too long".into(),
        code: "request_timeout".into(),
        retryable: true,
        ..Problem::new(Code::BadRequest, "the body did not come in time")
    }
}

/// Ends the connection for hyper without a word.
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
