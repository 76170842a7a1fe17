use std::collections::BTreeSet;

use model::Data;

use crate::{
    ByteRange, Problem,
    runtime_value::RuntimeValue,
    tree::Block,
    write::{Form, Writer},
};

use super::{Machine, Result, method::CallArguments, method::no_method, operators::order, words::count};

impl<'a> Machine<'a> {
    /// The methods of lists, which maps have too, as lists of keys and values.
    pub(super) fn of_list(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        let at = call.at;
        let data = match (name, call.block) {
            ("size" | "length", _) | ("count", None) => count(length(on)),
            ("empty?", _) => Data::Bool(length(on) == 0),
            ("first", _) => {
                let first = on.child(&model::Step::Index(0)).unwrap_or_else(|| self.nil());
                return self.taken(first, at);
            }
            ("last", _) => {
                let last = length(on).checked_sub(1).and_then(|last| on.child(&model::Step::Index(last)));
                return self.taken(last.unwrap_or_else(|| self.nil()), at);
            }
            ("fetch", _) => return self.fetch(on, call),
            ("dig", _) => return self.dig(on.clone(), call),
            ("to_a", _) => {
                let items = self.items(on, at)?;
                return self.gathered(on, items, at);
            }
            ("join", _) => return self.join(on, call),
            ("include?", _) => return self.includes(on, call),
            ("sort" | "uniq" | "compact" | "flatten" | "reverse", _) => return self.arrange(on, name, at),
            ("any?" | "all?" | "none?", None) => self.test(on, name, None, at)?,
            (_, Some(block)) => return self.of_list_with(on, name, block, at),
            _ => return Err(no_method(on, name, at)),
        };
        Ok(self.value(data).tainted(on.sensitive))
    }

    fn of_list_with(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        block: &Block,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let data = match name {
            "map" | "collect" | "flat_map" => return self.map(on, name, block, at),
            "select" | "filter" => return self.select(on, block, true, at),
            "reject" => return self.select(on, block, false, at),
            "find" | "detect" => return self.find(on, block, at),
            "sort_by" => return self.sort_by(on, block, at),
            "count" => count(length(&self.select(on, block, true, at)?)),
            "any?" | "all?" | "none?" => self.test(on, name, Some(block), at)?,
            _ => return Err(Problem::unsupported(at, format_args!("`{name}` inside of an expression"))),
        };
        Ok(self.value(data).tainted(on.sensitive))
    }

    /// The elements; creating them is counted as work.
    pub(crate) fn items(&mut self, on: &RuntimeValue<'a>, at: ByteRange) -> Result<Vec<RuntimeValue<'a>>> {
        if on.is_own() || on.value().as_map().is_some() {
            self.weigh(on, at)?;
        }
        self.work(length(on), at)?;
        on.elements().ok_or_else(|| no_method(on, "each", at))
    }

    /// Some of a list's elements, as a list with the same role.
    fn gathered(
        &mut self,
        on: &RuntimeValue<'a>,
        items: Vec<RuntimeValue<'a>>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        Ok(self.list(items, at)?.with_role(on.role).tainted(on.sensitive))
    }

    fn map(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        block: &Block,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let items = self.items(on, at)?;
        let made: Result<Vec<_>> = items.into_iter().map(|item| self.apply(block, vec![item])).collect();
        let made = self.list(made?, at)?.tainted(on.sensitive);
        if name == "flat_map" { self.arrange(&made, "flatten once", at) } else { Ok(made) }
    }

    fn select(
        &mut self,
        on: &RuntimeValue<'a>,
        block: &Block,
        keep: bool,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let mut kept = Vec::new();
        for item in self.items(on, at)? {
            let test = self.apply(block, vec![item.clone()])?;
            if self.is_true(&test, at)? == keep {
                kept.push(item);
            }
        }
        if on.value().as_map().is_some() { self.pairs(on, kept, at) } else { self.gathered(on, kept, at) }
    }

    /// A map from keys and values.
    fn pairs(
        &mut self,
        on: &RuntimeValue<'a>,
        kept: Vec<RuntimeValue<'a>>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        self.weigh(on, at)?;
        let pair = |pair: RuntimeValue<'a>| match pair.value().as_list() {
            Some([key, value]) => Some((key.as_str()?.into(), value.clone())),
            _ => None,
        };
        Ok(self.value(Data::Map(model::map_of(kept.into_iter().filter_map(pair)))).tainted(on.sensitive))
    }

