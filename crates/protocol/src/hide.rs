use http::{HeaderValue, Response};

use crate::Caller;

/// The replacement of a token.
const HIDDEN: &[u8] = b"******";

/// The length of the shortest token that is searched for: shorter ones occur in texts by chance.
const SHORTEST: usize = 16;

impl Caller {
    /// The response without the token of the request: some servers include what they received in their
    /// errors.
    #[must_use]
    pub fn hide_token(&self, mut response: Response<Vec<u8>>) -> Response<Vec<u8>> {
        let Some(token) = self.secret().filter(|it| it.len() >= SHORTEST) else { return response };
        let in_json = serde_json::Value::from(token).to_string();
        let in_json = &in_json[1..in_json.len() - 1];
        for form in [token, in_json, &in_json.replace('/', "\\/")] {
            let form = form.as_bytes();
            if let Some(body) = without(response.body(), form) {
                *response.body_mut() = body;
            }
            for value in response.headers_mut().values_mut() {
                if let Some(Ok(hidden)) =
                    without(value.as_bytes(), form).map(|it| HeaderValue::from_bytes(&it))
                {
                    *value = hidden;
                }
            }
        }
        response
    }
}

/// The bytes without the secret; `None` if they do not contain it.
fn without(bytes: &[u8], secret: &[u8]) -> Option<Vec<u8>> {
    let mut at = find(bytes, secret)?;
    let (mut hidden, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
    loop {
        hidden.extend_from_slice(&rest[..at]);
        hidden.extend_from_slice(HIDDEN);
        rest = &rest[at + secret.len()..];
        match find(rest, secret) {
            Some(next) => at = next,
            None => break,
        }
    }
    hidden.extend_from_slice(rest);
    Some(hidden)
}

fn find(bytes: &[u8], secret: &[u8]) -> Option<usize> {
    let first = *secret.first()?;
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == first) {
        if bytes[from + at..].starts_with(secret) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Token;

    #[test]
    fn a_token_is_hidden_in_every_position() {
        let token = "abc/def\"ghi-0123456789";
        let caller = Caller::new("http://127.0.0.1:1", Token::new(token)).expect("an address");
        let json = serde_json::to_string(&["x", token, "y", token]).expect("JSON");
        for (said, read) in [
            (format!("a {token} {token}b"), "a ****** ******b".to_owned()),
            (json, "[\"x\",\"******\",\"y\",\"******\"]".to_owned()),
            ("abc/def".to_owned(), "abc/def".to_owned()),
            (String::new(), String::new()),
        ] {
            let response = Response::builder().header("location", format!("/{token}"));
            let hidden = caller.hide_token(response.body(said.into_bytes()).expect("an answer"));
            assert_eq!(String::from_utf8_lossy(hidden.body()), read);
            assert_eq!(hidden.headers()["location"], "/******");
        }
    }

    #[test]
    fn short_texts_are_not_redacted() {
        let caller = Caller::new("http://127.0.0.1:1", Token::new("kind")).expect("an address");
        assert_eq!(caller.hide_token(Response::new(b"{\"kind\":1}".to_vec())).body(), b"{\"kind\":1}");
    }
}
