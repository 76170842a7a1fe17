//! Packets of the service bus between daemons and services: a length of four bytes, and a message of protobuf.

use std::io;

use prost::{Message, Oneof};
use tokio::io::{AsyncRead, AsyncReadExt};

/// No packet is longer.
const LONGEST: u32 = 64 << 20;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Packet {
    #[prost(oneof = "Content", tags = "1, 2, 3, 4, 5, 6, 7, 14, 15")]
    pub(crate) content: Option<Content>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum Content {
    #[prost(message, tag = "1")]
    Hello(Hello),
    #[prost(message, tag = "2")]
    Register(Service),
    #[prost(message, tag = "3")]
    Registered(Code),
    #[prost(message, tag = "4")]
    Unregister(Service),
    #[prost(message, tag = "5")]
    Unregistered(Code),
    #[prost(message, tag = "6")]
    Request(Request),
    #[prost(message, tag = "7")]
    Reply(Reply),
    #[prost(message, tag = "14")]
    Ping(Empty),
    #[prost(message, tag = "15")]
    Pong(Empty),
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Hello {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, tag = "2")]
    pub(crate) version: String,
    #[prost(bytes = "vec", tag = "3")]
    pub(crate) instance: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Service {
    #[prost(string, tag = "1")]
    pub(crate) address: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Code {
    #[prost(int32, tag = "1")]
    pub(crate) code: i32,
    #[prost(string, tag = "2")]
    pub(crate) message: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Request {
    #[prost(string, tag = "1")]
    pub(crate) caller: String,
    #[prost(string, tag = "2")]
    pub(crate) address: String,
    #[prost(string, tag = "3")]
    pub(crate) id: String,
    #[prost(bytes = "vec", tag = "4")]
    pub(crate) data: Vec<u8>,
    #[prost(bool, tag = "5")]
    pub(crate) no_reply: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Reply {
    #[prost(string, tag = "1")]
    pub(crate) id: String,
    #[prost(int32, tag = "2")]
    pub(crate) code: i32,
    /// 0 for a whole reply or the last part of one, 1 for a part.
    #[prost(int32, tag = "3")]
    pub(crate) kind: i32,
    #[prost(bytes = "vec", tag = "4")]
    pub(crate) data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Empty {}

impl Packet {
    /// The bytes of the packet, with its length.
    pub(crate) fn bytes(content: Content) -> Vec<u8> {
        let packet = Self { content: Some(content) };
        let length = u32::try_from(packet.encoded_len()).unwrap_or(u32::MAX);
        let mut bytes = length.to_be_bytes().to_vec();
        bytes.extend(packet.encode_to_vec());
        bytes
    }

    /// Reads the next packet; nothing for one of a kind that is not used here.
    pub(crate) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Content>> {
        let length = stream.read_u32().await?;
        if length > LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length as usize];
        stream.read_exact(&mut bytes).await?;
        let packet = Self::decode(bytes.as_slice()).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(packet.content)
    }
}
