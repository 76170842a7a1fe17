use std::sync::Arc;

/// Shares the short texts a file repeats, such as its keys.
#[derive(Debug)]
pub(crate) struct Names {
    /// The last text of each hash: a text that lost its place is only stored once more.
    slots: Vec<Option<Arc<str>>>,
}

const SLOTS: usize = 512;
const LONGEST: usize = 24;

impl Names {
    pub(crate) fn new() -> Self {
        Self { slots: vec![None; SLOTS] }
    }

    /// A shared copy of a text.
    pub(crate) fn share(&mut self, text: &str) -> Arc<str> {
        if text.len() > LONGEST {
            return text.into();
        }
        let hash = text
            .bytes()
            .fold(text.len() as u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let slot = &mut self.slots[(hash ^ (hash >> 15)) as usize % SLOTS];
        match slot {
            Some(known) if **known == *text => known.clone(),
            _ => slot.insert(text.into()).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_stored_once() {
        let mut names = Names::new();
        let first = names.share("payload");
        assert!(Arc::ptr_eq(&first, &names.share("payload")));
        assert_eq!(&*names.share(&"long".repeat(20)), "long".repeat(20));
    }
}
