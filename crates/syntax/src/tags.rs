use diag::{Diagnostic, Span};

use crate::names::Names;
use crate::report::Report;
use crate::schema::{PlainScalar, resolve};
use crate::{NodeData, Style, Tag, codes};

/// The meaning of a written tag.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tagged {
    pub(crate) tag: Tag,
    pub(crate) core: Option<CoreTag>,
}

/// A tag of the core schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoreTag {
    Str,
    Int,
    Float,
    Bool,
    Null,
    Seq,
    Map,
    /// `!`: text as it is, or whatever collection it is.
    NonSpecific,
}

/// The tags that say how a value is merged, as they are written.
const MERGE: [(&str, Tag); 2] = [("!reset", Tag::Reset), ("!override", Tag::Override)];

impl CoreTag {
    /// Those that have a name.
    const NAMED: [Self; 7] =
        [Self::Str, Self::Int, Self::Float, Self::Bool, Self::Null, Self::Seq, Self::Map];

    /// The tag as it is written, and the value that it requires; for `!`, those of text.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Str | Self::NonSpecific => ("!!str", "text"),
            Self::Int => ("!!int", "a whole number"),
            Self::Float => ("!!float", "a number"),
            Self::Bool => ("!!bool", "`true` or `false`"),
            Self::Null => ("!!null", "null"),
            Self::Seq => ("!!seq", "a list"),
            Self::Map => ("!!map", "a map"),
        }
    }
}

/// The prefix that `!!` stands for.
const CORE: &str = "tag:yaml.org,2002:";

/// Reads a tag that is written at `span`.
pub(crate) fn read(tag: &scanner::Tag, span: Span, report: &mut Report) -> Tagged {
    let full = format!("{}{}", tag.handle, tag.suffix);
    let core = full.strip_prefix(CORE).and_then(|suffix| {
        let named = |it: &CoreTag| it.words().0.strip_prefix("!!") == Some(suffix);
        CoreTag::NAMED.into_iter().find(named)
    });
    let merge = MERGE.iter().find(|(name, _)| *name == full);
    match (merge, core) {
        (Some((_, tag)), _) => Tagged { tag: *tag, core: None },
        (None, Some(core)) => Tagged { tag: Tag::None, core: Some(core) },
        (None, None) if full == "!" => Tagged { tag: Tag::None, core: Some(CoreTag::NonSpecific) },
        (None, None) => {
            report.push(unknown(&full, span));
            Tagged::default()
        }
    }
}

/// An unknown tag.
pub(crate) fn unknown(written: &str, span: Span) -> Diagnostic {
    let name = written.strip_prefix(CORE).map_or(written.to_owned(), |name| format!("!!{name}"));
    let found = Diagnostic::error(codes::UNKNOWN_TAG, span, format!("unknown tag `{name}`"));
    let known = || MERGE.iter().map(|it| it.0).chain(CoreTag::NAMED.iter().map(|it| it.words().0));
    let help = match diag::nearest(&name, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let merge = MERGE.map(|(name, _)| format!("`{name}`")).join(", ");
            format!(
                "remove it; the tags {merge} and the core ones such as `{}` are known",
                CoreTag::Str.words().0
            )
        }
    };
    // Whether a core tag fits what stands behind it is not known here; a merge tag always does.
    match diag::nearest(&name, known()).filter(|near| !near.starts_with("!!")) {
        // A tag does not end with a colon, a key does.
        _ if name.ends_with(':') => found.help(help),
        Some(near) => found.help(help).replace(format!("Change to `{near}`"), span, near),
        None => found.help(help).replace(format!("Remove `{name}`"), span, ""),
    }
}

/// The value of a scalar with a core tag.
pub(crate) fn scalar(
    core: CoreTag,
    text: &str,
    style: Style,
    span: Span,
    names: &mut Names,
    report: &mut Report,
) -> NodeData {
    let data = match (core, resolve(text)) {
        (CoreTag::Str | CoreTag::NonSpecific, _) => Some(NodeData::String(names.share(text), style)),
        (CoreTag::Int, PlainScalar::Int(int)) => Some(NodeData::Int(int)),
        (CoreTag::Float, PlainScalar::Int(int)) => Some(NodeData::Float(int as f64)),
        (CoreTag::Float, PlainScalar::Float(float) | PlainScalar::TooBig(float)) => {
            Some(NodeData::Float(float))
        }
        (CoreTag::Bool, PlainScalar::Bool(value)) => Some(NodeData::Bool(value)),
        (CoreTag::Null, PlainScalar::Null) => Some(NodeData::Null),
        _ => None,
    };
    data.unwrap_or_else(|| {
        report.push(mismatch(core, span));
        if text.is_empty() { NodeData::Null } else { NodeData::String(names.share(text), style) }
    })
}

/// Complains about a core tag that does not fit the collection it stands before.
pub(crate) fn check_collection(core: CoreTag, is_mapping: bool, span: Span, report: &mut Report) {
    let fits = core == CoreTag::NonSpecific || core == if is_mapping { CoreTag::Map } else { CoreTag::Seq };
    if !fits {
        report.push(mismatch(core, span));
    }
}

fn mismatch(core: CoreTag, span: Span) -> Diagnostic {
    let (tag, kind) = core.words();
    Diagnostic::error(codes::TAG_MISMATCH, span, format!("`{tag}` requires {kind}"))
        .help("remove the tag or change the value")
}
