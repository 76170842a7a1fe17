use std::pin::pin;

use bollard::{container::LogOutput, models::ContainerInspectResponse, query_parameters::LogsOptionsBuilder};

use model::Redactor;

use crate::{engine::Engine, image::next, labels::Labels};

/// The number of bytes before the end that are kept in addition, so that no secret is cut at the beginning of
/// the text.
const MARGIN: usize = 16 << 10;

/// The end of a text that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: Vec<u8>,
    most: usize,
}

impl Tail {
    pub(crate) const fn new(most: usize) -> Self {
        Self { bytes: Vec::new(), most }
    }

    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        let kept = self.most.saturating_add(MARGIN);
        if self.bytes.len() > kept.saturating_mul(2) {
            self.bytes.drain(..self.bytes.len() - kept);
        }
    }

    /// The end, without secrets.
    pub(crate) fn text(&self, secrets: &Redactor) -> String {
        let from = self.bytes.len().saturating_sub(self.most);
        // The rest of a character that was cut is not valid text.
        let is_rest = |byte: &&u8| from > 0 && (**byte & 0b1100_0000) == 0b1000_0000;
        let rest = self.bytes[from..].iter().take(3).take_while(is_rest).count();
        let (before, end) = self.bytes.split_at(from + rest);
        let (before, end) = (String::from_utf8_lossy(before), String::from_utf8_lossy(end));
        secrets.tail(&format!("{before}{end}"), before.len())
    }

    /// The last lines that are not empty, in one line, to append to a message, without secrets.
    pub(crate) fn last_lines(&self, secrets: &Redactor) -> String {
        let text = self.text(secrets);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        let from = lines.len().saturating_sub(8);
        if lines.is_empty() {
            " (it wrote nothing)".into()
        } else {
            format!("; last lines: {}", lines[from..].join(" | "))
        }
    }
}

impl Engine {
    /// The end of a container's output.
    pub(crate) async fn tail(&self, container: &str, most: usize) -> Tail {
        // The whole log is requested: if only its last lines are, Podman 4.3 loses the ends of some.
        let options = LogsOptionsBuilder::new().stdout(true).stderr(true).build();
        let mut stream = pin!(self.docker.logs(container, Some(options)));
        let mut tail = Tail::new(most);
        while let Some(Ok(piece)) = next(&mut stream).await {
            tail.add(LogOutput::as_ref(&piece));
        }
        tail
    }
}

/// The values that are hidden in a container's output.
pub(crate) fn secrets(container: &ContainerInspectResponse) -> Redactor {
    let config = container.config.as_ref();
    let names: Vec<&str> = Labels(config.and_then(|it| it.labels.as_ref())).secrets().collect();
    let env = config.and_then(|it| it.env.as_ref()).into_iter().flatten();
    let values = env.filter_map(|it| it.split_once('=')).filter(|(name, _)| names.contains(name));
    let mut secrets = Redactor::default();
    for (_, value) in values {
        secrets.add(value);
    }
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_has_whole_characters() {
        let mut tail = Tail::new(4);
        for piece in ["ab", "c", "é€"] {
            tail.add(piece.as_bytes());
        }
        assert_eq!(tail.text(&Redactor::default()), "€");
        assert_eq!(Tail::new(9).last_lines(&Redactor::default()), " (it wrote nothing)");
        let mut tail = Tail::new(9);
        tail.add(b"a\n\n b\n");
        assert_eq!(tail.last_lines(&Redactor::default()), "; last lines: a | b");
    }
}
