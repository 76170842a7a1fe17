use std::sync::Arc;

use crate::{
    ByteRange, Problem,
    lexer::Token,
    tree::{Block, Node},
};

use super::{Parser, Result};

/// The arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Args {
    pub(super) list: Vec<Node>,
    pub(super) named: Vec<(Arc<str>, Node)>,
    /// `&:name`
    pub(super) block: Option<Block>,
}

impl Args {
    /// Checks that the number of arguments is within `arity`.
    pub(super) fn count(&self, at: ByteRange, name: &str, arity: (usize, usize)) -> Result<()> {
        let count = self.list.len();
        if (arity.0..=arity.1).contains(&count) {
            return Ok(());
        }
        let expected = match arity {
            (0, 0) => "no argument".to_owned(),
            (1, 1) => "one argument".to_owned(),
            (least, usize::MAX) => format!("at least {least}"),
            (least, most) => format!("{least} to {most} arguments"),
        };
        Err(Problem::syntax(at, format!("`{name}` takes {expected}, here it gets {count}")))
    }

    pub(super) fn no_named(&self, at: ByteRange, name: &str) -> Result<()> {
        match self.named.first() {
            Some((label, _)) => Err(Problem::syntax(at, format!("`{name}` takes no argument `{label}:`"))),
            None => Ok(()),
        }
    }
}

impl Parser<'_> {
    /// `(a, b: c)`; with `bare` also `a, b` on the same line.
    pub(super) fn arguments(&mut self, bare: bool) -> Result<Args> {
        let mut args = Args::default();
        if self.here() == Token::Sign("(") && !self.peek().space {
            self.take();
            self.loosely(|it| it.separated(")", |it| it.argument(&mut args)))?;
            self.close(")")?;
        } else if bare && self.starts_bare() {
            self.argument(&mut args)?;
            while self.sign(",").is_some() {
                self.argument(&mut args)?;
            }
        }
        Ok(args)
    }

    /// Arguments without names; their number has to be within `arity`.
    pub(crate) fn positional(&mut self, name: &str, arity: (usize, usize)) -> Result<Vec<Node>> {
        let at = self.peek().at;
        let args = self.arguments(true)?;
        args.count(at, name, arity)?;
        args.no_named(at, name)?;
        Ok(args.list)
    }

    fn starts_bare(&self) -> bool {
        match self.here() {
            Token::Quote(_) | Token::Symbol => true,
            Token::Sign("[") => self.peek().space,
            _ => false,
        }
    }

    fn argument(&mut self, args: &mut Args) -> Result<()> {
        if let Some((label, _)) = self.label() {
            args.named.push((label, self.expression()?));
        } else if let Some(at) = self.sign("&") {
            args.block = Some(self.symbol_block(at)?);
        } else {
            args.list.push(self.expression()?);
        }
        Ok(())
    }

    /// `name:`
    pub(super) fn label(&mut self) -> Option<(Arc<str>, ByteRange)> {
        if self.peek().token != Token::Label {
            return None;
        }
        let at = self.take().at;
        Some((self.word(at).trim_end_matches(':').into(), at))
    }

    fn symbol_block(&mut self, sign: ByteRange) -> Result<Block> {
        if self.here() != Token::Symbol {
            return Err(Problem::unsupported(sign, "a block that is a variable"));
        }
        let at = self.take().at;
        Ok(Block::Symbol { name: self.word(at).trim_start_matches(':').into(), at })
    }

    /// Items between commas, until `close`, which is not consumed.
    pub(super) fn separated<T>(
        &mut self,
        close: &'static str,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while self.here() != Token::Sign(close) {
            items.push(read(self)?);
            if self.sign(",").is_none() {
                break;
            }
        }
        if self.here() == Token::Sign(close) {
            Ok(items)
        } else {
            Err(self.expected(&format!("`,` or `{close}`")))
        }
    }
}
