//! App, adapters and state on one origin, as `planloom serve` has them.

use std::{
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use crate::support::{echo, get, local, say, serve, transport};
use http::{Request, Response};
use planloom_host::{Handler, Mounts, Server, StaticFiles, TokenAuth};
use protocol::Transport;

/// A folder for this test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("site/examples")).unwrap();
        fs::write(folder.join("secret.txt"), "secret").unwrap();
        let site = folder.join("site");
        fs::write(site.join("index.html"), "<!doctype html>").unwrap();
        fs::write(site.join("app.js"), "export {}").unwrap();
        fs::write(site.join("app_bg.wasm"), b"\0asm").unwrap();
        fs::write(site.join("examples/a b.yaml"), "a: 1").unwrap();
        fs::write(site.join(".hidden"), "secret").unwrap();
        Self(folder)
    }

    fn site(&self) -> PathBuf {
        self.0.join("site")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _left_there = fs::remove_dir_all(&self.0);
    }
}

async fn serve_site(folder: &Folder) -> Server {
    serve(Rc::new(StaticFiles::new(folder.site()).unwrap())).await
}

async fn fetch(server: &Server, path: &str) -> Response<Vec<u8>> {
    transport().send(get(format!("{}{path}", server.origin()))).await.unwrap()
}

#[test]
fn files_have_the_headers_that_browsers_need() {
    let folder = Folder::new("files");
    local(async {
        let server = serve_site(&folder).await;
        for (path, kind, body) in [
            ("/", "text/html; charset=utf-8", b"<!doctype html>".as_slice()),
            ("/index.html?x=1", "text/html; charset=utf-8", b"<!doctype html>"),
            ("/app.js", "text/javascript; charset=utf-8", b"export {}"),
            ("/app_bg.wasm", "application/wasm", b"\0asm"),
            ("/examples/a%20b.yaml", "text/plain; charset=utf-8", b"a: 1"),
        ] {
            let response = fetch(&server, path).await;
            assert_eq!(response.status(), 200, "{path}");
            assert_eq!(response.body(), body, "{path}");
            let headers = response.headers();
            assert_eq!(headers["content-type"], kind, "{path}");
            assert_eq!(headers["x-content-type-options"], "nosniff");
            assert_eq!(headers["cache-control"], "no-cache");
            assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
            let policy = headers["content-security-policy"].to_str().unwrap();
            assert!(policy.starts_with("default-src 'none';") && policy.contains("frame-ancestors 'none'"));
            assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        }
    });
}

#[test]
fn only_the_app_is_served() {
    let folder = Folder::new("nothing");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.0.join("secret.txt"), folder.site().join("link.txt")).unwrap();
        std::os::unix::fs::symlink(&folder.0, folder.site().join("up")).unwrap();
        std::os::unix::fs::symlink(folder.site().join("app.js"), folder.site().join("inside.js")).unwrap();
    }
    local(async {
        let server = serve_site(&folder).await;
        for path in [
            "/../secret.txt",
            "/examples/../../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/%2e%2e%2fsecret.txt",
            "/..%5csecret.txt",
            "//secret.txt",
            "/.hidden",
            "/%2ehidden",
            "/examples",
            "/examples/",
            "/no.js",
            "/app.js/",
            "/app.js/x",
            "/%00",
            "/link.txt",
            "/up/secret.txt",
            "//etc/passwd",
            "/%2fetc/passwd",
            "/etc/passwd",
        ] {
            // Written by hand, because a client would normalise such a path.
            let answer = say(
                &server,
                format!(
                    "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n",
                    server.port()
                ),
            )
            .await;
            assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
            assert!(!answer.contains("secret\n") && !answer.ends_with("secret"), "{path}");
        }
        if cfg!(unix) {
            assert_eq!(fetch(&server, "/inside.js").await.body(), b"export {}");
        }
    });
}

