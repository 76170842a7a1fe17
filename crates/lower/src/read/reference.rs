//! Texts that refer to other values.

use std::sync::Arc;

use diag::{Diagnostic, Span, nearest};
use model::{Data, Expression, Part, Pointer, Reference, Value};
use syntax::Node;

use super::{
    Reader,
    name::{is_plain_key, unknown_name},
    written,
};
use crate::{
    codes,
    declare::{Accessor, WrittenReference},
    linking::VALUES,
    spans::spans,
    template::{Piece, Step, TemplateError, split},
};

impl Reader<'_, '_> {
    pub(super) fn may_refer(&self, text: &str) -> bool {
        !self.is_literal && text.contains("${")
    }

    /// Like [`Self::template`], but returns a value even if there are errors.
    pub(super) fn any_template(&mut self, node: &Node, text: &Arc<str>) -> Value {
        self.template(node, text).unwrap_or_else(|value| value)
    }

    /// Text with `${`: an expression if there are references, text if there are only escapes. `Err` contains
    /// the text as it is written, if there are errors.
    pub(super) fn template(&mut self, node: &Node, text: &Arc<str>) -> Result<Value, Value> {
        let pointer = self.pointer();
        let templates = &mut self.declarations.items[self.item].templates;
        Arc::make_mut(templates).insert(pointer.clone(), Arc::clone(text));
        let pieces = match split(text) {
            Ok(pieces) => pieces,
            Err(error) => {
                self.bad_template(node, text, error);
                return Err(written(Data::String(Arc::clone(text)), node.span));
            }
        };
        let mut spans = self.reference_spans(node, text, &pieces).into_iter();
        let mut parts = Vec::with_capacity(pieces.len());
        let mut whole = true;
        for piece in pieces {
            match piece {
                Piece::Text(text) => parts.push(Part::Text(text.into())),
                Piece::Reference { text, path, .. } => {
                    let span = spans.next().unwrap_or(node.span);
                    match self.reference(text, path, span, &pointer) {
                        Some(reference) => parts.push(Part::Reference(reference)),
                        None => whole = false,
                    }
                }
                Piece::Accessor { text, .. } => {
                    let span = spans.next().unwrap_or(node.span);
                    match self.accessor(text, span) {
                        Some(reference) => parts.push(Part::Reference(reference)),
                        None => whole = false,
                    }
                }
            }
        }
        let data = match &parts[..] {
            _ if !whole => return Err(written(Data::String(Arc::clone(text)), node.span)),
            [Part::Text(text)] => Data::String(Arc::clone(text)),
            _ => Data::Unknown(Expression { parts }),
        };
        Ok(written(data, node.span))
    }

