//! The packages to choose from: every package of every catalog.

use web_sys::HtmlInputElement;
use workspace::view::words::count;
use workspace::view::{CatalogView, ResolutionView};
use yew::prelude::*;

use super::show::Show;
use crate::{IconName, case, views::rove};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct PackagesProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn Packages(props: &PackagesProps) -> Html {
    let show = &props.show;
    let filter = use_state_eq(String::new);
    let oninput = {
        let filter = filter.setter();
        Callback::from(move |event: InputEvent| {
            filter.set(event.target_unchecked_into::<HtmlInputElement>().value())
        })
    };
    let catalogs = &show.view.catalogs;
    let found: usize = catalogs.iter().map(|it| kept(it, &filter).len()).sum();
    html! {
        <>
            <div class="pane-bar">
                <label class="pane-search versions-search">
                    { IconName::Search.html() }
                    <input type="search" placeholder="Find a package" aria-label="Find a package"
                        value={(*filter).clone()} {oninput} spellcheck="false" autocomplete="off" />
                </label>
                <span class="pane-hits muted" role="status">{ count(found, "package") }</span>
            </div>
            <div class="pane-scroll versions-packages" onkeydown={Callback::from(walk)}>
                if catalogs.is_empty() { <p class="pane-note">{ "There is no catalog. Drop one, and its packages are listed here." }</p> }
                if found == 0 && !catalogs.is_empty() { <p class="pane-note">{ "No package matches." }</p> }
                { for catalogs.iter().map(|it| catalog(show, it, &filter)) }
            </div>
        </>
    }
}

/// The packages whose name holds every word.
fn kept<'a>(catalog: &'a CatalogView, filter: &str) -> Vec<&'a str> {
    let words: Vec<String> = filter.split_whitespace().map(case::lower).collect();
    let holds = |name: &&str| words.iter().all(|word| case::lower(name).contains(word.as_str()));
    catalog.packages.iter().map(String::as_str).filter(holds).collect()
}

fn catalog(show: &Show, catalog: &CatalogView, filter: &str) -> Html {
    let names = kept(catalog, filter);
    if names.is_empty() {
        return Html::default();
    }
    let priority = (catalog.priority != 0).then(|| format!(" · priority {}", catalog.priority));
    html! {
        <section key={catalog.name.clone()} class="versions-catalog">
            <h3 class="versions-title">{ IconName::Versions.html() }<span>{ &catalog.name }</span>
                <span class="count">{ format!("{}, {}", count(catalog.packages.len(), "package"), count(catalog.bundles, "bundle")) }
                    { priority.unwrap_or_default() }</span></h3>
            <ul>{ for names.into_iter().map(|name| package(show, name)) }</ul>
        </section>
    }
}

fn package(show: &Show, name: &str) -> Html {
    html! {
        <li key={name.to_owned()}>
            <button type="button" class="versions-open" onclick={show.opens(name)}>
                <span class="versions-package">{ name.to_owned() }</span>
                <span class="versions-from">{ said(&show.view, name) }</span>
            </button>
        </li>
    }
}

/// `2.1.0 chosen`, `asked for`; nothing for most.
fn said(view: &ResolutionView, name: &str) -> String {
    let chosen = view.selection.iter().find(|it| it.package == name);
    let requested = view.requirements.iter().any(|it| it.package == name);
    match (chosen, requested) {
        (Some(chosen), _) => format!("✓ {} chosen", chosen.version),
        (None, true) => "requested".into(),
        (None, false) => String::new(),
    }
}

/// Up, Down, Home and End go from package to package.
fn walk(event: KeyboardEvent) {
    rove::by_key(&event, ".versions-packages", ".versions-open");
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, kept, said};

    #[test]
    fn all_words_count_wherever_they_stand() {
        let view = fixture::solved();
        let catalog = &view.catalogs[0];
        assert_eq!(kept(catalog, ""), ["cache", "console", "queue"]);
        assert_eq!(kept(catalog, "CON so"), ["console"]);
        assert!(kept(catalog, "nothing").is_empty());
    }

    #[test]
    fn a_package_says_what_became_of_it() {
        assert_eq!(said(&fixture::solved(), "queue"), "✓ 2.1.0 chosen");
        assert_eq!(said(&fixture::solved(), "cache"), "");
        assert_eq!(said(&fixture::unsolvable(), "console"), "requested");
    }
}
