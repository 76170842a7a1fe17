//! Port mappings (source: dapp-runner's model).

/// A remote port and the local port at which it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    pub(crate) local: Option<u16>,
    pub(crate) remote: u16,
}

/// Reads `80` or `8080:80` (local:remote); each from 1 to 65535.
pub(crate) fn parse_port(text: &str) -> Option<Port> {
    match text.split_once(':') {
        Some((local, remote)) => {
            Some(Port { local: Some(parse_number(local)?), remote: parse_number(remote)? })
        }
        None => Some(Port { local: None, remote: parse_number(text)? }),
    }
}

/// Decimal digits only: no sign, no white space.
fn parse_number(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_and_anything_else_refused() {
        assert_eq!(parse_port("80"), Some(Port { local: None, remote: 80 }));
        assert_eq!(parse_port("8080:80"), Some(Port { local: Some(8080), remote: 80 }));
        for text in ["80/tcp", ":80", "80:", "a:80", "0", "70000", "+80", " 80", "", "1:2:3", "80:0"] {
            assert_eq!(parse_port(text), None, "{text}");
        }
    }
}
