use super::{Http, SpecValue, http};

/// A check whether a service is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The service stays alive for a moment.
    Alive,
    /// A port accepts connections.
    Port(u16),
    /// A request gets a response.
    Http(Http),
    /// The log contains a text.
    Log(String),
}

impl Check {
    /// The checks in `port`, `http` and `log` of a map, in this order, each with its pointer. If `http` has
    /// no port, it is that of the first proxy.
    pub fn read(map: &SpecValue<'_>, first: Option<u16>) -> Vec<(Self, String)> {
        let mut found = Vec::new();
        found.extend(map.key("port").and_then(|it| Some((Self::Port(it.port()?), it.pointer))));
        found.extend(map.key("http").and_then(|it| Some((Self::Http(http(&it, first)?), it.pointer))));
        found.extend(map.key("log").and_then(|it| Some((Self::Log(it.text()?), it.pointer))));
        found
    }

    /// The port that is checked.
    pub const fn port(&self) -> Option<u16> {
        match self {
            Self::Port(port) | Self::Http(Http { port, .. }) => Some(*port),
            Self::Alive | Self::Log(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Code;
    use serde_json::json;

    use super::*;
    use crate::spec::SpecErrors;

    #[test]
    fn each_check_knows_where_it_is_said() {
        let (faults, map) = (SpecErrors::default(), json!({"log": "ready", "port": 1, "http": {}}));
        let found = Check::read(&SpecValue::root(&map, &faults), Some(8));
        let found_at: Vec<_> = found.iter().map(|(check, pointer)| (check.port(), &**pointer)).collect();
        assert_eq!(found_at, [(Some(1), "/port"), (Some(8), "/http"), (None, "/log")]);
        assert!(faults.into_result(Code::InvalidSpec).is_ok());
    }

    #[test]
    fn a_check_that_is_wrong_is_none() {
        let (faults, map) = (SpecErrors::default(), json!({"log": [], "port": 0}));
        assert_eq!(Check::read(&SpecValue::root(&map, &faults), None), []);
        assert_eq!(faults.into_result(Code::InvalidSpec).unwrap_err().violations.len(), 2);
    }
}
