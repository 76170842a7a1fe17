use crate::Types;

impl Types {
    /// The built-in kinds: payload, network, service, meta.
    pub fn builtin() -> Self {
        todo!()
    }
}