#[test]
fn a_long_name_is_no_file() {
    let folder = Folder::new("long");
    local(async {
        let server = serve_site(&folder).await;
        assert_eq!(fetch(&server, &format!("/{}", "a".repeat(5000))).await.status(), 404);
    });
}

#[test]
fn unchanged_files_are_not_sent_again() {
    let folder = Folder::new("etag");
    local(async {
        let server = serve_site(&folder).await;
        let etag = fetch(&server, "/app.js").await.headers()["etag"].clone();
        let again = |etag: http::HeaderValue| {
            let request = Request::get(format!("{}/app.js", server.origin())).header("if-none-match", etag);
            transport().send(request.body(Vec::new()).unwrap())
        };
        let same = again(etag.clone()).await.unwrap();
        assert_eq!((same.status().as_u16(), same.body().len()), (304, 0));
        assert_eq!(same.headers()["etag"], etag);
        assert!(same.headers().contains_key("content-security-policy"));
        fs::write(folder.site().join("app.js"), "export { }").unwrap();
        let changed = again(etag.clone()).await.unwrap();
        assert_eq!((changed.status().as_u16(), changed.body().as_slice()), (200, b"export { }".as_slice()));
        assert_ne!(changed.headers()["etag"], etag);
    });
}

#[test]
fn files_are_only_read() {
    let folder = Folder::new("read");
    local(async {
        let server = serve_site(&folder).await;
        for method in ["PUT", "POST", "DELETE", "OPTIONS"] {
            let request = Request::builder().method(method).uri(format!("{}/app.js", server.origin()));
            let response = transport().send(request.body(Vec::new()).unwrap()).await.unwrap();
            assert_eq!(
                (response.status().as_u16(), &response.headers()["allow"]),
                (405, &"GET, HEAD".parse().unwrap())
            );
        }
        let head = format!(
            "HEAD /app.js HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n",
            server.port()
        );
        let answer = say(&server, head).await;
        assert!(answer.contains("content-length: 9\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    });
}

#[test]
fn a_site_needs_a_folder() {
    let folder = Folder::new("folder");
    assert!(StaticFiles::new(folder.site().join("nowhere")).is_err());
    assert!(StaticFiles::new(folder.site().join("app.js")).is_err());
}

#[test]
fn the_app_is_for_all_and_adapters_for_who_has_the_token() {
    let folder = Folder::new("home");
    local(async {
        let auth = TokenAuth::random().unwrap();
        let site: Rc<dyn Handler> = Rc::new(StaticFiles::new(folder.site()).unwrap());
        let mounts = Mounts::new()
            .mount("/adapters/process", Rc::new(auth.protect(echo())))
            .mount("/state", Rc::new(auth.protect(echo())))
            .fallback(site);
        let server = serve(Rc::new(mounts)).await;
        assert_eq!(fetch(&server, "/").await.body(), b"<!doctype html>");
        let send = |path: &str, token: Option<&str>| {
            let mut request = get(format!("{}{path}", server.origin()));
            if let Some(token) = token {
                let value = format!("Bearer {token}").parse().unwrap();
                request.headers_mut().insert("authorization", value);
            }
            transport().send(request)
        };
        for path in ["/adapters/process/v1", "/state/shop"] {
            for token in [None, Some("0123456789abcdef")] {
                let response = send(path, token).await.unwrap();
                assert_eq!(response.status(), 401);
                assert_eq!(response.headers()["www-authenticate"], "Bearer");
                assert_eq!(response.headers()["content-type"], "application/problem+json");
            }
            let response = send(path, Some(auth.token())).await.unwrap();
            assert_eq!(response.body(), format!("GET {path}\n").as_bytes());
        }
        // A request without the token is refused without waiting for its body.
        let head = "PUT /state/shop HTTP/1.1\r\nHost: localhost";
        let rest = "Connection: close\r\nContent-Length: 99999999\r\n\r\n";
        let answer = say(&server, format!("{head}:{}\r\n{rest}", server.port())).await;
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        assert_eq!(auth.link(server.origin()), format!("{}/#token={}", server.origin(), auth.token()));
    });
}
