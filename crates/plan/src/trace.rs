use std::fmt::Write;

use model::Pointer;

/// The position of a walk through a value. It becomes a pointer only where one is needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace<'a>(Vec<Segment<'a>>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Segment<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Trace<'a> {
    pub(crate) fn enter(&mut self, segment: Segment<'a>) {
        self.0.push(segment);
    }

    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn pointer(&self) -> Pointer {
        let mut text = String::with_capacity(self.0.iter().map(Segment::room).sum());
        for segment in &self.0 {
            text.push('/');
            match segment {
                Segment::Key(key) if key.contains(['~', '/']) => {
                    text.push_str(&key.replace('~', "~0").replace('/', "~1"));
                }
                Segment::Key(key) => text.push_str(key),
                Segment::Index(digit @ 0..10) => text.push((b'0' + *digit as u8) as char),
                // Writing to a string does not fail.
                Segment::Index(index) => drop(write!(text, "{index}")),
            }
        }
        Pointer::parse(&text)
    }
}

impl Segment<'_> {
    fn room(&self) -> usize {
        match self {
            Self::Key(key) => 1 + key.len(),
            Self::Index(_) => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_becomes_the_pointer_of_its_steps() {
        let mut trace = Trace::default();
        assert!(trace.is_root() && trace.pointer() == Pointer::root());
        for segment in [Segment::Key("a/b~"), Segment::Index(12), Segment::Key(""), Segment::Key("x")] {
            trace.enter(segment);
        }
        assert_eq!(trace.pointer(), Pointer::root().key("a/b~").index(12).key("").key("x"));
        trace.leave();
        assert_eq!(trace.pointer().as_str(), "/a~1b~0/12/");
    }
}
