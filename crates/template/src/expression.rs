use model::{Origin, Value};

use super::{
    ByteRange, LinkPath, Problem, Scope, lexer::Token, machine::Machine, parser::Parser, path,
    runtime_value::RuntimeValue, tree::Node,
};

/// An expression between `${` and `}` of a descriptor, parsed.
#[derive(Clone, Debug)]
pub struct Expression {
    node: Node,
}

/// Reads an expression, all of `text`. Takes time in proportion to the length of the text.
///
/// # Errors
/// The first part that is not Ruby, or Ruby that is not supported; bytes are counted from the start of
/// `text`.
pub fn parse(text: &str) -> Result<Expression, Problem> {
    let mut parser = Parser::new(text, ByteRange::new(0, text.len()));
    let node = parser.expression()?;
    match parser.peek().token {
        Token::End => Ok(Expression { node }),
        _ => Err(parser.expected("the end")),
    }
}

impl Expression {
    /// The value of the expression. A value that is known only at run time stays an expression
    /// ([`model::Data::Unknown`]); a text that contains one becomes such an expression. A value that is
    /// computed from a sensitive one is sensitive too.
    ///
    /// An absent link or property of `if_link` or `if_p` without `else` gives null.
    ///
    /// # Errors
    /// If it cannot be evaluated; see [`ProblemKind`](super::ProblemKind).
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Value, Problem> {
        Machine::new(*scope).evaluate(&self.node).map(RuntimeValue::into_value)
    }

    /// The place in the content of a link that this expression reads, if it does nothing else. These do:
    ///
    /// - `link("n").address`, `link("n").instances`, `link("n").properties`
    /// - `link("n").instances[0]`, `link("n").instances.first`, and `.name`, `.id`, `.index`, `.az`, `.address` or
    ///   `.bootstrap` of them
    /// - `link("n").properties.a.b`, `link("n").properties["a"][0]`; keys that are also names of methods, such as
    ///   `size`, only in brackets
    /// - `link("n").p("a.b")`, `link("n").p(["a.b"])`, also with a default that is written out; without a default also
    ///   `["c"][0]` of them
    ///
    /// `origin` is that of the default. Texts in them must be literals. Anything with a block, an operator,
    /// several names, `if_link`, `last` or an index from the end has no such place.
    pub fn as_path(&self, origin: Origin) -> Option<LinkPath> {
        path::of(&self.node, origin)
    }

    /// Its place in the text, without the surrounding white space.
    pub const fn place(&self) -> ByteRange {
        self.node.at
    }
}
