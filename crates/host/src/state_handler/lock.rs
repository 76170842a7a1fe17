use protocol::{Code, Problem, percent_decoded};
use serde::Deserialize;

/// The longest description of a lock, in bytes.
const LONGEST: usize = 64 << 10;

/// A lock as its holder describes it; everything but its id is for people.
pub(super) struct Lock {
    pub(super) id: String,
    pub(super) text: Vec<u8>,
}

#[derive(Deserialize)]
struct Info {
    #[serde(rename = "ID")]
    id: String,
}

impl Lock {
    /// A lock, from the body of a request.
    ///
    /// # Errors
    /// If it is not a lock, or too long.
    pub(super) fn read(text: Vec<u8>) -> Result<Self, Problem> {
        if text.len() > LONGEST {
            return Err(Problem::new(Code::TooLarge, format!("a lock has at most {LONGEST} bytes")));
        }
        let id = id_of(&text).filter(|it| !it.is_empty());
        let id = id.ok_or_else(|| Problem::new(Code::BadRequest, "a lock is a JSON object with an `ID`"))?;
        Ok(Self { id, text })
    }
}

/// The id of a lock.
pub(super) fn id_of(text: &[u8]) -> Option<String> {
    serde_json::from_slice::<Info>(text).ok().map(|it| it.id)
}

/// The lock in a query, if there is one.
///
/// # Errors
/// If there are several, or it cannot be read.
pub(super) fn id(query: &str) -> Result<Option<String>, &'static str> {
    let mut named = query.split('&').filter_map(|it| it.strip_prefix("ID="));
    match (named.next(), named.next()) {
        (None, _) => Ok(None),
        (Some(id), None) => {
            let id = percent_decoded(&id.replace('+', " ")).ok_or("the lock's `ID` cannot be read")?;
            Ok(Some(id).filter(|it| !it.is_empty()))
        }
        _ => Err("there is more than one `ID`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_id_is_read_from_the_query() {
        for (query, expected) in [
            ("", Ok(None)),
            ("ID=", Ok(None)),
            ("id=a", Ok(None)),
            ("XID=a", Ok(None)),
            ("ID=a", Ok(Some("a"))),
            ("x=1&ID=of%20ada&y", Ok(Some("of ada"))),
            ("ID=of+ada%2B1", Ok(Some("of ada+1"))),
            ("ID=%c3%bc", Ok(Some("ü"))),
        ] {
            assert_eq!(id(query), expected.map(|it| it.map(str::to_owned)), "{query}");
        }
        for query in ["ID=%", "ID=%zz", "ID=%ff", "ID=a&ID=a", "ID=a&ID="] {
            assert!(id(query).is_err(), "{query}");
        }
    }

    #[test]
    fn a_lock_has_an_id() {
        let lock = Lock::read(br#"{"ID": "a", "Who": "ada"}"#.to_vec()).unwrap();
        assert_eq!((&*lock.id, &*lock.text), ("a", br#"{"ID": "a", "Who": "ada"}"#.as_slice()));
        let deep = "[".repeat(200_000);
        let long = format!(r#"{{"ID": "{}"}}"#, "a".repeat(LONGEST));
        for (text, status) in [
            ("", 400),
            ("a", 400),
            ("{}", 400),
            ("[]", 400),
            (r#"{"ID": ""}"#, 400),
            (r#"{"ID": 7}"#, 400),
            (r#"{"ID": null}"#, 400),
            (r#"{"ID": "a", "ID": "b"}"#, 400),
            (&format!(r#"{{"ID": "a", "x": {}"#, &deep[..1000]), 400),
            (&deep, 413),
            (&long, 413),
        ] {
            let problem = Lock::read(text.as_bytes().to_vec()).err().map(|it| it.status);
            assert_eq!(problem, Some(status), "{}", &text[..text.len().min(40)]);
        }
    }
}
