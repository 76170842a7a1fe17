use std::sync::Arc;

use crate::{
    ByteRange, Problem,
    lexer::Token,
    methods::{Blocks, Signature},
    tree::{Block, Call, CallTarget, Node, NodeKind},
};

use super::{Parser, Result, args::Args, short};

impl Parser<'_> {
    /// A value and the calls on it.
    pub(super) fn chain(&mut self) -> Result<Node> {
        let head = self.operand()?;
        let mut may_be_absent = matches!(&head.kind, NodeKind::Head(it) if it.name.may_be_absent());
        let mut calls = Vec::new();
        while let Some(call) = self.call()? {
            if let CallTarget::Method { name, .. } = &call.what {
                check_else(name, may_be_absent, call.at)?;
                may_be_absent |= &**name == "if_p";
            }
            calls.push(call);
        }
        let Some(last) = calls.last() else { return Ok(head) };
        Ok(Node { at: head.at.to(last.at), kind: NodeKind::Chain(Box::new(head), calls) })
    }

    fn call(&mut self) -> Result<Option<Call>> {
        let next = self.peek();
        match next.token {
            Token::Sign("[") if !next.space && self.here() == next.token => self.index().map(Some),
            Token::Sign(sign @ ("." | "&.")) => self.method(sign == "&.").map(Some),
            Token::Sign("::") => Err(Problem::unsupported(next.at, "`::`")),
            _ => Ok(None),
        }
    }

    fn index(&mut self) -> Result<Call> {
        let open = self.take().at;
        let index = self.loosely(Self::expression)?;
        let close = self.close("]")?;
        Ok(Call { at: open.to(close), what: CallTarget::Index(index), safe: false })
    }

    fn method(&mut self, safe: bool) -> Result<Call> {
        let dot = self.take().at;
        let (name, at) = self.method_name()?;
        let args = self.arguments(false)?;
        let signature = Signature::of(&name);
        let block = match (args.block.is_some(), signature) {
            (false, Some(signature)) if signature.block != Blocks::None => self.block(&name)?,
            _ => None,
        };
        let args = Args { block: args.block.or(block), ..args };
        let bare = args.list.is_empty() && args.named.is_empty() && args.block.is_none();
        let what = match signature {
            None if bare => CallTarget::Name(name),
            None => return Err(Problem::unsupported(at, format_args!("the method `{}`", short(&name)))),
            Some(signature) => with(signature, name, at, args)?,
        };
        Ok(Call { at: dot.to(self.last_end(at)), what, safe })
    }

    pub(super) fn method_name(&mut self) -> Result<(Arc<str>, ByteRange)> {
        let next = self.peek();
        match next.token {
            Token::Name => {
                self.take();
                Ok((self.word(next.at).into(), next.at))
            }
            _ => Err(self.expected("the name of a method")),
        }
    }

    /// `{ |a| … }` or `do |a| … end`, if one comes next. After `each`, `do` opens a block of the template instead.
    pub(super) fn block(&mut self, name: &str) -> Result<Option<Block>> {
        let braces = self.here() == Token::Sign("{");
        let statement = matches!(name, "each" | "each_with_index" | "if_link" | "if_p" | "else");
        if !braces && (statement || !self.is_word("do")) {
            return Ok(None);
        }
        self.take();
        let read = |it: &mut Self| it.loosely(|it| it.block_body(braces));
        if braces {
            return read(self).map(Some);
        }
        self.dos += 1;
        let block = read(self)?;
        self.dos -= 1;
        Ok(Some(block))
    }

    fn block_body(&mut self, braces: bool) -> Result<Block> {
        let params = self.params()?;
        let mark = self.names.enter(&params);
        // After a problem the parameters stay declared, so that they are not reported as unknown in addition.
        let body = Box::new(self.expression()?);
        self.names.leave(mark);
        if braces { self.need("}").map(drop) } else { self.need_end() }?;
        Ok(Block::Code { params, body })
    }

    fn need_end(&mut self) -> Result<()> {
        if !self.is_word("end") {
            return Err(self.expected("`end`"));
        }
        self.take();
        Ok(())
    }

    /// `|a, b|`, or nothing.
    pub(crate) fn params(&mut self) -> Result<Vec<Arc<str>>> {
        let mut params = Vec::new();
        if self.sign("||").is_some() || self.sign("|").is_none() {
            return Ok(params);
        }
        loop {
            let Token::Name = self.here() else { return Err(self.expected("the name of a parameter")) };
            let at = self.take().at;
            params.push(self.word(at).into());
            if self.sign(",").is_none() {
                self.need("|")?;
                return Ok(params);
            }
        }
    }

    /// The end of the last token that was read; at least `from`.
    pub(super) fn last_end(&self, from: ByteRange) -> ByteRange {
        ByteRange::new(from.start, self.read_to.max(from.end))
    }
}

fn with(signature: Signature, name: Arc<str>, at: ByteRange, args: Args) -> Result<CallTarget> {
    args.count(at, &name, signature.arity)?;
    if !signature.named {
        args.no_named(at, &name)?;
    }
    match (signature.block, &args.block) {
        (Blocks::Must, None) => return Err(Problem::syntax(at, format!("`{name}` needs a block"))),
        (Blocks::None, Some(_)) => {
            return Err(Problem::unsupported(at, format_args!("`{name}` with a block")));
        }
        _ => {}
    }
    Ok(CallTarget::Method { name, args: args.list, named: args.named, block: args.block })
}

fn check_else(name: &str, may_be_absent: bool, at: ByteRange) -> Result<()> {
    if name != "else" || may_be_absent {
        return Ok(());
    }
    Err(Problem::syntax(at, "`else` goes with if_link and if_p; a default is written p(name, default)"))
}
