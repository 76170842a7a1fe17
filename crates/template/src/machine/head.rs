use std::sync::Arc;

use model::{Data, Step};

use crate::{
    ByteRange, Problem, ProblemKind,
    placeholder::is_surely_text,
    runtime_value::{Role, RuntimeValue},
    tree::{Head, HeadName, Node},
};

use super::{Machine, Result, kind};

/// Names of requested properties.
pub(crate) type PropertyNames = Vec<Arc<str>>;

impl<'a> Machine<'a> {
    pub(super) fn head(&mut self, head: &Head, at: ByteRange) -> Result<RuntimeValue<'a>> {
        match head.name {
            HeadName::Link => self.link(&head.args)?.ok_or_else(|| self.no_link(&head.args, at)),
            HeadName::IfLink => match self.link(&head.args)? {
                None => Ok(self.absent()),
                Some(link) => match &head.block {
                    None => Ok(link),
                    Some(block) => self.apply(block, vec![link]),
                },
            },
            HeadName::P => self.property(&self.own_properties(), &head.args, at),
            HeadName::IfP => self.if_property(&self.own_properties(), &head.args, head.block.as_ref()),
            HeadName::Properties => Ok(self.own_properties()),
            HeadName::Spec => match self.scope.spec {
                Some(spec) => Ok(RuntimeValue::lent(spec).with_role(Role::Properties)),
                None => Err(Problem::unknown(at, "`spec`")),
            },
        }
    }

    pub(crate) fn own_properties(&self) -> RuntimeValue<'a> {
        match self.scope.properties {
            Some(value) => RuntimeValue::lent(value).with_role(Role::Properties),
            None => self.value(Data::Map(model::Map::new())).with_role(Role::Properties),
        }
    }

    /// The link whose name is the first argument; `None` if it is absent.
    pub(crate) fn link(&mut self, args: &[Node]) -> Result<Option<RuntimeValue<'a>>> {
        let Some(node) = args.first() else { return Ok(None) };
        let name = self.evaluate(node)?;
        name.decide(node.at)?;
        if name.is_unknown() {
            return Err(Problem::unknown(node.at, "the name of the link"));
        }
        let Data::String(name) = name.data() else {
            return Err(Problem::mismatch(
                node.at,
                format!("the name of a link is text, not {}", kind(&name)),
            ));
        };
        let links = &self.scope.links;
        let known = links.find_index(name).ok().and_then(|at| links.get_indexed(at));
        let present = known.filter(|(_, content)| !matches!(content.data, Data::Null));
        Ok(present.map(|(name, content)| RuntimeValue::lent(content).with_role(Role::Link(name))))
    }

    fn no_link(&mut self, args: &[Node], at: ByteRange) -> Problem {
        let name = args.first().and_then(|node| self.evaluate(node).ok());
        let name = name.as_ref().and_then(|it| it.value().as_str()).unwrap_or_default();
        Problem::new(at, ProblemKind::NoLink, format!("Can't find link '{name}'"))
    }

    /// `p(name or names, default)`
    pub(super) fn property(
        &mut self,
        root: &RuntimeValue<'a>,
        args: &[Node],
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let [names, default @ ..] = args else { return Err(Problem::syntax(at, "`p` needs a name")) };
        let names = self.requested_names(names)?;
        let default = self.all(default)?;
        self.work(names.len(), at)?;
        for name in &names {
            if let Some(found) = look_up(root, name, at)? {
                return Ok(found);
            }
        }
        default.into_iter().next().ok_or_else(|| no_property(&names, at))
    }

    /// `if_p(names)` with its block; without a block the value, or the list of values if there are several
    /// names.
    pub(super) fn if_property(
        &mut self,
        root: &RuntimeValue<'a>,
        args: &[Node],
        block: Option<&crate::tree::Block>,
    ) -> Result<RuntimeValue<'a>> {
        let Some(values) = self.present(root, args)? else { return Ok(self.absent()) };
        match (block, &values[..]) {
            (Some(block), _) => self.apply(block, values),
            (None, [value]) => Ok(value.clone()),
            (None, _) => {
                let at = args.first().map_or(ByteRange::new(0, 0), |node| node.at);
                self.list(values, at)
            }
        }
    }

    /// The values of all the properties named; `None` if one is missing.
    pub(crate) fn present(
        &mut self,
        root: &RuntimeValue<'a>,
        args: &[Node],
    ) -> Result<Option<Vec<RuntimeValue<'a>>>> {
        let mut values = Vec::with_capacity(args.len());
        for node in args {
            for name in self.requested_names(node)? {
                match look_up(root, &name, node.at)? {
                    Some(value) => values.push(value),
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(values))
    }

    fn requested_names(&mut self, node: &Node) -> Result<PropertyNames> {
        let names = self.evaluate(node)?;
        let all = names.elements().unwrap_or_else(|| vec![names]);
        let text = |name: &RuntimeValue<'_>| {
            name.decide(node.at)?;
            match name.data() {
                Data::String(text) => Ok(text.clone()),
                Data::Unknown(_) => Err(Problem::unknown(node.at, "the name of this property")),
                _ => {
                    let message = format!("the name of a property is text, not {}", kind(name));
                    Err(Problem::mismatch(node.at, message))
                }
            }
        };
        all.iter().map(text).collect()
    }
}

/// The value at a dotted path, unless it is null; below a reference, it is a longer reference.
fn look_up<'a>(root: &RuntimeValue<'a>, path: &str, place: ByteRange) -> Result<Option<RuntimeValue<'a>>> {
    let (mut at, mut passed) = (root.clone(), "");
    for key in path.split('.') {
        if at.open_text().is_some_and(|it| !is_surely_text(it)) {
            return Err(Problem::unknown(place, format_args!("what is in `{passed}`")));
        }
        let Some(child) = at.child(&Step::Key(key.into())).filter(|it| !it.is_nil()) else { return Ok(None) };
        (at, passed) = (child, key);
    }
    // The result of `p` is data, not properties whose keys are read with dots.
    Ok(Some(at.with_role(Role::Plain)))
}

fn no_property(names: &[Arc<str>], at: ByteRange) -> Problem {
    let names = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    Problem::new(at, ProblemKind::NoProperty, format!("Can't find property '[{names}]'"))
}
