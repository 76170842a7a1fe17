//! A comparison as Markdown, for a pull request.

use std::rc::Rc;

use serde_json::Value as Json;
use workspace::view::{ComparisonView, ResourceDifferenceView, ValueDifferenceView};
use yew::prelude::*;

use crate::{
    IconName, dom,
    views::{plan::code, value},
};

/// The comparison as Markdown. Sensitive values are shown as dots.
pub fn markdown(found: &ComparisonView, before: &str, after: &str) -> String {
    let mut text = format!("### {} compared with {}\n\n", code(after), code(before));
    if found.resources.is_empty() {
        text.push_str("No resource differs.\n");
    }
    found.resources.iter().for_each(|it| text.push_str(&resource(it)));
    for edge in &found.edges {
        let words = format!("- {} {} needs {}\n", edge.change.symbol(), code(&edge.from), code(&edge.to));
        text.push_str(&words);
    }
    found.document.iter().for_each(|it| text.push_str(&line(it, "")));
    text
}

fn resource(of: &ResourceDifferenceView) -> String {
    let symbol = of.change.map_or("=", |it| it.symbol());
    let effect = of.action.map(|it| format!(" → **{}**", it.as_str())).unwrap_or_default();
    let reason = of.reason.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    let values: String = of.values.iter().map(|it| line(it, "  ")).collect();
    format!("- {symbol} {}{effect}{reason}\n{values}", code(&of.address))
}

fn line(of: &ValueDifferenceView, indent: &str) -> String {
    let shown = |value: &Json| match value {
        _ if of.sensitive => code(value::SECRET),
        Json::Null => "∅".into(),
        value => code(&value::flow(value)),
    };
    let origin = of.after_origin.as_ref().or(of.before_origin.as_ref());
    let at = origin.map(|it| format!(" ({}:{})", it.location.file, it.location.line)).unwrap_or_default();
    format!("{indent}- {}: {} → {}{at}\n", code(&of.path), shown(&of.before), shown(&of.after))
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct CopyMarkdownProps {
    pub(super) comparison: Rc<ComparisonView>,
    pub(super) before: AttrValue,
    pub(super) after: AttrValue,
}

/// The button that copies it, and shows whether that worked.
#[component]
pub(super) fn CopyMarkdown(props: &CopyMarkdownProps) -> Html {
    let said = use_state(|| None::<&'static str>);
    let onclick = {
        let (said, props) = (said.setter(), props.clone());
        Callback::from(move |_: MouseEvent| {
            let text = markdown(&props.comparison, &props.before, &props.after);
            let said = said.clone();
            dom::copy(&text, move |copied| {
                said.set(Some(if copied { "Copied" } else { "The browser does not allow copying" }));
            });
        })
    };
    html! {
        <>
            <button type="button" class="quiet-button" {onclick} title="Copy as Markdown">
                { IconName::Export.html() }<span>{ "Markdown" }</span></button>
            <span class="visually-hidden" role="status">{ said.unwrap_or_default() }</span>
        </>
    }
}

#[cfg(test)]
mod tests {
    use workspace::view::{Action, ComparisonView, ResourceDifferenceView, StateChange, ValueDifferenceView};

    use super::markdown;

    #[test]
    fn a_comparison_reads_as_a_list() {
        let value = ValueDifferenceView {
            path: "/payload/params/image_hash".into(),
            before: "s1".into(),
            after: "s2".into(),
            sensitive: false,
            forces_rebuild: true,
            before_origin: None,
            after_origin: None,
        };
        let resource = ResourceDifferenceView {
            address: "services.db".into(),
            previous_address: None,
            kind: "service".into(),
            change: Some(StateChange::Changed),
            action: Some(Action::Rebuild),
            reason: Some("its image is another one".into()),
            before: None,
            after: None,
            values: vec![value],
        };
        let found = ComparisonView { resources: vec![resource], ..ComparisonView::default() };
        assert_eq!(
            markdown(&found, "staging", "production"),
            "### `production` compared with `staging`\n\n\
             - ~ `services.db` → **rebuild**: its image is another one\n  \
             - `/payload/params/image_hash`: `s1` → `s2`\n"
        );
    }
}
