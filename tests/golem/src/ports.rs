use std::net::{Ipv4Addr, TcpListener};

use crate::Unavailable;

/// The daemon reads no more than four digits of the port of its hub.
const PORTS: std::ops::Range<u16> = 5_100..9_990;

/// Free ports of the loopback, with four digits each.
///
/// Another program may take one before it is used: who uses them tries again with others.
pub(crate) fn free<const N: usize>() -> Result<[u16; N], Unavailable> {
    let first = random()? % (PORTS.end - PORTS.start);
    let candidates =
        (0..PORTS.end - PORTS.start).map(|it| PORTS.start + (first + it) % (PORTS.end - PORTS.start));
    // They stay bound until all are found, so that they differ.
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok().map(|it| (port, it));
    let bound: Vec<_> = candidates.filter_map(bind).take(N).collect();
    let ports: Vec<u16> = bound.iter().map(|(port, _)| *port).collect();
    ports.try_into().map_err(|_| Unavailable("too few ports are free".to_owned()))
}

fn random() -> Result<u16, Unavailable> {
    let random = getrandom::u32().map_err(|why| Unavailable::new("there are no random numbers", why))?;
    Ok(u16::try_from(random % u32::from(u16::MAX)).unwrap_or_default())
}
