use std::{
    fs::Metadata,
    io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header, request::Parts,
};
use protocol::{Code, LocalFuture, Problem, percent_decoded};
use tokio::fs;

use crate::{Access, Handler, handler::refusal, media::media_type, shared::Files};

/// The content security policy of the app, which is that of its page, and which forbids frames.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
     font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

/// The headers of each file. Browsers revalidate files each time, and get 304 if they are unchanged.
pub(crate) const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Serves the files of a folder, `index.html` at `/`. Nothing outside the folder, nothing whose name begins
/// with a dot, and no lists of files.
#[derive(Clone, Debug)]
pub struct StaticFiles {
    folder: PathBuf,
    files: Files,
}

/// The reason why there is no file to serve.
enum Missing {
    Nothing,
    Failed(io::Error),
}

impl StaticFiles {
    /// The files of that folder, read when they are requested.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub fn new(folder: impl AsRef<Path>) -> io::Result<Self> {
        let folder = folder.as_ref().canonicalize()?;
        if !folder.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder"));
        }
        Ok(Self { folder, files: Files::default() })
    }

    /// The total size of its files that are being sent, in bytes.
    pub async fn in_memory(&self) -> usize {
        self.files.in_memory().await
    }

    async fn answer(self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return not_allowed();
        }
        match self.show(request.uri().path(), request.headers()).await {
            Ok(response) => response,
            Err(Missing::Nothing) => refusal(Problem::new(Code::NotFound, "there is no such file")),
            Err(Missing::Failed(error)) => refusal(Problem::new(Code::Internal, error.to_string())),
        }
    }

    async fn show(&self, path: &str, headers: &HeaderMap) -> Result<Response<Vec<u8>>, Missing> {
        let file = self.file(path).await?;
        let facts = fs::metadata(&file).await?;
        if !facts.is_file() {
            return Err(Missing::Nothing);
        }
        let etag = etag(&facts);
        let known = headers.get_all(header::IF_NONE_MATCH).iter();
        let mut response = Response::new(Vec::new());
        if known.filter_map(|it| it.to_str().ok()).any(|it| names(it, &etag)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            response.extensions_mut().insert(self.files.read(&file, &etag).await?);
            let kind = media_type(&file.to_string_lossy());
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        response.headers_mut().extend(ALWAYS);
        if let Ok(etag) = HeaderValue::from_str(&etag) {
            response.headers_mut().insert(header::ETAG, etag);
        }
        Ok(response)
    }

    /// The path of a file after all links, which must not be outside the folder.
    async fn file(&self, path: &str) -> Result<PathBuf, Missing> {
        let relative = relative(path).ok_or(Missing::Nothing)?;
        let file = fs::canonicalize(self.folder.join(relative)).await?;
        if file.starts_with(&self.folder) { Ok(file) } else { Err(Missing::Nothing) }
    }
}

impl Handler for StaticFiles {
    /// Pages are requested without a token.
    fn access(&self, _head: &Parts) -> Access {
        Access::STRANGER
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        Box::pin(self.clone().answer(request))
    }
}

impl From<io::Error> for Missing {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
        match error.kind() {
            NotFound | NotADirectory | InvalidInput | InvalidFilename => Self::Nothing,
            _ => Self::Failed(error),
        }
    }
}

pub(crate) fn not_allowed() -> Response<Vec<u8>> {
    let mut response = refusal(Problem {
        status: 405,
        title: "This method is not supported here".into(),
        code: "method_not_allowed".into(),
        ..Problem::new(Code::BadRequest, "files can only be read")
    });
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

/// An etag that changes whenever the file is written or has another length.
fn etag(facts: &Metadata) -> String {
    let written = facts.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    format!("\"{:x}-{:x}\"", written.unwrap_or_default().as_nanos(), facts.len())
}

/// True if an `If-None-Match` header contains an etag.
pub(crate) fn names(header: &str, etag: &str) -> bool {
    header.split(',').map(str::trim).any(|it| it == "*" || it.trim_start_matches("W/") == etag)
}

/// The path of a file below the folder, from that of a URL; `None` if it is not valid.
pub(crate) fn relative(path: &str) -> Option<PathBuf> {
    let path = path.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    path.split('/').map(segment).collect()
}

/// A decoded name; `None` if it is empty, hidden, or leads to another folder.
fn segment(text: &str) -> Option<String> {
    let name = percent_decoded(text)?;
    let is_harmless = |c: char| !matches!(c, '/' | '\\' | ':') && !c.is_control();
    (!name.is_empty() && !name.starts_with('.') && name.chars().all(is_harmless)).then_some(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_of_files() {
        let text = |path| relative(path).map(|it| it.to_string_lossy().into_owned());
        for (path, file) in [
            ("/", "index.html"),
            ("/a.js", "a.js"),
            ("/examples/a%20b.yaml", "examples/a b.yaml"),
            ("/%c3%bc.txt", "ü.txt"),
            ("/100%25", "100%"),
        ] {
            assert_eq!(text(path).as_deref(), Some(file), "{path}");
        }
        for path in [
            "",
            "a",
            "*",
            "/..",
            "/../a",
            "/a/../b",
            "/%2e%2e/a",
            "/a%2fb",
            "/a/..%2f..",
            "/.git/config",
            "/a//b",
            "/a/",
            "/%",
            "/%4",
            "/%zz",
            "/%00",
            "/a%0a",
            "/c:/a",
            "/a\\b",
            "/%5c..",
            "/%ff",
        ] {
            assert_eq!(text(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn no_path_leads_out(path in "(/(\\.|%2e|%2E|%2f|%5c|/|[a-c]){0,6}){1,4}") {
            if let Some(relative) = relative(&path) {
                prop_assert!(relative.is_relative());
                let plain = |it: std::path::Component<'_>| matches!(it, std::path::Component::Normal(_));
                prop_assert!(relative.components().all(plain));
            }
        }
    }

    #[test]
    fn an_etag_is_found_among_others() {
        assert!(names("\"a\", W/\"b\"", "\"b\""));
        assert!(names("*", "\"b\""));
        assert!(!names("\"a\", b", "\"b\""));
    }

    #[test]
    fn the_policy_is_that_of_the_page_and_forbids_frames() {
        let page = include_str!("../../../web/index.html");
        let policy = POLICY;
        let policy = policy.to_str().unwrap().strip_suffix("; frame-ancestors 'none'").unwrap();
        assert!(page.contains(&format!("content=\"{policy}\"")), "web/index.html has another policy");
    }
}
