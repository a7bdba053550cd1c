//! Sorts more pairs than are to be in memory: runs that are sorted in memory go to a temporary file each, which has no name
//! and goes with the program, and are merged at the end. It knows no board.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::vec;

use tokio::task::spawn_blocking;

use crate::board::diff::{Pair, Placed};
use crate::board::entry::Member;
use crate::board::rank::Standing;
use crate::board::score::Score;

/// So many bytes of pairs are in memory at most.
const MEMORY: usize = 8 * 1024 * 1024;

/// What a pair takes in memory besides the bytes of its member: itself, and what an allocation costs.
const OVERHEAD: usize = size_of::<Pair>() + 48;

/// So much of each run is read at once.
const BUFFER: usize = 64 * 1024;

/// An order of pairs.
pub(super) type Compare = fn(&Pair, &Pair) -> Ordering;

/// Takes pairs in any order.
pub(super) struct Sorter {
    compare: Compare,
    memory: usize,
    pairs: Vec<Pair>,
    used: usize,
    runs: Vec<File>,
}

impl Sorter {
    pub(super) fn new(compare: Compare) -> Self {
        Self::within(MEMORY, compare)
    }

    /// The same in so many bytes.
    fn within(memory: usize, compare: Compare) -> Self {
        Self { compare, memory, pairs: Vec::new(), used: 0, runs: Vec::new() }
    }

    /// Takes a pair. Now and then a run is sorted and written, on a thread of its own: the next page is on its way meanwhile,
    /// and its answer has to be received in time.
    pub(super) async fn push(&mut self, pair: Pair) -> io::Result<()> {
        self.used += pair.member.as_bytes().len() + OVERHEAD;
        self.pairs.push(pair);
        if self.used < self.memory {
            return Ok(());
        }
        let (pairs, compare) = (std::mem::take(&mut self.pairs), self.compare);
        let run = spawn_blocking(move || write_run(pairs, compare)).await.map_err(io::Error::other)??;
        self.runs.push(run);
        self.used = 0;
        Ok(())
    }

    /// All pairs in order; equal ones in the order in which they came.
    pub(super) fn sorted(mut self) -> io::Result<Sorted> {
        self.pairs.sort_by(self.compare);
        let files = self.runs.into_iter().map(|file| Run::File(BufReader::with_capacity(BUFFER, file)));
        let mut runs: Vec<_> = files.chain([Run::Memory(self.pairs.into_iter())]).collect();
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (at, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next()?.map(|pair| Reverse(Head { pair, run: at, compare: self.compare })));
        }
        Ok(Sorted { runs, heads })
    }
}

/// Sorts `pairs` and writes them to a file, which is read from its beginning.
fn write_run(mut pairs: Vec<Pair>, compare: Compare) -> io::Result<File> {
    pairs.sort_by(compare);
    let mut out = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
    for pair in pairs {
        write(&pair, &mut out)?;
    }
    let mut run = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    run.rewind()?;
    Ok(run)
}

/// Gives pairs in order.
pub(super) struct Sorted {
    runs: Vec<Run>,
    heads: BinaryHeap<Reverse<Head>>,
}

impl Sorted {
    pub(super) fn next(&mut self) -> io::Result<Option<Pair>> {
        let Some(Reverse(Head { pair, run, compare })) = self.heads.pop() else { return Ok(None) };
        if let Some(pair) = self.runs[run].next()? {
            self.heads.push(Reverse(Head { pair, run, compare }));
        }
        Ok(Some(pair))
    }
}

enum Run {
    File(BufReader<File>),
    Memory(vec::IntoIter<Pair>),
}

impl Run {
    fn next(&mut self) -> io::Result<Option<Pair>> {
        match self {
            Self::File(file) => read(file),
            Self::Memory(pairs) => Ok(pairs.next()),
        }
    }
}

/// The next pair of a run.
struct Head {
    pair: Pair,
    run: usize,
    compare: Compare,
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.compare)(&self.pair, &other.pair).then(self.run.cmp(&other.run))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

fn write(pair: &Pair, out: &mut impl Write) -> io::Result<()> {
    let member = pair.member.as_bytes();
    out.write_all(&(member.len() as u64).to_le_bytes())?;
    out.write_all(member)?;
    for placed in [&pair.from, &pair.to] {
        out.write_all(&[u8::from(placed.is_some())])?;
        if let Some(Placed { score, standing }) = placed {
            out.write_all(&score.get().to_le_bytes())?;
            let Standing { position, better, tied, distinct_better } = standing;
            for number in [*position, *better, *tied, distinct_better.map_or(0, |above| above + 1)] {
                out.write_all(&number.to_le_bytes())?;
            }
        }
    }
    Ok(())
}

fn read(file: &mut BufReader<File>) -> io::Result<Option<Pair>> {
    if file.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let length = usize::try_from(number(file)?).map_err(io::Error::other)?;
    let mut member = vec![0; length];
    file.read_exact(&mut member)?;
    let (from, to) = (placed(file)?, placed(file)?);
    Ok(Some(Pair { member: Member::from(member), from, to }))
}

fn placed(file: &mut impl Read) -> io::Result<Option<Placed>> {
    let mut is_there = [0];
    file.read_exact(&mut is_there)?;
    if is_there == [0] {
        return Ok(None);
    }
    let score = Score::new(f64::from_bits(number(file)?)).ok_or(io::ErrorKind::InvalidData)?;
    let (position, better, tied) = (number(file)?, number(file)?, number(file)?);
    let standing = Standing { position, better, tied, distinct_better: number(file)?.checked_sub(1) };
    Ok(Some(Placed { score, standing }))
}

fn number(file: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn placed() -> impl Strategy<Value = Option<Placed>> {
        let standing = (any::<u32>(), 0..4_u64, any::<Option<u32>>());
        let numbers = (proptest::num::f64::NORMAL | proptest::num::f64::INFINITE | proptest::num::f64::ZERO, standing);
        proptest::option::of(numbers.prop_map(|(score, (position, tied, distinct))| Placed {
            score: Score::new(score).unwrap(),
            standing: Standing {
                position: position.into(),
                better: position.into(),
                tied,
                distinct_better: distinct.map(u64::from),
            },
        }))
    }

    fn pair() -> impl Strategy<Value = Pair> {
        let member = prop_oneof!["[ab]{0,2}".prop_map(String::into_bytes), any::<Vec<u8>>()];
        (member, placed(), placed()).prop_map(|(member, from, to)| Pair { member: member.into(), from, to })
    }

    proptest! {
        #[test]
        fn is_what_a_stable_sort_of_all_of_them_is(
            pairs in proptest::collection::vec(pair(), 0..60), memory in 1_usize..3_000,
        ) {
            for compare in [|a: &Pair, b: &Pair| a.member.cmp(&b.member), Pair::compare_places] {
                let mut sorter = Sorter::within(memory, compare);
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(async {
                    for pair in &pairs {
                        sorter.push(pair.clone()).await.unwrap();
                    }
                });
                let mut sorted = sorter.sorted().unwrap();
                let mut found = Vec::new();
                while let Some(pair) = sorted.next().unwrap() {
                    found.push(pair);
                }
                let mut wanted = pairs.clone();
                wanted.sort_by(compare);
                prop_assert_eq!(found, wanted);
            }
        }
    }
}