    /// The bytes of each reference of a text.
    pub(super) fn reference_spans(&self, node: &Node, text: &str, pieces: &[Piece<'_>]) -> Vec<Span> {
        let places = pieces.iter().filter_map(|piece| match piece {
            Piece::Reference { text, start, .. } | Piece::Accessor { text, start } => {
                Some(*start..*start + text.len() + "${}".len())
            }
            Piece::Text(_) => None,
        });
        spans(self.sources, node, text, &places.collect::<Vec<_>>())
    }

    pub(super) fn bad_template(&mut self, node: &Node, text: &str, error: TemplateError) {
        let (start, message) = match error {
            TemplateError::Unclosed(start) => (start, "a reference is not closed".to_owned()),
            TemplateError::Empty(start) => (start, "a reference names nothing".to_owned()),
            TemplateError::NotAPath(start) => (start, "this is not a path to a value".to_owned()),
        };
        let shown = text[start..].chars().take_while(|c| !matches!(c, '}' | '\n')).take(40);
        let end = start + shown.map(char::len_utf8).sum::<usize>();
        let span =
            spans(self.sources, node, text, std::slice::from_ref(&(start..end))).pop().unwrap_or(node.span);
        let mut diagnostic = Diagnostic::error(codes::BAD_REFERENCE, span, message)
            .help("write a path such as `${services.db.network_node.ip}`; for a literal `${` write `$${`");
        if self.takes_text && self.sources.text(span).starts_with("${") {
            diagnostic = diagnostic.replace("Write `$${`", Span::at(span.file, span.start), "$");
        }
        self.declarations.diagnostics.push(diagnostic);
    }

    /// The item a reference names; `None` if it is unknown, which is reported.
    pub(super) fn reference(
        &mut self,
        text: &str,
        path: Vec<Step>,
        span: Span,
        pointer: &Pointer,
    ) -> Option<Reference> {
        let mut steps = path.into_iter();
        let Some(Step::Key(root)) = steps.next() else { return None };
        if self.is_own_link(&root) {
            let steps = std::iter::once(Step::Key(root)).chain(steps).collect();
            return Some(self.own(steps, text, span, pointer));
        }
        let Some(definition) = self.declarations.types.collection(&root) else {
            self.unknown_root(text, &root, span);
            return None;
        };
        let name = if definition.singleton {
            Arc::clone(&definition.collection)
        } else {
            match steps.next() {
                Some(Step::Key(name)) => name,
                _ => {
                    let message = format!("`{root}` is a map of {}s, not a value", definition.kind);
                    let help = format!("name one of them and a field, e.g. `${{{root}.NAME.FIELD}}`");
                    self.report(Diagnostic::error(codes::BAD_REFERENCE, span, message).help(help));
                    return None;
                }
            }
        };
        let Some(target) = self.declarations.find(&definition.kind, &name) else {
            self.unknown_name(&definition.kind, &name, text, span);
            return None;
        };
        let mut path: Vec<Step> = steps.collect();
        let instance = match path.first() {
            Some(Step::Index(index)) => Some(*index as u32),
            _ => None,
        };
        path.drain(..usize::from(instance.is_some()));
        let to = self.declarations.address(target);
        self.declarations.add_use(span, target);
        let written = WrittenReference {
            pointer: pointer.clone(),
            target,
            instance,
            path: path.clone(),
            span,
            is_own_link: false,
        };
        self.declarations.items[self.item].references.push(written);
        let to = instance.map_or(to.clone(), |n| to.instance(n));
        Some(Reference { to, path, text: text.trim().into(), span, sensitive: false })
    }

    /// True if a reference begins with the field that holds the contents of this item's links.
    fn is_own_link(&self, root: &str) -> bool {
        let definition = self.declarations.definition(self.item);
        definition.links.as_ref().is_some_and(|it| *it.contents == *root)
    }

    /// A reference to a place of this item itself.
    fn own(&mut self, path: Vec<Step>, text: &str, span: Span, pointer: &Pointer) -> Reference {
        let (target, pointer) = (self.item, pointer.clone());
        let written =
            WrittenReference { pointer, target, instance: None, path: path.clone(), span, is_own_link: true };
        self.declarations.items[self.item].references.push(written);
        let to = self.declarations.address(target);
        Reference { to, path, text: text.trim().into(), span, sensitive: false }
    }

    /// An expression over the contents of this item's links. Its value is added to these once it is known, so
    /// it becomes a reference to that place.
    fn accessor(&mut self, text: &str, span: Span) -> Option<Reference> {
        self.has_accessors = true;
        let Some(contents) = self.declarations.definition(self.item).links.as_ref().map(|it| &it.contents)
        else {
            self.no_links(span);
            return None;
        };
        let Some(reader) = self.declarations.accessors else {
            self.declarations.unread_accessor.get_or_insert(span);
            return None;
        };
        let expression = match reader.read(text) {
            Ok(expression) => expression,
            Err(error) => {
                self.report(Diagnostic::error(codes::BAD_REFERENCE, span, error.message).help(error.help));
                return None;
            }
        };
        let accessors = &mut self.declarations.items[self.item].accessors;
        accessors.push(Accessor { expression, span });
        let path =
            vec![Step::Key(contents.clone()), Step::Key(VALUES.into()), Step::Index(accessors.len() - 1)];
        let to = self.declarations.address(self.item);
        Some(Reference { to, path, text: text.trim().into(), span, sensitive: false })
    }

    fn no_links(&mut self, span: Span) {
        let definition = self.declarations.definition(self.item);
        let message = format!("a {} has no links of its own to refer to", definition.kind);
        let holder = self.declarations.types.kinds.iter().find(|it| it.links.is_some());
        let holder = holder.map_or("resource", |it| &it.kind);
        let help = format!("refer to them in the {holder} that consumes them");
        self.report(Diagnostic::error(codes::UNKNOWN_ROOT, span, message).help(help));
    }

    pub(super) fn unknown_root(&mut self, text: &str, root: &str, span: Span) {
        let kinds = &self.declarations.types.kinds;
        if kinds.iter().any(|it| it.links.as_ref().is_some_and(|it| *it.contents == *root)) {
            return self.no_links(span);
        }
        let known: Vec<&str> = kinds.iter().map(|it| &*it.collection).collect();
        let message = format!("unknown root `{root}` in a reference");
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_ROOT, span, message);
        let likely = nearest(root, known.iter().copied());
        if let (Some(likely), Some(rest)) = (likely, text.trim().strip_prefix(root)) {
            let renamed = format!("${{{likely}{rest}}}");
            diagnostic = reference_fix(diagnostic, format!("Rename to `{likely}`"), span, text, renamed);
        }
        let known = known.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        let help = format!("a reference begins with {known}");
        if !self.takes_text {
            return self.report(diagnostic.help(help));
        }
        let literal = format!("$${{{text}}}");
        let diagnostic = diagnostic.help(format!("{help}; for the literal text write `{literal}`"));
        self.report(reference_fix(diagnostic, format!("Write `{literal}`"), span, text, literal));
    }

    /// Reports that the name in a reference is unknown.
    pub(super) fn unknown_name(&mut self, kind: &str, name: &str, text: &str, span: Span) {
        let (mut diagnostic, likely) = unknown_name(self.declarations, kind, name, span);
        if let Some(likely) = likely.filter(|it| is_plain_key(it) && text.matches(name).count() == 1) {
            let renamed = format!("${{{}}}", text.replace(name, &likely));
            diagnostic = reference_fix(diagnostic, format!("Change to `{likely}`"), span, text, renamed);
        }
        self.report(diagnostic);
    }
}

/// A span can only be replaced if it is exactly the reference; escapes in the text may shift its bytes.
pub(crate) fn reference_fix(
    diagnostic: Diagnostic,
    title: String,
    span: Span,
    text: &str,
    new_text: String,
) -> Diagnostic {
    let is_exact = (span.end - span.start) as usize == text.len() + "${}".len();
    if is_exact { diagnostic.replace(title, span, new_text) } else { diagnostic }
}
