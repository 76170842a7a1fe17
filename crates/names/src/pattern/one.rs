use std::{fmt, sync::Arc};

use super::{diagnose::diagnose, split::Split};
use crate::{MAX_NAME, Name, NameError, PatternError, Segment};

/// The form of the names of a kind: `projects/{project}/secrets/{secret}`.
///
/// Cheap to clone. Patterns with equal segments are equal.
#[derive(Clone)]
pub struct Pattern(Arc<Parts>);

struct Parts {
    segments: Box<[Segment]>,
    text: Box<str>,
    split: Split,
    parent: Option<Pattern>,
}

impl Pattern {
    /// # Errors
    ///
    /// If there is no segment, a collection or a variable is not a word, or two variables are equal.
    pub fn new(segments: Vec<Segment>) -> Result<Self, PatternError> {
        let mut segments = segments.into_iter();
        let first = Self::below(None, segments.next().ok_or(PatternError::Empty)?)?;
        segments.try_fold(first, |above, segment| above.child(segment))
    }

    /// A pattern from its text, `projects/{project}/secrets/{secret}`, with the id patterns that the function returns for
    /// the variables.
    ///
    /// # Errors
    ///
    /// If the text is not a list of `collection/{variable}`, and as [`Pattern::new`].
    pub fn of_text(text: &str, mut id: impl FnMut(&str) -> crate::IdPattern) -> Result<Self, PatternError> {
        let mut parts = text.split('/');
        let mut segments = Vec::new();
        while let Some(collection) = parts.next() {
            let variable = parts.next().and_then(|it| it.strip_prefix('{')?.strip_suffix('}'));
            let variable = variable.ok_or_else(|| PatternError::Text(text.into()))?;
            segments.push(Segment::new(collection, variable, id(variable)));
        }
        Self::new(segments)
    }

    /// The pattern of what is contained in resources of this pattern, which it shares.
    ///
    /// # Errors
    ///
    /// As [`Pattern::new`].
    pub fn child(&self, segment: Segment) -> Result<Self, PatternError> {
        Self::below(Some(self.clone()), segment)
    }

    /// All but its last segment: the pattern of parent names, scope attributes included. `None` if there is one segment.
    pub fn parent(&self) -> Option<Self> {
        self.0.parent.clone()
    }

    /// Its collections and ids in order; at least one.
    pub fn segments(&self) -> &[Segment] {
        &self.0.segments
    }

    /// `projects/{project}/secrets/{secret}`
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The regular expression that Goten generates for it, in Go's syntax: each id is the group `VARIABLE_id`.
    pub fn regex_text(&self) -> String {
        format!("^{}$", joined(self.segments().iter().map(Segment::regex_text)))
    }

    /// The pattern in paths of HTTP rules: `projects/*/secrets/*`.
    pub fn http(&self) -> String {
        joined(self.segments().iter().map(|it| format!("{}/*", it.collection)))
    }

    /// The first segment other than the last whose ids can have a `/`. Segments below it are found by the longest id that
    /// matches, so that two names can be written alike; worth a warning.
    pub fn slash_above(&self) -> Option<&Segment> {
        let (_, above) = self.segments().split_last()?;
        above.iter().find(|it| it.id.allows_slash())
    }

    /// True if both have the same collections, so that a name of one can be one of the other.
    pub fn has_collections_of(&self, other: &Self) -> bool {
        self.segments().iter().map(|it| &it.collection).eq(other.segments().iter().map(|it| &it.collection))
    }

    /// The name that a text is, if it follows the pattern. Ids may be the wildcard `-`.
    pub fn parse(&self, text: &str) -> Option<Name> {
        if text.len() > MAX_NAME {
            return None;
        }
        let ends = self.0.split.ends(self.segments(), text)?;
        Some(Name::from_parts(self.clone(), text, ends))
    }

    /// As [`Pattern::parse`], but always by the regular expression: what the quick way is compared with.
    #[doc(hidden)]
    pub fn parse_by_engine(&self, text: &str) -> Option<Name> {
        let ends = Split::by_regex(self.segments()).ok()?.ends(self.segments(), text)?;
        Some(Name::from_parts(self.clone(), text, ends))
    }

    /// The name with these ids, which may be wildcards.
    ///
    /// # Errors
    ///
    /// If there are not as many ids as segments, one of them does not match, or the name would be read with other ids
    /// because some contain `/`. So what this returns is equal to what [`Pattern::parse`] returns for its text.
    pub fn name<T: AsRef<str>>(&self, ids: &[T]) -> Result<Name, NameError> {
        if ids.len() != self.segments().len() {
            return Err(NameError::id_count(self, ids.len()));
        }
        let pairs = self.segments().iter().zip(ids);
        let text = joined(pairs.map(|(segment, id)| format!("{}/{}", segment.collection, id.as_ref())));
        let name = self.parse(&text).ok_or_else(|| self.refused(ids, &text))?;
        match name.ids().eq(ids.iter().map(AsRef::as_ref)) {
            true => Ok(name),
            false => Err(NameError::ambiguous(&name)),
        }
    }

    fn refused<T: AsRef<str>>(&self, ids: &[T], text: &str) -> NameError {
        let mut at = 0;
        for (segment, id) in self.segments().iter().zip(ids) {
            at += segment.collection.len() + 1;
            if !segment.admits(id.as_ref()) {
                return NameError::id(self, segment, id.as_ref(), at);
            }
            at += id.as_ref().len() + 1;
        }
        diagnose([self], text)
    }

    fn below(parent: Option<Self>, segment: Segment) -> Result<Self, PatternError> {
        let above = parent.as_ref().map_or(&[][..], Self::segments);
        check(above, &segment)?;
        let text = joined(parent.iter().map(|it| it.text().to_owned()).chain([segment.to_string()])).into();
        let segments: Box<[Segment]> = above.iter().cloned().chain([segment]).collect();
        let split = Split::of(&segments)?;
        Ok(Self(Arc::new(Parts { segments, text, split, parent })))
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join("/")
}

fn check(above: &[Segment], Segment { collection, variable, .. }: &Segment) -> Result<(), PatternError> {
    if !is_word(collection, "_-") {
        return Err(PatternError::Collection(collection.clone()));
    } else if !is_word(variable, "_") {
        return Err(PatternError::Variable(variable.clone()));
    } else if above.iter().any(|it| it.variable == *variable) {
        return Err(PatternError::DuplicateVariable(variable.clone()));
    }
    Ok(())
}

fn is_word(text: &str, marks: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.chars().all(|it| it.is_ascii_alphanumeric() || marks.contains(it))
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.text())
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Pattern").field(&self.text()).finish()
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.segments() == other.segments()
    }
}

impl Eq for Pattern {}
