//! Which part a writer puts a member in. Readers need not know: they ask all parts.

use crc::{CRC_32_ISO_HDLC, Crc};

/// The checksum of zlib, PNG and gzip, which every language has.
const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// The part, from 0, of a member: the CRC-32 of its bytes, modulo the number of parts.
pub fn part_of(member: &[u8], shards: u32) -> u32 {
    CHECKSUM.checksum(member) % shards.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_checksum_that_every_language_has() {
        // As `python3 -c 'import zlib; print(zlib.crc32(b"123456789"))'` prints it.
        assert_eq!(CHECKSUM.checksum(b"123456789"), 0xcbf4_3926);
        assert_eq!(part_of(b"123456789", 16), 6);
        assert_eq!(part_of(b"anybody", 1), 0);
    }
}
