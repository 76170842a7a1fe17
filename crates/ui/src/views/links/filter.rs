use workspace::view::{LinkOutcome, LinkView};

use super::{model::Model, name};
use crate::case;

/// The filter of the links that are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// Words that all have to occur.
    pub(super) text: String,
    /// Only of this outcome.
    pub(super) only: Option<LinkOutcome>,
}

impl Filter {
    /// The links it keeps, in order.
    pub(super) fn keep(&self, model: &Model) -> Vec<usize> {
        let words: Vec<String> = self.text.split_whitespace().map(case::lower).collect();
        let keeps = |link: &LinkView| {
            self.only.is_none_or(|only| link.outcome == only)
                && (words.is_empty() || has_all(&said(link), &words))
        };
        let links = model.view.links.iter().enumerate();
        links.filter(|(_, link)| keeps(link)).map(|(at, _)| at).collect()
    }
}

fn has_all(text: &str, words: &[String]) -> bool {
    words.iter().all(|word| text.contains(word.as_str()))
}

/// Everything that a link can be found by.
fn said(link: &LinkView) -> String {
    let provider = link.provider.as_ref().map(|it| name::provider(it, &link.deployment)).unwrap_or_default();
    let words = [
        &link.deployment,
        &name::consumer(link),
        &link.link,
        &link.link_type,
        link.outcome.word(),
        &provider,
    ];
    case::lower(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    #[test]
    fn all_words_count_wherever_they_stand() {
        let model = fixture::small();
        let check = |text: &str, only: Option<LinkOutcome>, kept: &[usize]| {
            assert_eq!(Filter { text: text.into(), only }.keep(&model), kept, "{text} {only:?}");
        };
        check("", None, &[0, 1, 2, 3, 4]);
        check("WEB sql", None, &[0]);
        check("ambiguous", None, &[2]);
        check("db/mysql", None, &[0, 3]);
        check("", Some(LinkOutcome::Absent), &[4]);
        check("web", Some(LinkOutcome::Absent), &[]);
    }
}
