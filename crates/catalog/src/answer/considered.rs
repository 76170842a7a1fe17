use diag::{Span, order};
use resolve::{Budget, Choice, Hooks, Problem, Refusal, RuleKind, Solution, why};

use super::{Premise, chain, exclusions, selection::Demand, words};
use crate::{
    ConsideredCandidate, Fact, Profile, PropertyData,
    problem::{Candidate, CandidateFilter, Cause, Formulation},
};

/// The highest number of candidates of a choice that are listed.
const MOST: usize = 50;

/// A problem that was solved, with what is needed to explain the solution.
#[derive(Clone, Copy)]
pub(crate) struct Solved<'s> {
    pub(crate) problem: &'s Problem,
    pub(crate) solution: &'s Solution,
    pub(crate) hooks: &'s dyn Hooks,
    pub(crate) budget: &'s Budget,
}

/// The reason why this candidate was chosen: the preferred candidates, each with what ruled it out, then itself.
///
/// Candidates that do not match are included: for a requirement those outside of its range or channels, or
/// that no upgrade leads to; for a dependency on a package those outside of its range.
pub(crate) fn considered(
    of: &mut Formulation<'_>,
    solved: &Solved<'_>,
    number: u32,
    demands: &[Demand],
) -> Vec<ConsideredCandidate> {
    let taken = solved.taken(of, number);
    let Some(demand) = demands.iter().find(|it| taken.is_some_and(|of| it.is(&of))).or(demands.first())
    else {
        return vec![itself(of, number)];
    };
    let refusals = taken.map(|it| solved.refusals(&it)).unwrap_or_default();
    let cause = solved.problem.variables().get(demand.subject).map(|it| it.id.clone());
    let cause = cause.and_then(|id| of.cause(&id, demand.constraint).cloned());
    let mut all = match cause {
        Some(Cause::Offers(at)) => of_requirement(of, at, number),
        Some(Cause::Needs { candidate, property }) => of_need(of, candidate, property, number),
        _ => Vec::new(),
    };
    for refusal in &refusals {
        let id = &solved.problem.variables()[refusal.variable].id;
        if let Some(refused) = of.universe.number(id) {
            all.push((refused, refused_by(of, solved, refusal)));
        }
    }
    order::by_key(&mut all, |(it, _)| rank(of, number, *it));
    all.dedup_by_key(|(it, _)| *it);
    all.truncate(MOST);
    let reported = all.into_iter().map(|(it, facts)| one(of, it, facts));
    reported.chain([itself(of, number)]).collect()
}

/// Newer versions of the same package that are less preferred for other reasons come first.
fn rank(of: &Formulation<'_>, chosen: u32, it: u32) -> (bool, u32, u32) {
    let (it, chosen) = (of.universe.candidate(it), of.universe.candidate(chosen));
    let comes_later = it.package == chosen.package && it.place > chosen.place;
    (!comes_later, it.catalog_rank, it.place)
}

fn itself(of: &Formulation<'_>, number: u32) -> ConsideredCandidate {
    one(of, number, Vec::new())
}

fn one(of: &Formulation<'_>, number: u32, ruled_out_by: Vec<Fact>) -> ConsideredCandidate {
    let it = of.universe.candidate(number);
    ConsideredCandidate { id: it.id.clone(), version: it.version().into(), ruled_out_by, origin: it.origin() }
}

impl Solved<'_> {
    /// The choice that selected a candidate first.
    fn taken(&self, of: &Formulation<'_>, number: u32) -> Option<Choice> {
        let at = self.problem.position(&of.universe.candidate(number).id)?;
        self.solution.choices.iter().find(|it| it.variable == at && !it.was_chosen).copied()
    }

    /// The constraints that ruled out the preferred candidates of a choice; if there are very many, only those of the best.
    fn refusals(&self, choice: &Choice) -> Vec<Refusal> {
        if choice.candidate <= MOST {
            return why(self.problem, self.solution, choice, self.hooks, self.budget);
        }
        let mut short = *choice;
        short.candidate = MOST;
        let before = self.solution.choices.iter().take_while(|it| *it != choice).copied();
        let choices = before.chain([short]).collect();
        let solution = Solution { selected: self.solution.selected.clone(), choices };
        why(self.problem, &solution, &short, self.hooks, self.budget)
    }
}

