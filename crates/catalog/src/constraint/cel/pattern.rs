//! Regular expressions as far as names and versions need them: `^ $ . [a-z] [^a-z] \d \w \s * + ? ( ) |`.

use super::evaluate::Evaluation;

/// True if a pattern is found in a text; `None` if the pattern cannot be read or takes too many steps.
pub(super) fn matches(evaluation: &mut Evaluation, text: &str, pattern: &str) -> Option<bool> {
    let mut reader = Reader { rest: pattern, depth: 0 };
    let alternatives = reader.alternatives()?;
    if !reader.rest.is_empty() {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let mut search = Search { evaluation, text: &characters, depth: 0 };
    for start in 0..=characters.len() {
        if search.alternatives(&alternatives, start, &mut |_, _| Some(true))? {
            return Some(true);
        }
    }
    Some(false)
}

/// The repeated part of a pattern.
#[derive(Clone, Debug)]
enum Atom {
    Any,
    Start,
    End,
    Class(Vec<(char, char)>, bool),
    Group(Vec<Vec<Piece>>),
}

#[derive(Clone, Debug)]
struct Piece {
    atom: Atom,
    least: u32,
    most: u32,
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

/// The highest depth of groups.
const DEEPEST: usize = 16;

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let character = chars.next()?;
        self.rest = chars.as_str();
        Some(character)
    }

    fn take(&mut self, character: char) -> bool {
        let after = self.rest.strip_prefix(character);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn alternatives(&mut self) -> Option<Vec<Vec<Piece>>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut alternatives = vec![self.sequence()?];
        while self.take('|') {
            alternatives.push(self.sequence()?);
        }
        self.depth -= 1;
        Some(alternatives)
    }

    fn sequence(&mut self) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let atom = self.atom()?;
            let (least, most) = self.times();
            pieces.push(Piece { atom, least, most });
        }
        Some(pieces)
    }

    fn times(&mut self) -> (u32, u32) {
        let times = match self.rest.chars().next() {
            Some('*') => (0, u32::MAX),
            Some('+') => (1, u32::MAX),
            Some('?') => (0, 1),
            _ => return (1, 1),
        };
        self.next();
        // Lazy and greedy repetitions match the same texts.
        self.take('?');
        times
    }

    fn atom(&mut self) -> Option<Atom> {
        Some(match self.next()? {
            '.' => Atom::Any,
            '^' => Atom::Start,
            '$' => Atom::End,
            '[' => self.class()?,
            '(' => {
                if self.take('?') && !self.take(':') {
                    return None;
                }
                let group = Atom::Group(self.alternatives()?);
                self.take(')').then_some(group)?
            }
            '\\' => Atom::Class(self.escape()?, false),
            '*' | '+' | '?' | '{' => return None,
            character => Atom::Class(vec![(character, character)], false),
        })
    }

    fn class(&mut self) -> Option<Atom> {
        let (is_other, mut ranges) = (self.take('^'), Vec::new());
        while ranges.is_empty() || !self.take(']') {
            let first = match self.next()? {
                '\\' => {
                    ranges.extend(self.escape()?);
                    continue;
                }
                character => character,
            };
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]") && self.take('-');
            let last = if is_range { self.next()? } else { first };
            ranges.push((first, last));
        }
        Some(Atom::Class(ranges, is_other))
    }

    fn escape(&mut self) -> Option<Vec<(char, char)>> {
        Some(match self.next()? {
            'd' => vec![('0', '9')],
            'w' => vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
            's' => vec![('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')],
            character if character.is_ascii_punctuation() => vec![(character, character)],
            _ => return None,
        })
    }
}

/// The rest of a match, from the place where a part of it ends.
type Continuation<'t> = &'t mut dyn FnMut(&mut Search<'_>, usize) -> Option<bool>;

struct Search<'a> {
    evaluation: &'a mut Evaluation,
    text: &'a [char],
    depth: u32,
}

/// The highest number of pending pieces: searching is recursive.
const WAITING: u32 = 400;

impl Search<'_> {
    fn alternatives(
        &mut self,
        alternatives: &[Vec<Piece>],
        at: usize,
        then: Continuation<'_>,
    ) -> Option<bool> {
        for pieces in alternatives {
            if self.sequence(pieces, at, then)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn sequence(&mut self, pieces: &[Piece], at: usize, then: Continuation<'_>) -> Option<bool> {
        self.evaluation.step(1)?;
        self.depth += 1;
        let found = match pieces.split_first() {
            _ if self.depth > WAITING => None,
            None => then(self, at),
            Some((piece, rest)) => match &piece.atom {
                Atom::Group(group) => self.group(piece, group, rest, (at, 0), then),
                Atom::Start | Atom::End => self.edge(piece, rest, at, then),
                Atom::Any | Atom::Class(..) => self.characters(piece, rest, at, then),
            },
        };
        self.depth -= 1;
        found
    }

    /// The rest of a match after a group that has matched a number of times.
    fn group(
        &mut self,
        piece: &Piece,
        group: &[Vec<Piece>],
        rest: &[Piece],
        (at, times): (usize, u32),
        then: Continuation<'_>,
    ) -> Option<bool> {
        if times >= piece.least && self.sequence(rest, at, then)? {
            return Some(true);
        }
        if times >= piece.most {
            return Some(false);
        }
        self.alternatives(group, at, &mut |search, end| {
            // An empty match is not repeated.
            if end == at {
                return search.sequence(rest, end, then);
            }
            search.group(piece, group, rest, (end, times + 1), then)
        })
    }

    fn edge(&mut self, piece: &Piece, rest: &[Piece], at: usize, then: Continuation<'_>) -> Option<bool> {
        let is_there = match piece.atom {
            Atom::Start => at == 0,
            _ => at == self.text.len(),
        };
        if is_there || piece.least == 0 { self.sequence(rest, at, then) } else { Some(false) }
    }

    fn characters(
        &mut self,
        piece: &Piece,
        rest: &[Piece],
        at: usize,
        then: Continuation<'_>,
    ) -> Option<bool> {
        let least = piece.least as usize;
        let following = self.text.get(at..).unwrap_or_default();
        let count =
            following.iter().take(piece.most as usize).take_while(|it| piece.atom.admits(**it)).count();
        self.evaluation.step(count)?;
        for count in (least..=count).rev() {
            if self.sequence(rest, at + count, then)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

impl Atom {
    fn admits(&self, character: char) -> bool {
        match self {
            Self::Any => character != '\n',
            Self::Class(ranges, is_other) => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&character)) != *is_other
            }
            Self::Start | Self::End | Self::Group(_) => false,
        }
    }
}
