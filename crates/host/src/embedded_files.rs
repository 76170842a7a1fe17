use std::fmt;

use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header, request::Parts};
use hyper::body::Bytes;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use protocol::{Code, LocalFuture, Problem};

use crate::{
    Access, Handler, Shared,
    handler::refusal,
    media::media_type,
    static_files::{ALWAYS, names, not_allowed, relative},
};

/// A file that is part of the program.
#[derive(Clone, Copy)]
pub struct EmbeddedFile {
    /// Its path, from the root of the site.
    pub path: &'static str,
    /// Its content, compressed with gzip, with a header without fields.
    pub gzip: &'static [u8],
    /// The length of its content.
    pub bytes: usize,
    /// A hash of its content.
    pub hash: &'static str,
}

/// Serves files that are part of the program, `index.html` at `/`, as [`StaticFiles`](crate::StaticFiles) serves those of a
/// folder. They are sent compressed to clients that accept it.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFiles(&'static [EmbeddedFile]);

/// The bytes before and after the compressed content.
const HEADER: usize = 10;
const TRAILER: usize = 8;

impl EmbeddedFile {
    /// The content; `None` if it was not embedded as it has to be.
    fn content(&self) -> Option<Vec<u8>> {
        let end = self.gzip.len().checked_sub(TRAILER)?;
        decompress_to_vec_with_limit(self.gzip.get(HEADER..end)?, self.bytes).ok()
    }
}

impl fmt::Debug for EmbeddedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedFile")
            .field("path", &self.path)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl EmbeddedFiles {
    /// Those files.
    pub const fn new(files: &'static [EmbeddedFile]) -> Self {
        Self(files)
    }

    fn answer(self, request: &Request<Vec<u8>>) -> Response<Vec<u8>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return not_allowed();
        }
        let path = relative(request.uri().path());
        let path = path.as_deref().and_then(|it| it.to_str());
        let file = self.0.iter().find(|it| Some(it.path) == path);
        match file.map(|it| show(it, request.headers())) {
            Some(Some(response)) => response,
            Some(None) => refusal(Problem::new(Code::Internal, "this file of the program is damaged")),
            None => refusal(Problem::new(Code::NotFound, "there is no such file")),
        }
    }
}

fn show(file: &EmbeddedFile, headers: &HeaderMap) -> Option<Response<Vec<u8>>> {
    let is_compressed = accepts_gzip(headers);
    let coding = if is_compressed { "-gzip" } else { "" };
    let etag = format!("\"{}{coding}\"", file.hash);
    let mut response = Response::new(Vec::new());
    let mut known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok());
    if known.any(|it| names(it, &etag)) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        let body = if is_compressed { Bytes::from_static(file.gzip) } else { Bytes::from(file.content()?) };
        response.extensions_mut().insert(Shared(body));
        let kind = HeaderValue::from_static(media_type(file.path));
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if is_compressed {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
    }
    response.headers_mut().extend(ALWAYS);
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    response.headers_mut().insert(header::ETAG, HeaderValue::from_str(&etag).ok()?);
    Some(response)
}

/// True if a client says that it accepts gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|it| it.to_str().ok());
    values.flat_map(|it| it.split(',')).any(|it| {
        let (coding, weight) = it.split_once(';').unwrap_or((it, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|it| it.parse() == Ok(0.0));
        coding.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

impl Handler for EmbeddedFiles {
    /// Pages are requested without a token.
    fn access(&self, _head: &Parts) -> Access {
        Access::STRANGER
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let response = self.answer(&request);
        Box::pin(async move { response })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `<p>app</p>`, compressed by `gzip -n`.
    const PAGE: EmbeddedFile = EmbeddedFile {
        path: "index.html",
        gzip: &[
            31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 179, 41, 176, 75, 44, 40, 176, 209, 47, 176, 3, 0, 156, 0, 34,
            73, 10, 0, 0, 0,
        ],
        bytes: 10,
        hash: "abc",
    };

    fn get(path: &str, headers: &[(&str, &str)]) -> Response<Vec<u8>> {
        static FILES: [EmbeddedFile; 1] = [PAGE];
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        EmbeddedFiles::new(&FILES).answer(&request.body(Vec::new()).unwrap())
    }

    fn body(response: &Response<Vec<u8>>) -> &[u8] {
        response.extensions().get::<Shared>().map_or(&[], |it| &it.0)
    }

    #[test]
    fn clients_get_what_they_accept() {
        let plain = get("/", &[("accept-encoding", "br, gzip;q=0")]);
        assert_eq!((body(&plain), plain.headers().get("content-encoding")), (&b"<p>app</p>"[..], None));
        assert_eq!(plain.headers()["content-type"], "text/html; charset=utf-8");
        let packed = get("/index.html", &[("accept-encoding", "deflate, GZIP;q=0.5")]);
        assert_eq!(
            (body(&packed), &packed.headers()["content-encoding"]),
            (PAGE.gzip, &HeaderValue::from_static("gzip"))
        );
        assert_ne!(plain.headers()["etag"], packed.headers()["etag"]);
        assert!(packed.headers().contains_key("content-security-policy"));
    }

    #[test]
    fn what_is_known_is_not_sent_again() {
        let response = get("/", &[("if-none-match", "\"abc\"")]);
        assert_eq!((response.status(), body(&response)), (StatusCode::NOT_MODIFIED, &b""[..]));
        assert_eq!(get("/", &[("if-none-match", "\"abd\"")]).status(), StatusCode::OK);
        assert_eq!(get("/other", &[]).status(), StatusCode::NOT_FOUND);
        assert_eq!(get("/../index.html", &[]).status(), StatusCode::NOT_FOUND);
    }
}
