//! Start commands in their canonical form: a list of maps `{run: {args: […]}}` (source: dapp-runner's model).

use std::sync::Arc;

use diag::{Diagnostic, Span};
use model::{Data, Map, Value, map_of};
use syntax::{Mapping, Node, NodeData};

use crate::{
    codes,
    read::{Reader, written},
    template::Step,
};

const FORMS: &str =
    "write `[\"/bin/program\", \"argument\"]`, a list of such lists, or a list of `run: {args: […]}`";

impl Reader<'_, '_> {
    /// All commands. A list of words is one command; a list of lists and maps is one command each.
    pub(crate) fn commands(&mut self, node: &Node, key: Span) -> Option<Value> {
        let Some(items) = node.as_sequence() else {
            let span = if node.span.start == node.span.end { key } else { node.span };
            return self.bad_command(span, "start commands are a list");
        };
        let is_word = |item: &Node| !item.is_collection() && !matches!(item.data, NodeData::Null);
        let commands = if items.first().is_some_and(is_word) {
            if let Some(stranger) = items.iter().find(|item| !is_word(item)) {
                let message =
                    format!("strings and {}s are mixed in one list of commands", stranger.kind_name());
                return self.bad_command(stranger.span, &message);
            }
            let command = self.within(Step::Index(0), |reader| reader.run(items, node.span));
            command.into_iter().collect()
        } else {
            self.each(items, Self::command)
        };
        Some(written(Data::List(commands), node.span))
    }

    fn command(&mut self, node: &Node) -> Option<Value> {
        match &node.data {
            NodeData::Sequence(words) => self.run(words, node.span),
            NodeData::Mapping(mapping) => self.command_map(mapping, node.span),
            _ => self.bad_command(node.span, "this is not a command"),
        }
    }

    /// `{run: {args: […]}}` from words.
    fn run(&mut self, words: &[Node], span: Span) -> Option<Value> {
        if words.is_empty() {
            return self.bad_command(span, "this command is empty");
        }
        let args = self.within(Step::Key("run".into()), |reader| reader.args(words, span));
        Some(named("run".into(), map_of([("args".into(), args)]), span))
    }

    fn args(&mut self, words: &[Node], span: Span) -> Value {
        let args = self.within(Step::Key("args".into()), |reader| reader.each(words, Self::text));
        written(Data::List(args), span)
    }

    fn command_map(&mut self, mapping: &Mapping, span: Span) -> Option<Value> {
        if let Some(cmd) = mapping.get("cmd") {
            return self.dumped_command(mapping, cmd, span);
        }
        let [entry] = &mapping.entries[..] else {
            return self.bad_command(span, "a command must have exactly one name");
        };
        match &entry.value.data {
            NodeData::Sequence(words) => {
                let args = self
                    .within(Step::Key(Arc::clone(&entry.key)), |reader| reader.args(words, entry.value.span));
                Some(named(Arc::clone(&entry.key), map_of([("args".into(), args)]), span))
            }
            NodeData::Mapping(parameters) => {
                let step = Step::Key(Arc::clone(&entry.key));
                let parameters =
                    self.within(step, |reader| reader.parameters(&entry.key, parameters, entry.value.span))?;
                Some(named(Arc::clone(&entry.key), parameters, span))
            }
            _ => self.bad_command(entry.value.span, &format!("`{}` requires a list of strings", entry.key)),
        }
    }

    /// `{cmd: run, params: {args: […]}}`, as in a dump of a running application.
    fn dumped_command(&mut self, mapping: &Mapping, cmd: &Node, span: Span) -> Option<Value> {
        let name = cmd.as_str()?;
        if let Some(other) = mapping.entries.iter().find(|entry| !matches!(&*entry.key, "cmd" | "params")) {
            return self
                .bad_command(other.key_span, &format!("`{}` has no effect together with `cmd`", other.key));
        }
        let parameters = match mapping.get("params").map(|params| (&params.data, params.span)) {
            Some((NodeData::Mapping(parameters), span)) => {
                self.within(Step::Key(name.into()), |reader| reader.parameters(name, parameters, span))?
            }
            None => Map::new(),
            Some((_, span)) => return self.bad_command(span, "`params` must be a map"),
        };
        Some(named(name.into(), parameters, span))
    }

    /// The parameters of a command. `run` requires a list of `args`.
    fn parameters(&mut self, name: &str, mapping: &Mapping, span: Span) -> Option<Map> {
        if name == "run" {
            match mapping.get("args").map(|args| (&args.data, args.span)) {
                Some((NodeData::Sequence(_), _)) => {}
                Some((_, span)) => return self.bad_parameters(span, "`args` must be a list of strings"),
                None => return self.bad_parameters(span, "`run` needs `args`"),
            }
        }
        Some(self.entries(mapping, |reader, entry| match &entry.value.data {
            NodeData::Sequence(words) if name == "run" && &*entry.key == "args" => {
                Some(written(Data::List(reader.each(words, Self::text)), entry.value.span))
            }
            _ => Some(reader.any(&entry.value)),
        }))
    }

    fn bad_parameters(&mut self, span: Span, message: &str) -> Option<Map> {
        self.bad_command(span, message);
        None
    }

    fn bad_command(&mut self, span: Span, message: &str) -> Option<Value> {
        self.report(Diagnostic::error(codes::BAD_COMMAND, span, message).help(FORMS));
        None
    }
}

fn named(name: Arc<str>, parameters: Map, span: Span) -> Value {
    written(Data::Map(map_of([(name, written(Data::Map(parameters), span))])), span)
}
