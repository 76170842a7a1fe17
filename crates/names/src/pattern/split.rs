use regex_lite::{Regex, RegexBuilder};

use crate::{PatternError, Segment};

/// Bytes that the compiled expression of a name may take.
const MAX_COMPILED: usize = 16 << 20;

/// The way in which a text is split into the ids of a pattern: for each, the byte at which it ends.
///
/// The regular expression of the whole name decides. If at most one id can have a `/`, there is only one way in which it can
/// match, and the slashes before and after that id show it.
#[derive(Debug)]
pub(super) enum Split {
    /// By the slashes; what remains is the id of the segment with this index.
    Slashes(usize),
    /// By the expression; for each segment the index of its group.
    Regex(Regex, Box<[usize]>),
}

impl Split {
    pub(super) fn of(segments: &[Segment]) -> Result<Self, PatternError> {
        let mut with_slash =
            (0..).zip(segments).filter(|(_, it)| it.id.allows_slash()).map(|(index, _)| index);
        let rest = with_slash.next().unwrap_or(segments.len().saturating_sub(1));
        match with_slash.next().is_none() && segments.iter().all(|it| it.id.is_independent()) {
            true => Ok(Self::Slashes(rest)),
            false => Self::by_regex(segments),
        }
    }

    /// Groups of the ids' own patterns are counted, so those of the segments need no names.
    pub(super) fn by_regex(segments: &[Segment]) -> Result<Self, PatternError> {
        let mut groups = Vec::new();
        let mut next = 1;
        let mut text = String::new();
        for segment in segments {
            let (id, inner) = segment.id.for_engine();
            groups.push(next);
            next += inner + 1;
            let slash = if text.is_empty() { "" } else { "/" };
            text += &format!("{slash}{}/(-|{id})", segment.collection);
        }
        let regex = RegexBuilder::new(&format!("^{text}$")).size_limit(MAX_COMPILED).build();
        Ok(Self::Regex(regex.map_err(|_| PatternError::TooLarge)?, groups.into()))
    }

    /// `None` if the text is not a name of the pattern.
    pub(super) fn ends(&self, segments: &[Segment], text: &str) -> Option<Box<[u32]>> {
        match self {
            Self::Slashes(rest) => by_slashes(segments, *rest, text),
            Self::Regex(regex, groups) => {
                let found = regex.captures(text)?;
                groups.iter().map(|group| u32::try_from(found.get(*group)?.end()).ok()).collect()
            }
        }
    }
}

fn by_slashes(segments: &[Segment], rest: usize, text: &str) -> Option<Box<[u32]>> {
    let mut ends = vec![0; segments.len()];
    let (before, from) = segments.split_at_checked(rest)?;
    let (remaining, after) = from.split_first()?;
    let mut start = 0;
    for (segment, end) in before.iter().zip(&mut ends) {
        let tail = after_collection(segment, text.get(start..)?)?;
        let length = tail.find('/')?;
        admitted(segment, tail.get(..length)?)?;
        let stop = text.len() - tail.len() + length;
        *end = u32::try_from(stop).ok()?;
        start = stop + 1;
    }
    let mut stop = text.len();
    for (segment, end) in after.iter().zip(ends.iter_mut().skip(rest + 1)).rev() {
        let (head, id) = text.get(..stop)?.rsplit_once('/')?;
        admitted(segment, id)?;
        *end = u32::try_from(stop).ok()?;
        stop = head.strip_suffix(&*segment.collection)?.strip_suffix('/')?.len();
    }
    admitted(remaining, after_collection(remaining, text.get(start..stop)?)?)?;
    *ends.get_mut(rest)? = u32::try_from(stop).ok()?;
    Some(ends.into())
}

fn after_collection<'a>(segment: &Segment, text: &'a str) -> Option<&'a str> {
    text.strip_prefix(&*segment.collection)?.strip_prefix('/')
}

fn admitted(segment: &Segment, id: &str) -> Option<()> {
    segment.admits(id).then_some(())
}
