use crate::piece::{Bracket, Kind};

/// True if there is a space between two pieces of one line, the first of which may be missing. `has_space` says whether
/// there was one, which decides where a missing value would otherwise read as something else.
pub(crate) const fn is_spaced(before: Kind, behind: Kind, has_space: bool) -> bool {
    match (before, behind) {
        (Kind::Open(Bracket::Curly), Kind::Close(_)) | (Kind::Open(Bracket::Square), _) => false,
        (Kind::Colon | Kind::Property, Kind::Comma | Kind::Close(Bracket::Square)) => has_space,
        (_, Kind::Comma | Kind::Close(Bracket::Square)) => false,
        (Kind::Alias | Kind::Property, Kind::Colon) => true,
        (Kind::Dash | Kind::Question | Kind::Comma | Kind::Open(_), Kind::Colon) => true,
        (_, Kind::Colon) => false,
        _ => true,
    }
}
