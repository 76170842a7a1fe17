//! The owners that a change reaches.

use workspace::view::words::count;
use yew::prelude::*;

use super::owner_link;
use crate::views::links::{
    impact::{Reached, impact},
    model::Model,
    pick::Pick,
    show::Show,
};

/// The owners that break: the consumers, then those that they provide for.
pub(super) fn reach(show: &Show, providers: &[usize]) -> Html {
    let reached = impact(&show.model, providers);
    let (direct, further): (Vec<Reached>, Vec<Reached>) = reached.into_iter().partition(|it| it.steps == 0);
    html! {
        <>
            <p>{ sentence(&show.model, &direct, &further) }</p>
            { list(show, &direct) }
            if !further.is_empty() {
                <details class="links-further">
                    <summary>{ format!("Through them, {}", count(further.len(), "more owner")) }</summary>
                    { list(show, &further) }
                </details>
            }
        </>
    }
}

/// `2 consumers in web and db. Through them it can reach 1 more.`
fn sentence(model: &Model, direct: &[Reached], further: &[Reached]) -> String {
    let links: usize = direct.iter().map(|it| it.links.len()).sum();
    if links == 0 {
        return "None: it has no consumers.".into();
    }
    let first = match direct {
        [one] => format!("{} in {}.", count(links, "consumer"), model.owner_name(one.owner)),
        all => format!("{} in {} owners.", count(links, "consumer"), all.len()),
    };
    match further.len() {
        0 => first,
        more => format!("{first} Through them it can reach {more} more."),
    }
}

fn list(show: &Show, reached: &[Reached]) -> Html {
    html! { <ul class="links-names">{ for reached.iter().map(|it| entry(show, it)) }</ul> }
}

fn entry(show: &Show, it: &Reached) -> Html {
    let via = it.links.first().and_then(|at| show.model.provided_by(*at)).filter(|_| it.steps > 0);
    html! {
        <li>
            { owner_link(show, it.owner) }
            <span class="muted">{ "takes " }
                { for by_name(&show.model, &it.links).iter().enumerate().map(|(at, links)| taken(show, at, links)) }
                { via.map(|at| format!(" from {}", show.model.owner_name(at))) }</span>
        </li>
    }
}

/// Links by the names that their consumers give them.
fn by_name(model: &Model, links: &[usize]) -> Vec<Vec<usize>> {
    let name = |at: usize| model.link(at).map(|it| it.link.as_str());
    let mut all: Vec<Vec<usize>> = Vec::new();
    for link in links {
        match all.iter_mut().find(|it| it.first().is_some_and(|first| name(*first) == name(*link))) {
            Some(same) => same.push(*link),
            None => all.push(vec![*link]),
        }
    }
    all
}

fn taken(show: &Show, at: usize, links: &[usize]) -> Html {
    let Some(view) = links.first().and_then(|link| show.model.link(*link)) else { return Html::default() };
    let gap = if at == 0 { "" } else { ", " };
    let times = if links.len() > 1 { format!(" ×{}", links.len()) } else { String::new() };
    html! {
        <>{ gap }<button type="button" class="link" onclick={show.picks(Pick::of(links))}>
            { format!("{}{times}", view.link) }</button></>
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::fixture, *};

    #[test]
    fn a_sentence_says_how_far_it_goes() {
        let model = fixture::small();
        let said = |providers: &[usize]| {
            let (direct, further): (Vec<_>, Vec<_>) =
                impact(&model, providers).into_iter().partition(|it| it.steps == 0);
            sentence(&model, &direct, &further)
        };
        assert_eq!(said(&[0]), "2 consumers in 2 owners. Through them it can reach 1 more.");
        assert_eq!(said(&[1]), "1 consumer in router.");
        assert_eq!(said(&[2]), "None: it has no consumers.");
    }

    #[test]
    fn links_of_one_name_are_listed_once() {
        assert_eq!(by_name(&fixture::small(), &[0, 1, 3]), [vec![0, 3], vec![1]]);
    }
}