/// The facts that rule a candidate out, given the earlier choices.
fn refused_by(of: &Formulation<'_>, solved: &Solved<'_>, refusal: &Refusal) -> Vec<Fact> {
    let mut facts = Vec::new();
    for at in &refusal.chosen {
        let id = &solved.problem.variables()[*at].id;
        let Some(number) = of.universe.number(id) else { continue };
        let it = of.universe.candidate(number);
        let text = format!("{} is chosen already", words::named(it)).into();
        facts.push(Fact { text, subject: id.clone(), kind: RuleKind::Mandatory, origin: it.origin() });
    }
    let premises = refusal.conflict.core.iter().filter_map(|it| Premise::of(of, solved.problem, *it));
    facts.extend(chain::facts(of, &premises.collect::<Vec<_>>()));
    facts
}

/// The bundles of the package that a requirement excludes and that are preferred to the chosen one, or newer.
fn of_requirement(of: &mut Formulation<'_>, at: u32, chosen: u32) -> Vec<(u32, Vec<Fact>)> {
    let request = of.universe.request;
    let Some(requirement) = request.requirements.get(at as usize) else { return Vec::new() };
    let filter = CandidateFilter::new(&mut of.universe, requirement);
    let numbers = of.universe.package(&requirement.package);
    let mut found = Vec::new();
    for number in numbers.iter().copied().filter(|it| *it != chosen) {
        let (it, best) = (of.universe.candidate(number), of.universe.candidate(chosen));
        let comes_first = it.place < best.place;
        if !comes_first && !is_newer(it, best) {
            continue;
        }
        let fact = match filter.excludes(it) {
            Some(exclusion) => Some(exclusions::fact(of, requirement, &[number], &exclusion)),
            None if !comes_first => later(of, it, best),
            None => None,
        };
        found.extend(fact.map(|it| (number, vec![it])));
    }
    found
}

fn is_newer(it: &Candidate<'_>, than: &Candidate<'_>) -> bool {
    it.package == than.package && it.bundle.version.precedence(&than.bundle.version).is_gt()
}

fn fact(it: &Candidate<'_>, text: String, origin: Option<Span>) -> Fact {
    Fact { text: text.into(), subject: it.id.clone(), kind: RuleKind::Dependency, origin }
}

/// The reason why a newer version is less preferred.
fn later(of: &Formulation<'_>, it: &Candidate<'_>, best: &Candidate<'_>) -> Option<Fact> {
    let version = it.version();
    if it.catalog != best.catalog {
        return Some(fact(
            it,
            format!("catalog {} is preferred to {}", best.catalog, it.catalog),
            it.origin(),
        ));
    }
    match of.universe.request.profile {
        Profile::V1 => {
            let deprecation = it.bundle.deprecated.as_ref().filter(|_| !best.is_deprecated())?;
            Some(fact(
                it,
                format!("{version} is deprecated: {}", deprecation.message),
                Some(deprecation.origin),
            ))
        }
        Profile::Phase0 | Profile::V0 if it.channel_rank != best.channel_rank => {
            let of_rank =
                |it: &Candidate<'_>| it.channels.first().map(|(_, it)| it.to_string()).unwrap_or_default();
            let text = format!("channel {} is preferred to {}", of_rank(best), of_rank(it));
            Some(fact(it, text, it.origin()))
        }
        Profile::Phase0 | Profile::V0 => Some(fact(
            it,
            format!("{} is closer to the head of channel {}", best.version(), best.channel),
            it.origin(),
        )),
    }
}

/// The bundles of a required package that are not in the range and are preferred to the chosen one, or newer.
fn of_need(of: &mut Formulation<'_>, needs: u32, property: u32, chosen: u32) -> Vec<(u32, Vec<Fact>)> {
    let property = of.universe.candidate(needs).bundle.properties.get(property as usize).cloned();
    let Some(property) = property else { return Vec::new() };
    let PropertyData::PackageRequired(required) = &property.data else { return Vec::new() };
    let who = words::named(of.universe.candidate(needs));
    let numbers = of.universe.package(&required.package);
    let mut found = Vec::new();
    for number in numbers.iter().copied().filter(|it| *it != chosen) {
        let (it, best) = (of.universe.candidate(number), of.universe.candidate(chosen));
        let (comes_first, is_in) = (it.place < best.place, required.range.contains(&it.bundle.version));
        let said = if !is_in && (comes_first || is_newer(it, best)) {
            let text = format!("{} is not in {}, which {who} needs", it.version(), required.range);
            Some(fact(it, text, Some(property.origin)))
        } else if is_in && !comes_first && is_newer(it, best) {
            later(of, it, best)
        } else {
            None
        };
        found.extend(said.map(|it| (number, vec![it])));
    }
    found
}
