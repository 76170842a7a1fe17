//! Keeps secrets out of output.

use std::collections::BTreeSet;

use model::{Redactor, SHORTEST_CONTAINED};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use state::Marks;
use workspace::{File, view::PlanView};

/// Texts as they may be shown in excerpts: with `*` for secrets. Any of them may define kinds.
pub(crate) fn masked(texts: &[File]) -> Vec<File> {
    // It has all capabilities already.
    report::masked(texts, capabilities::workspace(), |_| {})
}

/// The kinds of the adapter that is in this program.
fn process_types() -> File {
    File { name: "process".into(), text: adapter_process::TYPES.into(), package: None }
}

/// The secrets of some descriptors, and the marks that replace them.
pub(crate) struct Secrets {
    /// The longest first: one may be part of another.
    texts: Vec<String>,
    /// Knows them in other forms, too.
    redactor: Redactor,
    marks: Marks,
}

impl Secrets {
    /// The secrets of descriptors, by the kinds of definition files and those of the adapter that is in this program: a
    /// user who forgot to name its kinds does not expect its secrets to be shown. `texts` are the descriptors, then the
    /// definitions.
    pub(crate) fn of(descriptors: Vec<File>, texts: &[File], marks: Marks) -> Self {
        let mut workspace = capabilities::workspace();
        workspace.set_types(texts.get(descriptors.len()..).unwrap_or_default().to_vec());
        workspace.set_files(descriptors);
        let mut found: BTreeSet<String> = workspace.secrets();
        workspace.add_types(vec![process_types()]);
        found.append(&mut workspace.secrets());
        Self::new(found.into_iter().collect(), marks)
    }

    fn new(mut texts: Vec<String>, marks: Marks) -> Self {
        texts.sort_by_key(|it| std::cmp::Reverse(it.len()));
        let mut redactor = Redactor::default();
        for text in &texts {
            redactor.add(text);
        }
        Self { texts, redactor, marks }
    }

    /// The salt that their marks begin with.
    pub(crate) fn salt(&self) -> &str {
        self.marks.salt()
    }

    /// The marks of all of them, in an order that says nothing about them.
    pub(crate) fn marks(&self) -> BTreeSet<String> {
        self.texts.iter().map(|it| self.marks.text(it)).collect()
    }

    /// A plan with marks wherever one of them stands.
    pub(crate) fn sealed(&self, mut plan: PlanView) -> PlanView {
        plan.deployment = self.text(&plan.deployment);
        for action in &mut plan.actions {
            if let Some(reason) = &mut action.reason {
                reason.sentence = self.text(&reason.sentence);
            }
            for change in &mut action.changes {
                for side in [&mut change.desired, &mut change.persisted, &mut change.observed] {
                    *side = self.value(side);
                }
            }
        }
        plan
    }

    fn value(&self, value: &Json) -> Json {
        match value {
            Json::String(text) if self.is_one(text) => self.mark(text),
            Json::String(text) => Json::String(self.text(text)),
            Json::Number(number) if self.is_one(&number.to_string()) => self.mark(&number.to_string()),
            Json::Array(items) => items.iter().map(|it| self.value(it)).collect(),
            Json::Object(map) => {
                let entries = map.iter().map(|(key, it)| (self.text(key), self.value(it)));
                Json::Object(entries.collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }

    fn is_one(&self, text: &str) -> bool {
        self.texts.iter().any(|it| it == text)
    }

    fn mark(&self, secret: &str) -> Json {
        json!({"$sensitive": self.marks.text(secret)})
    }

    fn text(&self, text: &str) -> String {
        let found = self.hidden().filter(|it| text.contains(*it)).collect::<Vec<_>>();
        let marked = found.iter().fold(text.to_owned(), |text, it| text.replace(*it, &self.marks.text(it)));
        self.redactor.text(&marked).into_owned()
    }

    fn hidden(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str).filter(|it| it.chars().count() >= SHORTEST_CONTAINED)
    }

    /// `sha256:` of texts without the secrets in them, or the first 16 bits of it where one cannot be taken out: the
    /// whole would confirm a guess.
    pub(crate) fn digest(&self, files: &[File]) -> String {
        let mut hash = Sha256::new();
        let mut found = BTreeSet::new();
        for file in files {
            let text = self.lines().fold(file.text.clone(), |text, line| {
                if text.contains(line) {
                    found.insert(line);
                }
                text.replace(line, "")
            });
            let length = (text.len() as u64).to_be_bytes();
            hash = hash.chain_update(&file.name).chain_update([0]).chain_update(length).chain_update(text);
        }
        let digest = protocol::hex(&hash.finalize());
        let is_clean = self.texts.iter().flat_map(|it| it.lines()).all(|it| found.contains(it.trim()));
        format!("sha256:{}", if is_clean { &digest } else { &digest[..4] })
    }

    /// A secret of several lines stands in a file with something before each.
    fn lines(&self) -> impl Iterator<Item = &str> {
        let lines = self.texts.iter().flat_map(|it| it.lines()).map(str::trim);
        lines.filter(|it| it.chars().count() >= SHORTEST_CONTAINED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(of: &[&str]) -> Secrets {
        Secrets::new(of.iter().map(|it| (*it).to_owned()).collect(), Marks::of("lineage"))
    }

    fn file(text: &str) -> [File; 1] {
        [File { name: "app.yaml".into(), text: text.into(), package: None }]
    }

    #[test]
    fn a_secret_becomes_a_mark_in_every_position() {
        let secrets = secrets(&["hunter2", "hunter2-longer", "no"]);
        let sealed =
            secrets.value(&json!({"a": "hunter2", "b": ["x hunter2-longer y", "no", "no way"], "c": 7}));
        let marks = Marks::of("lineage");
        assert_eq!(sealed["a"], json!({"$sensitive": marks.text("hunter2")}));
        assert_eq!(sealed["b"][0], format!("x {} y", marks.text("hunter2-longer")));
        assert_eq!(
            sealed["b"][1],
            json!({"$sensitive": marks.text("no")}),
            "what is short is hidden as a whole"
        );
        assert_eq!((&sealed["b"][2], &sealed["c"]), (&json!("no way"), &json!(7)));
        let encoded = secrets.value(&json!("in base64: aHVudGVyMg=="));
        assert_eq!(encoded, "in base64: ••••••g==");
    }

    #[test]
    fn a_digest_says_nothing_of_secrets() {
        let plain = secrets(&["hunter2"]);
        let digest = plain.digest(&file("a: hunter2\n"));
        assert_eq!(digest.len(), "sha256:".len() + 64);
        assert_eq!(
            secrets(&["hunter3"]).digest(&file("a: hunter3\n")),
            digest,
            "the marks tell that it changed"
        );
        assert_ne!(plain.digest(&file("b: hunter2\n")), digest);
        let lines = secrets(&["-- first\n-- second"]);
        assert_eq!(lines.digest(&file("a: |\n  -- first\n  -- second\n")).len(), "sha256:".len() + 64);
        for hard in [
            secrets(&["two\twords"]).digest(&file("a: \"two\\twords\"\n")),
            secrets(&["x"]).digest(&file("a: x")),
        ] {
            assert_eq!(hard.len(), "sha256:".len() + 4);
        }
    }
}
