//! Names for the players of a contest, composed from `assets/names.txt` (which states its own format). A name follows
//! from the seed and the player's number alone; this file knows nothing of scores.

const FILE: &str = include_str!("../../assets/names.txt");

/// Every how many-th player carries a mark, such as an emoji.
const MARKED: u64 = 11;

/// Prime and larger than any pool's two lists, so that stepping by it through their pairs meets each pair once.
const STRIDE: u64 = 7919;

/// What names are made of.
#[derive(Debug, Default)]
pub(super) struct Names {
    famous: Vec<&'static str>,
    pools: Vec<Pool>,
    marks: Vec<&'static str>,
}

#[derive(Debug)]
struct Pool {
    weight: u64,
    pattern: &'static str,
    given: Vec<&'static str>,
    family: Vec<&'static str>,
}

impl Names {
    /// Reads the parts that come with the program.
    pub(super) fn new() -> Self {
        let mut names = Self::default();
        for line in FILE.lines() {
            let Some((word, value)) = line.split_once(' ') else {
                continue;
            };
            let parts = || value.split('|').collect();
            match (word, names.pools.last_mut()) {
                ("famous", _) => names.famous.push(value),
                ("marks", _) => names.marks = parts(),
                ("pool", _) => {
                    if let Some((weight, pattern)) = value.split_once(' ') {
                        names.pools.push(Pool {
                            weight: weight.parse().unwrap_or(0),
                            pattern,
                            given: Vec::new(),
                            family: Vec::new(),
                        });
                    }
                }
                ("given", Some(pool)) => pool.given = parts(),
                ("family", Some(pool)) => pool.family = parts(),
                _ => {}
            }
        }
        names
    }

    /// How many players, from number 0 on, bear the name of somebody known.
    pub(super) fn famous(&self) -> usize {
        self.famous.len()
    }

    /// The name of the player with this number. No two numbers share one.
    pub(super) fn of(&self, seed: u64, number: u64) -> String {
        if let Some(name) = self.famous.iter().zip(0..).find_map(|(name, at)| (at == number).then_some(name)) {
            return (*name).to_owned();
        }
        let mut name = self.composed(seed, number);
        if number.is_multiple_of(MARKED)
            && let Some(mark) = pick(&self.marks, number / MARKED)
        {
            name.push(' ');
            name.push_str(mark);
        }
        name
    }

    /// Deals numbers out to the pools in turn by weight. Within a pool the count of those dealt before says which pair of
    /// parts is next; once all pairs are used up, a number behind the name tells its bearers apart.
    fn composed(&self, seed: u64, number: u64) -> String {
        let sum: u64 = self.pools.iter().map(|pool| pool.weight).sum();
        // A step that has no divisor in common with the sum of weights visits all of its
        // places, but not one pool in a row.
        let mut place = number % sum * 37 % sum;
        for pool in &self.pools {
            if place >= pool.weight {
                place -= pool.weight;
                continue;
            }
            let count = number / sum * pool.weight + place;
            let givens = pool.given.len() as u64;
            let pairs = givens * pool.family.len() as u64;
            let pair = (count % pairs * STRIDE + seed % pairs) % pairs;
            let (given, family) = (pick(&pool.given, pair), pick(&pool.family, pair / givens));
            let name = pool
                .pattern
                .replace("{given}", given.unwrap_or_default())
                .replace("{family}", family.unwrap_or_default());
            return match count / pairs {
                0 => name,
                round => format!("{name} {}", round + 1),
            };
        }
        format!("Player {number}")
    }
}

/// The part at `index`, counted round and round.
fn pick(parts: &[&'static str], index: u64) -> Option<&'static str> {
    let at = index.checked_rem(parts.len() as u64)?;
    parts.get(usize::try_from(at).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_line_of_the_file_is_understood() {
        let names = Names::new();
        let said: Vec<_> = FILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        let understood = names.famous.len() + 3 * names.pools.len() + 1;
        assert_eq!(said.len(), understood);
        assert!(names.famous.len() >= 50 && names.marks.len() >= 10);
        assert_eq!(names.pools.iter().map(|pool| pool.weight).sum::<u64>(), 100);
        for pool in &names.pools {
            assert!(pool.given.len() >= 15 && pool.family.len() >= 15, "{pool:?}");
            assert!(pool.weight > 0 && pool.pattern.contains("{given}") && pool.pattern.contains("{family}"));
            assert!(pool.given.len().max(pool.family.len()) < 7919);
            for parts in [&pool.given, &pool.family] {
                assert_eq!(parts.iter().collect::<BTreeSet<_>>().len(), parts.len(), "twice in {parts:?}");
            }
        }
        let all = names.pools.iter().flat_map(|pool| pool.given.iter().chain(&pool.family));
        for part in all.chain(&names.famous).chain(&names.marks) {
            assert!(!part.is_empty() && part.trim() == *part && !part.contains(char::is_control), "{part:?}");
        }
    }

    #[test]
    fn no_two_players_share_a_name() {
        let names = Names::new();
        for seed in [0, 7, u64::MAX] {
            let distinct: BTreeSet<_> = (0..30_000).map(|number| names.of(seed, number)).collect();
            assert_eq!(distinct.len(), 30_000);
        }
    }

    #[test]
    fn names_come_in_many_scripts_early_on() {
        let names = Names::new();
        let first: String = (0..200).map(|number| names.of(7, number)).collect();
        for (script, range) in [
            ("Latin with accents", 'À'..='ž'),
            ("Greek", 'Α'..='ω'),
            ("Cyrillic", 'А'..='я'),
            ("Hebrew", 'א'..='ת'),
            ("Arabic", 'ء'..='ي'),
            ("Devanagari", 'अ'..='ह'),
            ("Thai", 'ก'..='ฮ'),
            ("Kana", 'ぁ'..='ヺ'),
            ("Han", '一'..='鿿'),
            ("Hangul", '가'..='힣'),
            ("flags", '🇦'..='🇿'),
            ("joined emoji", '\u{200d}'..='\u{200d}'),
        ] {
            assert!(first.contains(|c| range.contains(&c)), "{script} is missing");
        }
    }
}
