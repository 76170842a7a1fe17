use std::sync::Arc;

use model::Data;

use crate::{
    ByteRange, Problem, ProblemKind, Scope,
    machine::{Machine, Result},
    runtime_value::RuntimeValue,
    tree::{Node, Operator},
    write::{Form, MAX_TEXT, Writer},
};

use super::{
    Problems,
    statement::{Arm, Assignment, Condition, Each, Statement, Test},
};

/// The text that is shown for sensitive values.
const HIDDEN: &str = "••••••";

/// The number of problems after which a template is abandoned.
const MAX_PROBLEMS: usize = 100;

/// The output of statements, and the errors.
pub(super) fn run(template: &str, statements: &[Statement], scope: &Scope<'_>) -> (String, Vec<Problem>) {
    let mut run = Run {
        template,
        machine: Machine::new(*scope),
        text: String::new(),
        problems: Problems::default(),
        stopped: false,
    };
    run.all(statements);
    (run.text, run.problems.list)
}

struct Run<'a, 't> {
    template: &'t str,
    machine: Machine<'a>,
    text: String,
    problems: Problems,
    stopped: bool,
}

impl<'a> Run<'a, '_> {
    fn all(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.stopped {
                return;
            }
            if let Err(problem) = self.one(statement) {
                self.fail(problem);
            }
        }
    }

    /// Records a problem. The statements after it are run nevertheless, to report as many problems as there
    /// are.
    fn fail(&mut self, problem: Problem) {
        self.stopped |= matches!(problem.kind, ProblemKind::Limit | ProblemKind::Raised);
        self.problems.add(problem);
        self.stopped |= self.problems.list.len() >= MAX_PROBLEMS;
    }

    fn one(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Text(at) => self.write(self.template.get(at.start..at.end).unwrap_or_default(), *at),
            Statement::Output(node) => self.output(node),
            Statement::Assign(name, how, node) => self.assign(name, *how, node),
            Statement::Raise(at, message) => self.raise(*at, message.as_ref()),
            Statement::Evaluate(node) => self.machine.evaluate(node).map(drop),
            Statement::If(arms, other) => self.choose(arms, other),
            Statement::IfPresent(arms, other) => self.if_present(arms, other),
            Statement::Each(each) => self.each(each),
        }
    }

    fn write(&mut self, text: &str, at: ByteRange) -> Result<()> {
        self.machine.work(1, at)?;
        if self.text.len() + text.len() > MAX_TEXT {
            return Err(Problem::limit(at, "the filled in template is longer than 1 MiB"));
        }
        self.text.push_str(text);
        Ok(())
    }

    fn output(&mut self, node: &Node) -> Result<()> {
        let value = self.machine.evaluate(node)?;
        let mut writer = Writer::new(node.at);
        writer.runtime_value(&value, Form::Text)?;
        self.machine.work(writer.size() / 16, node.at)?;
        if writer.sensitive {
            return self.write(HIDDEN, node.at);
        }
        self.write(&writer.show(), node.at)
    }

    /// A value that cannot be computed is reported once; uses of the variable report the same again, which is
    /// dropped.
    fn assign(&mut self, name: &Arc<str>, how: Assignment, node: &Node) -> Result<()> {
        let value = self.assigned(name, how, node);
        let problem = value.as_ref().err().cloned();
        self.machine.assign(name, value);
        problem.map_or(Ok(()), Err)
    }

    fn assigned(&mut self, name: &str, how: Assignment, node: &Node) -> Result<RuntimeValue<'a>> {
        match how {
            Assignment::Set => self.machine.evaluate(node),
            Assignment::Add => {
                let (old, new) = (self.machine.variable(name)?, self.machine.evaluate(node)?);
                self.machine.operate(&old, Operator::Plus, &new, node.at)
            }
            Assignment::Default => {
                let old = self.machine.variable(name)?;
                if self.machine.is_taken(&old, node.at)? {
                    return Ok(old);
                }
                self.machine.evaluate(node).map(|it| it.tainted(old.sensitive))
            }
            Assignment::Append => {
                let new = self.machine.evaluate(node)?;
                self.machine.append(name, new, node.at)
            }
        }
    }

    fn raise(&mut self, at: ByteRange, message: Option<&Node>) -> Result<()> {
        let mut writer = Writer::new(at);
        match message {
            Some(message) => writer.runtime_value(&self.machine.evaluate(message)?, Form::Text)?,
            None => writer.text("the template raises an error")?,
        }
        let message = if writer.sensitive { HIDDEN.to_owned() } else { writer.show() };
        Err(Problem::new(at, ProblemKind::Raised, message))
    }

    fn choose(&mut self, arms: &[(Test, Vec<Statement>)], other: &[Statement]) -> Result<()> {
        for (test, body) in arms {
            if self.machine.truth(&test.node)? != test.negated {
                self.all(body);
                return Ok(());
            }
        }
        self.all(other);
        Ok(())
    }

    fn if_present(&mut self, arms: &[Arm], other: &[Statement]) -> Result<()> {
        for arm in arms {
            if let Some(found) = self.requested(arm)? {
                self.block(&arm.params, found, &arm.body);
                return Ok(());
            }
        }
        self.all(other);
        Ok(())
    }

    fn requested(&mut self, arm: &Arm) -> Result<Option<Vec<RuntimeValue<'a>>>> {
        match &arm.condition {
            Condition::Link => Ok(self.machine.link(&arm.args)?.map(|link| vec![link])),
            Condition::Properties(None) => self.machine.present(&self.machine.own_properties(), &arm.args),
            Condition::Properties(Some(of)) => {
                let of = self.machine.evaluate(of)?;
                let properties = self
                    .machine
                    .properties_for_if_p(&of, arm.args.first().map_or(ByteRange::new(0, 0), |it| it.at))?;
                self.machine.present(&properties, &arm.args)
            }
        }
    }

    fn block(&mut self, params: &[Arc<str>], given: Vec<RuntimeValue<'a>>, body: &[Statement]) {
        self.machine.enter();
        self.machine.bind(params, given);
        self.all(body);
        self.machine.leave();
    }

    fn each(&mut self, each: &Each) -> Result<()> {
        let list = self.machine.evaluate(&each.list)?;
        list.decide(each.list.at)?;
        if list.is_unknown() {
            return Err(Problem::unknown(each.list.at, "what is in this list"));
        }
        for (nth, item) in self.machine.items(&list, each.list.at)?.into_iter().enumerate() {
            self.machine.work(1, each.list.at)?;
            let mut given = vec![item];
            if each.indexed {
                given.push(self.machine.value(Data::Int(i64::try_from(nth).unwrap_or(i64::MAX))));
            }
            self.block(&each.params, given, &each.body);
            if self.stopped {
                break;
            }
        }
        Ok(())
    }
}
