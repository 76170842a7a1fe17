//! A page's text as sections with settings and blocks.

use crate::engine::Engine;

/// One page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its file name without `.md`.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// Its sections of level two and three, in order.
    pub sections: Vec<Section>,
    /// The engine that answers its examples.
    pub engine: Engine,
}

/// The part of a page under one heading.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name: the first word of a heading of level two (`M7`; `S0` for `Given S0: …`), with `/` and the whole
    /// heading behind it for level three.
    pub id: String,
    /// True if it only provides inputs to others.
    pub is_given: bool,
    /// The whole heading.
    pub title: String,
    /// The settings before the first block: `- key: value`.
    pub settings: Vec<(String, String)>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// The line after its last one, from 0.
    pub end: usize,
}

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its name: the text after the language of the fence.
    pub name: String,
    /// Its lines, each with its break.
    pub text: String,
    /// Its first line inside the fence, from 0.
    pub start: usize,
    /// The line of the closing fence, from 0.
    pub end: usize,
}

impl Page {
    /// Reads a page.
    ///
    /// # Panics
    /// If a fence is not closed or has no name.
    pub fn parse(name: &str, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let engine = Engine::default();
        let mut page = Self { name: name.to_owned(), lines, sections: Vec::new(), engine };
        let mut at = 0;
        while at < page.lines.len() {
            at = page.line(at);
        }
        page
    }

    /// Reads the line or block at `at`; the next one.
    fn line(&mut self, at: usize) -> usize {
        let line = self.lines[at].clone();
        if let Some(info) = line.strip_prefix("```") {
            return self.block(at, info);
        }
        if let Some(title) = line.strip_prefix("## ") {
            let section = Section::new(case_id(title), title);
            self.sections.push(section);
        } else if let Some(title) = line.strip_prefix("### ") {
            let case =
                self.sections.last().map_or("", |it| it.id.split('/').next().unwrap_or_default()).to_owned();
            self.sections.push(Section::new(format!("{case}/{title}"), title));
        }
        let Some(section) = self.sections.last_mut() else { return at + 1 };
        section.end = at + 1;
        if let Some((key, value)) = line.strip_prefix("- ").and_then(|it| it.split_once(": "))
            && ["given", "applied", "before", "options"].contains(&key)
        {
            section.settings.push((key.to_owned(), value.to_owned()));
        }
        at + 1
    }

    fn block(&mut self, at: usize, info: &str) -> usize {
        let close = (at + 1..self.lines.len()).find(|line| self.lines[*line] == "```");
        let close = close.unwrap_or_else(|| panic!("{}:{}: the fence is not closed", self.name, at + 1));
        let Some((_, name)) = info.split_once(' ') else {
            panic!("{}:{}: a block is named, e.g. ```yaml base.yaml", self.name, at + 1)
        };
        let text: String = self.lines[at + 1..close].iter().map(|line| format!("{line}\n")).collect();
        if let Some(section) = self.sections.last_mut() {
            section.blocks.push(Block { name: name.to_owned(), text, start: at + 1, end: close });
            section.end = close + 1;
        }
        close + 1
    }

    /// The page, with another engine that answers.
    #[must_use]
    pub fn answered_by(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// The section of that name.
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }
}

impl Section {
    fn new(id: String, title: &str) -> Self {
        let is_given = title.starts_with("Given ");
        Self { id, is_given, title: title.to_owned(), settings: Vec::new(), blocks: Vec::new(), end: 0 }
    }

    /// The value of the setting `key`.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }
}

fn case_id(title: &str) -> String {
    let title = title.strip_prefix("Given ").unwrap_or(title);
    title.split([' ', ':']).next().unwrap_or_default().to_owned()
}
