//! Arguments of queries as they travel: lists of texts, numbers and files, each in the order of the fields.

use serde::{Deserialize, Serialize};
use workspace::{File, view::GraphFormat};

/// The arguments of a query. They are taken out at the end of each list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Arguments {
    texts: Vec<String>,
    numbers: Vec<u64>,
    files: Vec<Vec<File>>,
}

impl Arguments {
    /// The arguments in the order in which they are taken out.
    #[must_use]
    pub(super) fn reversed(mut self) -> Self {
        self.texts.reverse();
        self.numbers.reverse();
        self.files.reverse();
        self
    }
}

/// A field of a query. One that is missing is read as empty or zero.
pub(super) trait Argument {
    /// Adds it to arguments.
    fn write(self, to: &mut Arguments);
    /// Takes it out of arguments.
    fn read(from: &mut Arguments) -> Self;
}

impl Argument for String {
    fn write(self, to: &mut Arguments) {
        to.texts.push(self);
    }

    fn read(from: &mut Arguments) -> Self {
        from.texts.pop().unwrap_or_default()
    }
}

impl Argument for Vec<File> {
    fn write(self, to: &mut Arguments) {
        to.files.push(self);
    }

    fn read(from: &mut Arguments) -> Self {
        from.files.pop().unwrap_or_default()
    }
}

/// Conversions of numbers, which are exact for those that are written.
macro_rules! number {
    ($($type:ty: $write:expr, $read:expr;)*) => {
        $(impl Argument for $type {
            fn write(self, to: &mut Arguments) {
                to.numbers.push($write(self));
            }

            fn read(from: &mut Arguments) -> Self {
                $read(from.numbers.pop().unwrap_or_default())
            }
        })*
    };
}

number! {
    u32: u64::from, |it| it as Self;
    usize: |it| it as u64, |it| it as Self;
    bool: u64::from, |it| it != 0;
    f32: |it: Self| u64::from(it.to_bits()), |it| Self::from_bits(it as u32);
}

impl Argument for GraphFormat {
    fn write(self, to: &mut Arguments) {
        self.as_str().to_owned().write(to);
    }

    fn read(from: &mut Arguments) -> Self {
        Self::named(&String::read(from)).unwrap_or(Self::Svg)
    }
}

impl<A: Argument, B: Argument> Argument for (A, B) {
    fn write(self, to: &mut Arguments) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Arguments) -> Self {
        (A::read(from), B::read(from))
    }
}

impl<A: Argument + Copy> Argument for [A; 2] {
    fn write(self, to: &mut Arguments) {
        (self[0], self[1]).write(to);
    }

    fn read(from: &mut Arguments) -> Self {
        <(A, A)>::read(from).into()
    }
}

/// A list that is no list of files.
macro_rules! list {
    ($($item:ty),*) => {
        $(impl Argument for Vec<$item> {
            fn write(self, to: &mut Arguments) {
                self.len().write(to);
                self.into_iter().for_each(|it| it.write(to));
            }

            fn read(from: &mut Arguments) -> Self {
                (0..usize::read(from)).map(|_| Argument::read(from)).collect()
            }
        })*
    };
}

list!([f32; 2], [usize; 2], (String, String));
