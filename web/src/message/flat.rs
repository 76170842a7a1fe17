//! Questions as they travel to the worker: all of them in one form, which takes a tenth of the code that a form for each takes
//! to read, and the worker is in what every visitor loads.

use serde::{Deserialize, Serialize};
use workspace::{File, view::GraphFormat};

use super::{ComparedSide, Question};

/// A question with what it is about, in the order of its fields.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct FlatQuestion {
    question: String,
    texts: Vec<String>,
    numbers: Vec<u64>,
    files: Vec<Vec<File>>,
}

impl FlatQuestion {
    fn new(question: &str) -> Self {
        Self { question: question.to_owned(), ..Self::default() }
    }

    fn text(mut self, text: String) -> Self {
        self.texts.push(text);
        self
    }

    fn number(mut self, number: u64) -> Self {
        self.numbers.push(number);
        self
    }

    fn place(self, file: String, line: u32, column: u32) -> Self {
        self.text(file).number(line.into()).number(column.into())
    }

    fn files(mut self, files: Vec<File>) -> Self {
        self.files.push(files);
        self
    }

    /// A side is a state where it has no files.
    fn side(self, side: ComparedSide) -> Self {
        match side {
            ComparedSide::Files(files) => self.number(0).files(files),
            ComparedSide::State(text) => self.number(1).text(text),
        }
    }
}

impl From<Question> for FlatQuestion {
    fn from(question: Question) -> Self {
        let new = Self::new;
        match question {
            Question::Hover { file, line, column } => new("hover").place(file, line, column),
            Question::Complete { file, line, column } => new("complete").place(file, line, column),
            Question::Define { file, line, column } => new("define").place(file, line, column),
            Question::References { file, line, column } => new("references").place(file, line, column),
            Question::Rename { file, line, column, name, recorded } => {
                new("rename").place(file, line, column).text(name).number(recorded.into())
            }
            Question::Outline { file } => new("outline").text(file),
            Question::Format { name, text } => new("format").text(name).text(text),
            Question::Compare { before, after } => new("compare").side(before).side(after),
            Question::SetValue { file, pointer, yaml } => {
                new("set-value").text(file).text(pointer).text(yaml)
            }
            Question::Recognise { files } => new("recognise").files(files),
            Question::ReadPackage { name, bytes } => new("read-package").text(name).text(bytes),
            Question::WritePackage => new("write-package"),
            Question::FilesToShare { files } => new("files-to-share").files(files),
            Question::MergedText => new("merged-text"),
            Question::GraphText { format } => new("graph-text").text(format.as_str().to_owned()),
            Question::Picture { files } => new("picture").files(files),
            Question::Places { sizes, edges } => {
                let flat = new("places").number(sizes.len() as u64);
                let flat =
                    sizes.into_iter().flatten().fold(flat, |it, size| it.number(size.to_bits().into()));
                edges.into_iter().flatten().fold(flat, |it, node| it.number(node as u64))
            }
            Question::ResolveIf { ranges } => {
                ranges.into_iter().fold(new("resolve-if"), |it, (of, range)| it.text(of).text(range))
            }
            Question::WouldMove { id } => new("would-move").text(id),
            Question::Upgrades { package } => new("upgrades").text(package),
            Question::Lock => new("lock-file"),
            Question::Services { question, argument } => new("services").text(question).text(argument),
        }
    }
}

/// The arguments of a question, in the order in which they are taken out.
struct Parts {
    texts: std::vec::IntoIter<String>,
    numbers: std::vec::IntoIter<u64>,
    files: std::vec::IntoIter<Vec<File>>,
}

impl Parts {
    fn text(&mut self) -> String {
        self.texts.next().unwrap_or_default()
    }

    fn number<N: TryFrom<u64> + Default>(&mut self) -> N {
        self.numbers.next().and_then(|it| N::try_from(it).ok()).unwrap_or_default()
    }

    fn place(&mut self) -> (String, u32, u32) {
        (self.text(), self.number(), self.number())
    }

    fn files(&mut self) -> Vec<File> {
        self.files.next().unwrap_or_default()
    }

    fn side(&mut self) -> ComparedSide {
        match self.number::<u8>() {
            0 => ComparedSide::Files(self.files()),
            _ => ComparedSide::State(self.text()),
        }
    }

    fn sizes(&mut self) -> Vec<[f32; 2]> {
        let count = self.number::<usize>();
        (0..count).map(|_| [f32::from_bits(self.number()), f32::from_bits(self.number())]).collect()
    }

    fn edges(&mut self) -> Vec<[usize; 2]> {
        (0..self.numbers.len() / 2).map(|_| [self.number(), self.number()]).collect()
    }