    fn find(&mut self, on: &RuntimeValue<'a>, block: &Block, at: ByteRange) -> Result<RuntimeValue<'a>> {
        for item in self.items(on, at)? {
            let test = self.apply(block, vec![item.clone()])?;
            if self.is_true(&test, at)? {
                return Ok(item);
            }
        }
        Ok(self.nil().tainted(on.sensitive))
    }

    fn test(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        block: Option<&Block>,
        at: ByteRange,
    ) -> Result<Data> {
        for item in self.items(on, at)? {
            let test = match block {
                Some(block) => self.apply(block, vec![item])?,
                None => item,
            };
            // One that differs from the others decides the result.
            if self.is_true(&test, at)? != (name == "all?") {
                return Ok(Data::Bool(name == "any?"));
            }
        }
        Ok(Data::Bool(name != "any?"))
    }

    fn sort_by(&mut self, on: &RuntimeValue<'a>, block: &Block, at: ByteRange) -> Result<RuntimeValue<'a>> {
        let mut keyed = Vec::new();
        for item in self.items(on, at)? {
            let key = self.apply(block, vec![item.clone()])?;
            self.weigh(&key, at)?;
            keyed.push((key, item));
        }
        let mut problem = None;
        diag::order::by(&mut keyed, |a, b| {
            order(&a.0, &b.0, at).unwrap_or_else(|found| {
                problem = Some(found);
                std::cmp::Ordering::Equal
            })
        });
        let sorted = keyed.into_iter().map(|(_, item)| item).collect();
        problem.map_or_else(|| self.gathered(on, sorted, at), Err)
    }

    fn arrange(&mut self, on: &RuntimeValue<'a>, how: &str, at: ByteRange) -> Result<RuntimeValue<'a>> {
        let mut items = self.items(on, at)?;
        match how {
            "reverse" => items.reverse(),
            "compact" => items.retain(|item| !item.is_nil()),
            "uniq" => items = self.unique(items, at)?,
            "sort" => {
                self.weigh(on, at)?;
                sort(&mut items, at)?;
            }
            _ => {
                let depth = if how == "flatten" { usize::MAX } else { 1 };
                let mut flat = Vec::new();
                items.into_iter().for_each(|item| flatten(item, depth, &mut flat));
                items = flat;
            }
        }
        self.gathered(on, items, at)
    }

    fn unique(&mut self, items: Vec<RuntimeValue<'a>>, at: ByteRange) -> Result<Vec<RuntimeValue<'a>>> {
        let (mut seen, mut kept) = (BTreeSet::new(), Vec::new());
        for item in items {
            let shown = self.write(&item, Form::Shown, at)?;
            shown.decide(at)?;
            let same = shown.value().as_str();
            let same = same.ok_or_else(|| Problem::unknown(at, "which of these are the same"))?;
            if seen.insert(same.to_owned()) {
                kept.push(item);
            }
        }
        Ok(kept)
    }

    fn join(&mut self, on: &RuntimeValue<'a>, call: CallArguments<'_>) -> Result<RuntimeValue<'a>> {
        let between = self.all(call.args)?.into_iter().next();
        let mut flat = Vec::new();
        self.items(on, call.at)?.into_iter().for_each(|item| flatten(item, usize::MAX, &mut flat));
        let mut writer = Writer::new(call.at);
        writer.sensitive |= on.sensitive;
        for (nth, item) in flat.iter().enumerate() {
            if let Some(between) = between.as_ref().filter(|_| nth > 0) {
                writer.runtime_value(between, Form::Text)?;
            }
            writer.runtime_value(item, Form::Text)?;
        }
        self.work(flat.len(), call.at)?;
        self.written(writer, call.at)
    }

    fn includes(&mut self, on: &RuntimeValue<'a>, call: CallArguments<'_>) -> Result<RuntimeValue<'a>> {
        let searched = self.all(call.args)?.into_iter().next().unwrap_or_else(|| self.nil());
        let items = self.items(on, call.at)?;
        for item in &items {
            self.weigh(item, call.at)?;
            item.decide_on_all(call.at)?;
        }
        searched.decide_on_all(call.at)?;
        if searched.value().has_unknown() || on.value().has_unknown() {
            return Err(Problem::unknown(call.at, "whether this is in the list"));
        }
        let found = items.iter().any(|item| item.value().same_data(searched.value()));
        Ok(self.value(Data::Bool(found)))
    }
}

fn length(on: &RuntimeValue<'_>) -> usize {
    match on.data() {
        Data::List(items) => items.len(),
        Data::Map(map) => map.len(),
        _ => 0,
    }
}

fn sort(items: &mut [RuntimeValue<'_>], at: ByteRange) -> Result<()> {
    let mut problem = Ok(());
    diag::order::by(items, |a, b| {
        order(a, b, at).unwrap_or_else(|found| {
            problem = Err(found);
            std::cmp::Ordering::Equal
        })
    });
    problem
}

/// Adds an item to `flat`; for a list its items, down to `depth`.
fn flatten<'a>(item: RuntimeValue<'a>, depth: usize, flat: &mut Vec<RuntimeValue<'a>>) {
    match item.value().as_list().and(item.elements()) {
        Some(items) if depth > 0 => items.into_iter().for_each(|item| flatten(item, depth - 1, flat)),
        _ => flat.push(item),
    }
}
