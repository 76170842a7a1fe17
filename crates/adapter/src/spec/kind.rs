use protocol::{Code, Problem, ResourceId};

use super::plain_id;

/// The built-in kinds of adapters that run services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `network`.
    Network,
    /// `service`.
    Service,
}

impl Kind {
    /// The kind of a resource whose id becomes part of names; `made` names what the adapter creates, such as
    /// `containers`.
    ///
    /// # Errors
    /// [`BadRequest`](Code::BadRequest) if the id is not [plain](plain_id),
    /// [`UnknownKind`](Code::UnknownKind) for any other kind.
    pub fn of(id: &ResourceId, made: &str) -> Result<Self, Problem> {
        plain_id(id)?;
        match &*id.kind {
            "network" => Ok(Self::Network),
            "service" => Ok(Self::Service),
            other => Err(Problem::new(Code::UnknownKind, format!("there are no {made} of kind `{other}`"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_two_kinds() {
        let kind = |kind: &str, id: &str| Kind::of(&ResourceId::new(kind, id), "jails").map_err(|it| it.code);
        let wrong = |code: Code| Err(code.as_str().to_owned());
        assert_eq!((kind("network", "a"), kind("service", "a")), (Ok(Kind::Network), Ok(Kind::Service)));
        assert_eq!(kind("payload", "a"), wrong(Code::UnknownKind));
        assert_eq!(kind("service", "../a"), wrong(Code::BadRequest));
    }
}