    fn ranges(&mut self) -> Vec<(String, String)> {
        (0..self.texts.len() / 2).map(|_| (self.text(), self.text())).collect()
    }
}

impl TryFrom<FlatQuestion> for Question {
    type Error = String;

    fn try_from(flat: FlatQuestion) -> Result<Self, String> {
        let FlatQuestion { question, texts, numbers, files } = flat;
        let mut parts =
            Parts { texts: texts.into_iter(), numbers: numbers.into_iter(), files: files.into_iter() };
        Ok(match question.as_str() {
            "hover" | "complete" | "define" | "references" | "rename" => of_place(&question, &mut parts),
            "outline" => Self::Outline { file: parts.text() },
            "format" => Self::Format { name: parts.text(), text: parts.text() },
            "compare" => Self::Compare { before: parts.side(), after: parts.side() },
            "set-value" => Self::SetValue { file: parts.text(), pointer: parts.text(), yaml: parts.text() },
            "recognise" => Self::Recognise { files: parts.files() },
            "read-package" => Self::ReadPackage { name: parts.text(), bytes: parts.text() },
            "write-package" => Self::WritePackage,
            "files-to-share" => Self::FilesToShare { files: parts.files() },
            "merged-text" => Self::MergedText,
            "graph-text" => {
                let format = parts.text();
                Self::GraphText { format: GraphFormat::named(&format).ok_or(format)? }
            }
            "picture" => Self::Picture { files: parts.files() },
            "places" => Self::Places { sizes: parts.sizes(), edges: parts.edges() },
            "resolve-if" => Self::ResolveIf { ranges: parts.ranges() },
            "would-move" => Self::WouldMove { id: parts.text() },
            "upgrades" => Self::Upgrades { package: parts.text() },
            "lock-file" => Self::Lock,
            "services" => Self::Services { question: parts.text(), argument: parts.text() },
            _ => return Err(question),
        })
    }
}

fn of_place(question: &str, parts: &mut Parts) -> Question {
    let (file, line, column) = parts.place();
    match question {
        "hover" => Question::Hover { file, line, column },
        "complete" => Question::Complete { file, line, column },
        "define" => Question::Define { file, line, column },
        "references" => Question::References { file, line, column },
        _ => {
            let (name, recorded) = (parts.text(), parts.number::<u8>() > 0);
            Question::Rename { file, line, column, name, recorded }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_the_same_when_it_has_travelled() {
        let file = |name: &str| File { name: name.into(), text: "a: 1\n".into(), package: None };
        let (text, files) = (|it: &str| it.to_owned(), || vec![file("a"), file("b")]);
        let place = (text("a.yaml"), 3, 4);
        let (line, column) = (place.1, place.2);
        let questions = [
            Question::Hover { file: text("a"), line, column },
            Question::Complete { file: text("a"), line, column },
            Question::Define { file: text("a"), line, column },
            Question::References { file: text("a"), line, column },
            Question::Rename { file: text("a"), line, column, name: text("b"), recorded: true },
            Question::Outline { file: text("a") },
            Question::Format { name: text("a"), text: text("b") },
            Question::Compare {
                before: ComparedSide::State(text("{}")),
                after: ComparedSide::Files(files()),
            },
            Question::Compare { before: ComparedSide::Files(files()), after: ComparedSide::Files(vec![]) },
            Question::SetValue { file: text("a"), pointer: text("/b"), yaml: text("c") },
            Question::Recognise { files: files() },
            Question::ReadPackage { name: text("a.zip"), bytes: text("UEs") },
            Question::WritePackage,
            Question::FilesToShare { files: files() },
            Question::MergedText,
            Question::Picture { files: files() },
            Question::Places { sizes: vec![[1.5, -0.1], [2.0, 3.0]], edges: vec![[0, 1]] },
            Question::ResolveIf { ranges: vec![(text("a"), text(">=1")), (text("b"), text("2"))] },
            Question::WouldMove { id: text("a") },
            Question::Upgrades { package: text("a") },
            Question::Lock,
            Question::Services { question: text("a"), argument: text("b") },
        ];
        let formats = GraphFormat::ALL.iter().map(|format| Question::GraphText { format: *format });
        for question in questions.into_iter().chain(formats) {
            let written = serde_json::to_string(&question).unwrap();
            let read: Question = serde_json::from_str(&written).unwrap();
            assert_eq!(format!("{read:?}"), format!("{question:?}"));
        }
        assert!(serde_json::from_str::<Question>(&written_as("no-question")).is_err());
    }

    fn written_as(question: &str) -> String {
        serde_json::to_string(&FlatQuestion::new(question)).unwrap()
    }
}
