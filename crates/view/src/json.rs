//! The JSON text of large views. The functions are not generic, so that their code is made in this crate, which a profile
//! optimises for speed; the text is that of `serde_json`.

use serde::Serialize;

use crate::{LayoutView, MergeView, PlanView};

impl MergeView {
    /// The view as JSON text.
    pub fn to_json(&self) -> String {
        text(self)
    }
}

impl LayoutView {
    /// The view as JSON text.
    pub fn to_json(&self) -> String {
        text(self)
    }
}

impl PlanView {
    /// The view as JSON text.
    pub fn to_json(&self) -> String {
        text(self)
    }

    /// The JSON text of a plan whose digest is empty and that has no diagnostics, with a digest and, as JSON, diagnostics.
    pub fn complete_json(text: &str, digest: &str, diagnostics: &str) -> String {
        const DIGEST: &str = "\"digest\":\"";
        const NO_DIAGNOSTICS: &str = "[]}";
        // Text in JSON has no quote without a backslash, so the first one is the field.
        let at = text.find(DIGEST).map_or(text.len(), |at| at + DIGEST.len());
        let (head, tail) = text.split_at(at);
        let tail = tail.strip_suffix(NO_DIAGNOSTICS).unwrap_or(tail);
        [head, digest, tail, diagnostics, "}"].concat()
    }
}

/// Views have texts as keys only, so nothing can fail.
fn text(view: &impl Serialize) -> String {
    serde_json::to_string(view).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::{KnockOn, PlanMode, PlanView, SummaryView};

    #[test]
    fn a_plan_is_completed_as_it_would_be_written() {
        let mut plan = PlanView {
            format: "planloom.plan/1".into(),
            mode: PlanMode::Apply,
            deployment: "a \"digest\":\"\" []}".into(),
            serial: 1,
            digest: String::new(),
            knock_on: KnockOn::Values,
            actions: Vec::new(),
            summary: SummaryView::default(),
            diagnostics: Vec::new(),
        };
        let text = plan.to_json();
        plan.digest = "sha256:0a".into();
        assert_eq!(PlanView::complete_json(&text, "sha256:0a", "[]"), plan.to_json());
    }
}
