use http::{HeaderValue, Method, Response, header};
use protocol::{Code, Problem};

use super::name::Name;
use crate::handler::refusal;

/// A request: the operation, and the state it is about.
pub(super) struct StateRequest {
    pub(super) name: Name,
    pub(super) operation: StateOperation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateOperation {
    Read,
    Write,
    Delete,
    Lock,
    Unlock,
    Versions,
    Version(u64),
    /// A version is stored.
    Keep(u64),
}

/// The target of a path.
#[derive(Clone, Copy)]
enum StatePath {
    State,
    Versions,
    Version(u64),
}

impl StateRequest {
    /// The request of a method at a path below that of the handler; `None` if the path is not that of a
    /// state, and a response if the path does not support the method.
    pub(super) fn read(method: &Method, path: &str) -> Option<Result<Self, Response<Vec<u8>>>> {
        let (name, place) = match path.split_once('/') {
            None => (path, StatePath::State),
            Some((name, "versions")) => (name, StatePath::Versions),
            Some((name, rest)) => (name, StatePath::Version(serial(rest.strip_prefix("versions/")?)?)),
        };
        let name = Name::read(name)?;
        let what = place.what(method).ok_or_else(|| place.refusal());
        Some(what.map(|what| Self { name, operation: what }))
    }
}

impl StatePath {
    fn what(self, method: &Method) -> Option<StateOperation> {
        Some(match (self, method.as_str()) {
            (Self::State, "GET") => StateOperation::Read,
            (Self::State, "POST") => StateOperation::Write,
            (Self::State, "DELETE") => StateOperation::Delete,
            (Self::State, "LOCK") => StateOperation::Lock,
            (Self::State, "UNLOCK") => StateOperation::Unlock,
            (Self::Versions, "GET") => StateOperation::Versions,
            (Self::Version(serial), "GET") => StateOperation::Version(serial),
            (Self::Version(serial), "PUT") => StateOperation::Keep(serial),
            _ => return None,
        })
    }

    fn refusal(self) -> Response<Vec<u8>> {
        let (methods, what) = match self {
            Self::State => {
                ("GET, POST, DELETE, LOCK, UNLOCK", "states are read, written, deleted, locked and unlocked")
            }
            Self::Versions => ("GET", "the versions of a state are read"),
            Self::Version(_) => ("GET, PUT", "a version of a state is read or kept"),
        };
        let mut response = refusal(Problem {
            status: 405,
            title: "This method is not supported here".into(),
            code: "method_not_allowed".into(),
            ..Problem::new(Code::BadRequest, what)
        });
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
        response
    }
}

/// A serial in its canonical form.
fn serial(text: &str) -> Option<u64> {
    text.parse().ok().filter(|it: &u64| it.to_string() == text)
}

/// The number of resources of a version, as sent by the client: the text may be encrypted.
///
/// # Errors
/// If it is not a number.
pub(super) fn resources(query: &str) -> Result<usize, &'static str> {
    let number = query.split('&').find_map(|it| it.strip_prefix("resources=")).unwrap_or("0");
    number.parse().map_err(|_| "`resources` is not a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_and_method_select_the_request() {
        for (method, path, expected) in [
            ("GET", "shop", Some(Some(StateOperation::Read))),
            ("LOCK", "shop", Some(Some(StateOperation::Lock))),
            ("PUT", "shop", Some(None)),
            ("GET", "shop/versions", Some(Some(StateOperation::Versions))),
            ("DELETE", "shop/versions", Some(None)),
            ("GET", "shop/versions/7", Some(Some(StateOperation::Version(7)))),
            ("PUT", "shop/versions/7", Some(Some(StateOperation::Keep(7)))),
            ("LOCK", "shop/versions/7", Some(None)),
            ("GET", "shop/", None),
            ("GET", "shop/versions/", None),
            ("GET", "shop/versions/07", None),
            ("GET", "shop/versions/+7", None),
            ("GET", "shop/versions/../x", None),
            ("GET", "shop/other", None),
            ("GET", "../versions", None),
            ("GET", "", None),
        ] {
            let request = StateRequest::read(&method.parse().unwrap(), path);
            assert_eq!(request.map(|it| it.ok().map(|it| it.operation)), expected, "{method} {path}");
        }
    }
}
