//! The checksum of zip archives.

/// The remainders of four bits. Tables for several bytes at once are 16 KB, which weigh more than the time they save.
const REMAINDERS: [u32; 16] = remainders();

const fn remainders() -> [u32; 16] {
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut crc = bits as u32;
        let mut step = 0;
        while step < 4 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
            step += 1;
        }
        table[bits] = crc;
        bits += 1;
    }
    table
}

/// The CRC-32 of some bytes.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let four_bits = |crc: u32| (crc >> 4) ^ REMAINDERS[(crc & 15) as usize];
    !bytes.iter().fold(!0, |crc, byte| four_bits(four_bits(crc ^ u32::from(*byte))))
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
