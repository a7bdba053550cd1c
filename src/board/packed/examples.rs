//! The notation by examples: each is a way of packing that is in use. Errors name the nearest one, the docs list all.

/// A notation, and what it is for.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The notation.
    pub spec: &'static str,
    /// What a writer computes.
    pub formula: &'static str,
}

/// All examples.
pub const EXAMPLES: [Example; 13] = [
    Example { spec: "points,time:10=9999999999-s", formula: "points * 10^10 + (9999999999 - time in seconds)" },
    Example { spec: "points,time:13=1e13-ms", formula: "points * 10^13 + (10^13 - time in ms)" },
    Example { spec: "points.time:13=1e13-ms", formula: "points + 1 - time in ms / 10^13" },
    Example { spec: "points.time:11=9999999999-s", formula: "points + (9999999999 - time in seconds) / 10^11" },
    Example { spec: "points.tie:10", formula: "points + any fraction: the tie-break is shown raw" },
    Example { spec: "points,left:26b s~", formula: "points << 26 | seconds left" },
    Example { spec: "points,time:41b ms", formula: "points << 41 | time in ms" },
    Example {
        spec: "points,time:32b=5967498495-s@-2^53",
        formula: "-2^53 + points * 2^32 + (5967498495 - time in seconds)",
    },
    Example { spec: "points.time:40b s", formula: "points + time in seconds / 2^40" },
    Example {
        spec: "wpm/100,acc:5/100,left:5s~@1e15",
        formula: "10^15 + 100 * wpm * 10^10 + 100 * acc * 10^5 + seconds left",
    },
    Example { spec: "solved,penalty:6-s~", formula: "solved * 10^6 - penalty in seconds" },
    Example { spec: "gold,silver:3,bronze:3", formula: "gold * 10^6 + silver * 10^3 + bronze" },
    Example { spec: "rounds,raw:7", formula: "rounds * 10^7 + raw" },
];

/// Examples of how members are packed.
pub const MEMBER_EXAMPLES: [Example; 2] = [
    Example { spec: "time:10=5000000000-s \":\" id", formula: "(5000000000 - time in seconds) : id" },
    Example { spec: "time:u32 id:u32", formula: "64 bits, as bytes or as a number: time, id" },
];

/// The example that is the most like a text.
pub(super) fn nearest(text: &str, examples: &'static [Example]) -> &'static str {
    let distance = |example: &&Example| strsim::levenshtein(text, example.spec);
    examples.iter().min_by_key(distance).map_or("", |example| example.spec)
}
