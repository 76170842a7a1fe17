use std::{collections::BTreeSet, fs, net::Ipv4Addr};

/// The addresses of this machine on which a program listens.
pub(crate) fn listening() -> BTreeSet<Ipv4Addr> {
    let text = fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    text.lines().skip(1).filter_map(address).collect()
}

/// The local address of a line about a listener (state `0A`). Its bytes are in the byte order of the machine.
fn address(line: &str) -> Option<Ipv4Addr> {
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (local, state) = (fields.next()?, fields.nth(1)?);
    let (address, _) = local.split_once(':').filter(|_| state == "0A")?;
    Some(Ipv4Addr::from(u32::from_str_radix(address, 16).ok()?.to_ne_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_are_seen() {
        let listener = std::net::TcpListener::bind(("127.97.3.1", 0)).unwrap();
        assert!(listening().contains(&Ipv4Addr::new(127, 97, 3, 1)));
        drop(listener);
        assert!(!listening().contains(&Ipv4Addr::new(127, 97, 3, 1)));
    }
}
