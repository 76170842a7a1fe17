/// A binary operator, except `&&` and `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// The comparison operator with this symbol.
    pub(super) fn comparison(word: &str) -> Option<Self> {
        Some(match word {
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            "in" => Self::In,
            _ => return None,
        })
    }

    /// The additive operator with this symbol.
    pub(super) fn sum(word: &str) -> Option<Self> {
        match word {
            "+" => Some(Self::Add),
            "-" => Some(Self::Subtract),
            _ => None,
        }
    }

    /// The multiplicative operator with this symbol.
    pub(super) fn product(word: &str) -> Option<Self> {
        match word {
            "*" => Some(Self::Multiply),
            "/" => Some(Self::Divide),
            "%" => Some(Self::Remainder),
            _ => None,
        }
    }

    /// True if it gives a boolean.
    pub(super) const fn is_comparison(self) -> bool {
        !matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder)
    }
}
