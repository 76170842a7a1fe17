use std::fmt::Write as _;

use diag::{Severity, Source};

use super::*;

/// What a catalog has, and what is said of it, one thing a line.
fn shown(texts: &[&str]) -> String {
    let sources: diag::Sources =
        texts.iter().enumerate().map(|(idx, text)| Source::new(format!("{idx}"), *text)).collect();
    let texts: Vec<_> =
        sources.iter().map(|(file, source)| CatalogText { file, text: &source.text }).collect();
    let (catalog, diagnostics) = read("test", &texts);
    let mut shown = String::new();
    for package in catalog.packages.values() {
        let _ = writeln!(
            shown,
            "package {} {:?} {}",
            package.name,
            package.default_channel,
            at(&sources, package.origin)
        );
        for channel in package.channels.values() {
            let _ = writeln!(shown, "  channel {} {}", channel.name, at(&sources, channel.origin));
            for entry in &channel.entries {
                let range = entry.skip_range.as_ref().map_or("", |it| &it.text);
                let replaces = entry.replaces.as_deref().unwrap_or("");
                let _ = writeln!(
                    shown,
                    "    {} <{replaces}> {:?} <{range}> {}",
                    entry.name,
                    entry.skips,
                    at(&sources, entry.origin)
                );
            }
        }
        for bundle in package.bundles.values() {
            let _ = writeln!(
                shown,
                "  bundle {} {} {} {}",
                bundle.name,
                bundle.version,
                bundle.image,
                at(&sources, bundle.origin)
            );
            for property in &bundle.properties {
                let _ = writeln!(shown, "    {} {}", data(&property.data), at(&sources, property.origin));
            }
        }
        if !package.unread.is_empty() {
            let _ = writeln!(shown, "  unread {:?}", package.unread);
        }
    }
    for found in diagnostics {
        let _ = writeln!(
            shown,
            "{} {} {}: {}",
            at(&sources, found.span.unwrap_or_default()),
            found.severity.as_str(),
            found.code,
            found.message
        );
    }
    shown
}

fn data(data: &crate::PropertyData) -> String {
    match data {
        crate::PropertyData::Other { kind, value } => format!("{kind} {}", value.kind_name()),
        other => format!("{other:?}").replace('\n', " "),
    }
}

fn at(sources: &diag::Sources, span: Span) -> String {
    let (file, from) =
        sources.locate(span).map_or_else(|| ("?".to_owned(), None), |(file, at)| (file.to_owned(), Some(at)));
    from.map_or(file.clone(), |from| format!("@{file}:{}:{}", from.line, from.column))
}
