use diag::{Diagnostics, Span};

use crate::{Constraint, Id, Rule, Variable, check, forms::Forms, names::Names, normal::Var};

/// Variables with constraints, in the order in which they were given; every variable that a constraint
/// mentions is among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    variables: Vec<Variable>,
    numbers: Names,
    states: Vec<State>,
    /// By constraint number.
    references: Vec<ConstraintRef>,
    forms: Forms,
}

/// The position of a constraint: the variable's index in its problem, and the constraint's index in the
/// variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintRef {
    /// The variable's index.
    pub variable: usize,
    /// The constraint's index.
    pub constraint: usize,
}

/// The state of a variable: whether it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is only mentioned by others.
    Mentioned,
    /// Its constraints are known; the first one has this number.
    Given(u32),
}

impl Problem {
    /// A problem of variables. All errors are reported: missing and repeated variables. The problem is usable
    /// nevertheless: of two with the same name the first is used, and missing ones cannot be selected.
    pub fn new(variables: Vec<Variable>) -> (Self, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let mut problem = Self::default();
        let numbers = problem.mention_all(&variables);
        if problem.variables.len() < variables.len() {
            check::duplicates(&variables, &mut diagnostics);
        }
        problem.give_all(numbers, variables);
        if problem.forms.has_repeats || problem.states.contains(&State::Mentioned) {
            check::mentions(&problem, &mut diagnostics);
        }
        problem.close();
        (problem, diagnostics)
    }

    /// A problem of variables that are checked elsewhere.
    pub(crate) fn unchecked(variables: Vec<Variable>) -> Self {
        let mut problem = Self::open(variables);
        problem.close();
        problem
    }

    /// Prohibits the variables that do not exist.
    fn close(&mut self) {
        let problem = self;
        for number in 0..problem.variables.len() {
            if problem.states[number] == State::Mentioned {
                let text = format!("{} is not among the variables", problem.variables[number].id);
                let prohibited = Constraint::new(Rule::Prohibited).text(text);
                problem.give(number as Var, vec![prohibited], None);
            }
        }
    }

    /// A problem that can be extended: mentioned variables may be added later.
    pub(crate) fn open(variables: Vec<Variable>) -> Self {
        let mut problem = Self::default();
        let numbers = problem.mention_all(&variables);
        problem.give_all(numbers, variables);
        problem
    }

    fn mention_all(&mut self, variables: &[Variable]) -> Vec<Var> {
        self.numbers.reserve(variables.len());
        self.variables.reserve(variables.len());
        variables.iter().map(|it| self.mention(&it.id)).collect()
    }

    /// Sets the constraints of variables; of two with the same number the first is used.
    fn give_all(&mut self, numbers: Vec<Var>, variables: Vec<Variable>) {
        for (number, variable) in numbers.into_iter().zip(variables) {
            if !self.is_given(number) {
                self.give(number, variable.constraints, variable.origin);
            }
        }
    }

    /// The variables, in order. In the problem of a lazy search, some may be included only because others
    /// mention them.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The index of a variable.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).map(|it| *it as usize)
    }

    /// The name of the variable that a constraint is stated on.
    ///
    /// # Panics
    /// If the reference is for another problem.
    pub fn subject(&self, at: ConstraintRef) -> &Id {
        &self.variables[at.variable].id
    }

    /// A constraint.
    ///
    /// # Panics
    /// If the reference is for another problem.
    pub fn constraint(&self, at: ConstraintRef) -> &Constraint {
        &self.variables[at.variable].constraints[at.constraint]
    }

    /// The sentence for a constraint.
    ///
    /// # Panics
    /// If the reference is for another problem.
    pub fn sentence(&self, at: ConstraintRef) -> String {
        self.constraint(at).sentence(self.subject(at))
    }

    /// All constraints, in order.
    pub fn constraints(&self) -> impl Iterator<Item = ConstraintRef> + '_ {
        self.variables.iter().enumerate().flat_map(|(variable, it)| {
            (0..it.constraints.len()).map(move |constraint| ConstraintRef { variable, constraint })
        })
    }

    /// The number of a variable, which is added if necessary.
    pub(crate) fn mention(&mut self, id: &Id) -> Var {
        if let Some(number) = self.numbers.get(id) {
            return *number;
        }
        let number = self.variables.len() as Var;
        self.numbers.insert(id.clone(), number);
        self.variables.push(Variable::new(id.clone(), []));
        self.states.push(State::Mentioned);
        number
    }

    /// Sets the constraints of a variable, unless it has them.
    pub(crate) fn add(&mut self, variable: Variable) -> Option<Var> {
        let number = self.mention(&variable.id);
        let is_new = !self.is_given(number);
        is_new.then(|| {
            self.give(number, variable.constraints, variable.origin);
            number
        })
    }

    fn give(&mut self, number: Var, constraints: Vec<Constraint>, origin: Option<Span>) {
        self.states[number as usize] = State::Given(self.references.len() as u32);
        for (constraint, it) in constraints.iter().enumerate() {
            self.references.push(ConstraintRef { variable: number as usize, constraint });
            let mut forms = std::mem::take(&mut self.forms);
            forms.add(number, &it.rule, &mut |id| self.mention(id));
            self.forms = forms;
        }
        let variable = &mut self.variables[number as usize];
        variable.constraints = constraints;
        variable.origin = origin;
    }

    /// A copy with other constraints for some variables.
    pub(crate) fn with(&self, changes: &[(usize, Vec<Constraint>)]) -> Self {
        let mut changed = Self::default();
        self.variables.iter().for_each(|it| {
            changed.mention(&it.id);
        });
        for (at, variable) in self.variables.iter().enumerate() {
            let change = changes.iter().find(|(changed, _)| *changed == at).map(|(_, it)| it);
            if self.is_given(at as Var) || change.is_some() {
                let constraints = change.unwrap_or(&variable.constraints).clone();
                changed.give(at as Var, constraints, variable.origin);
            }
        }
        changed
    }

    /// True if its constraints are known.
    pub(crate) fn is_given(&self, number: Var) -> bool {
        self.states[number as usize] != State::Mentioned
    }

    /// The numbers of a variable's constraints.
    pub(crate) fn numbers_of(&self, number: Var) -> std::ops::Range<u32> {
        match self.states[number as usize] {
            State::Mentioned => 0..0,
            State::Given(first) => first..first + self.variables[number as usize].constraints.len() as u32,
        }
    }

    /// The normal forms of the constraints.
    pub(crate) const fn forms(&self) -> &Forms {
        &self.forms
    }

    /// True if a constraint holds if these variables are selected and no others.
    pub(crate) fn holds(&self, constraint: u32, is_selected: &dyn Fn(Var) -> bool) -> bool {
        let subject = self.reference(constraint).variable as Var;
        self.forms.of(constraint).iter().all(|it| self.forms.holds(*it, subject, is_selected))
    }

    /// The number of constraints.
    pub(crate) const fn constraint_count(&self) -> u32 {
        self.forms.len()
    }

    /// The position of the constraint with a number.
    pub(crate) fn reference(&self, constraint: u32) -> ConstraintRef {
        self.references[constraint as usize]
    }

    /// The number of a constraint; `None` if the reference is for another problem.
    pub(crate) fn number(&self, at: ConstraintRef) -> Option<u32> {
        let mut numbers = match self.states.get(at.variable) {
            Some(_) => self.numbers_of(at.variable as Var),
            None => 0..0,
        };
        numbers.nth(at.constraint)
    }

    pub(crate) fn id(&self, number: Var) -> &Id {
        &self.variables[number as usize].id
    }
}
