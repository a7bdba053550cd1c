//! The notation against an obvious oracle: boards that are made from parts, whose ranks and ties are counted on the parts.

use proptest::prelude::*;

use super::decode::Parts;
use super::examples::EXAMPLES;
use super::*;
use crate::board::order::Order;

fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

fn decoded(text: &str, value: f64) -> Option<Vec<String>> {
    spec(text).decode(score(value)).map(|parts| parts.values.iter().map(ToString::to_string).collect())
}

fn amounts(parts: &Parts) -> Vec<i128> {
    parts.values.iter().map(|value| value.amount).collect()
}

#[test]
fn every_example_reads_as_it_is_written() {
    for example in EXAMPLES {
        assert_eq!(spec(example.spec).to_string(), example.spec);
    }
}

#[test]
fn scores_in_their_parts() {
    for (text, value, wanted) in [
        ("points,time:10=9999999999-s", 5_008_208_409_599.0, Some(vec!["500", "2026-10-10T00:00:00Z"])),
        ("points,time:10=9999999999-s", 0.0, Some(vec!["0", "2286-11-20T17:46:39Z"])),
        ("points,time:10=9999999999-s", -1.0, Some(vec!["-1", "1970-01-01T00:00:00Z"])),
        ("points,time:13=1e13-ms", 5e15 + 8_208_409_600_000.0, Some(vec!["500", "2026-10-10T00:00:00Z"])),
        ("points.time:11=9999999999-s", 20_000.082_084_095_99, Some(vec!["20000", "2026-10-10T00:00:00Z"])),
        ("points.tie:4", 7.1234, Some(vec!["7", "1234"])),
        ("points.tie:4", 7.999_99, Some(vec!["7", "9999"])),
        ("points.tie:4", -0.25, Some(vec!["-1", "7500"])),
        ("points,left:26b s~", 67_108_864.0 * 12.0 + 99.0, Some(vec!["12", "99"])),
        (
            "points,time:32b=5967498495-s@-2^53",
            -9_007_199_254_740_992.0 + 4_294_967_296.0,
            Some(vec!["1", "2159-02-07T06:28:15Z"]),
        ),
        ("wpm/100,acc:5/100,left:5s~@1e15", 1_123_450_987_682_800.0, Some(vec!["123.45", "98.76", "82800"])),
        ("solved,penalty:6-s~", 3e6 - 4_321.0, Some(vec!["3", "4321"])),
        ("solved,penalty:6-s~", 3e6, Some(vec!["3", "0"])),
        ("solved,penalty:6-s~", -4_321.0, Some(vec!["0", "4321"])),
        ("solved,penalty:6-s~", -1e6, None),
        ("gold,silver:3,bronze:3", 10_004_002.0, Some(vec!["10", "4", "2"])),
        ("gold,silver:3,bronze:3", f64::INFINITY, None),
        ("gold,silver:3,bronze:3", 1e300, None),
        ("points", 12.0, Some(vec!["12"])),
        ("wpm/100", 12_345.0, Some(vec!["123.45"])),
        ("wpm/100", -5.0, Some(vec!["-0.05"])),
    ] {
        let wanted = wanted.map(|values| values.into_iter().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(decoded(text, value), wanted, "{text} of {value}");
    }
}

#[test]
fn lost_digits_are_told() {
    let grain = |text: &str, value: f64| spec(text).decode(score(value)).unwrap().grain;
    assert_eq!(grain("points,time:10=9999999999-s", 5e16), Some(8));
    assert_eq!(grain("points,time:10=9999999999-s", 900_000.0 * 1e10), None);
    assert_eq!(grain("points,time:13=1e13-ms", 5e16), Some(8));
    assert_eq!(grain("points.time:11=9999999999-s", 1e6), Some(11));
    assert_eq!(grain("points.time:13=1e13-ms", 1e6), Some(1164));
    let is_rough = |lead: f64| spec("points,raw:3").decode(score(lead * 1e3)).unwrap().is_lead_rough;
    assert_eq!((is_rough(9e15), is_rough(9.1e15)), (false, true));
}

#[test]
fn faults_have_a_column_and_an_example() {
    for (text, column, what, example) in [
        ("", 1, "a name", "rounds,raw:7"),
        ("points,", 8, "a name", "rounds,raw:7"),
        ("points,9time:10", 8, "a name", "points.tie:10"),
        ("points,time", 12, "a width", "points,time:41b ms"),
        ("points,time:x=9", 13, "a width", "points,time:41b ms"),
        ("points,time:0", 13, "1 to 15", "points,time:41b ms"),
        ("points,time:16", 13, "1 to 15", "points,time:13=1e13-ms"),
        ("points,time:54b", 13, "1 to 53", "points,time:41b ms"),
        ("points,time:10=s", 16, "a whole number", "points,time:10=9999999999-s"),
        ("points,time:10=99999999999999999999-s", 16, "too large", "points,time:10=9999999999-s"),
        ("points,time:10=9999999999s", 26, "'-' belongs", "points,time:10=9999999999-s"),
        ("points,time:10=9999999999-h", 27, "a unit", "points,time:10=9999999999-s"),
        ("points,time:10 x", 16, "a unit", "points,time:13=1e13-ms"),
        ("points;time:10", 7, "belongs here", "points.tie:10"),
        ("points,points:3", 8, "taken", "points.tie:10"),
        ("points,a:3,a:3", 12, "taken", "points,left:26b s~"),
        ("points.a:3,b:3", 11, "fraction", "points.tie:10"),
        ("points,a:8,b:8", 11, "no room", "points,left:26b s~"),
        ("points.a:8.b:8", 11, "no room", "points.tie:10"),
        ("points,a:3-,b:3", 12, "either all", "points,left:26b s~"),
        ("wpm/7", 5, "a power of ten", "rounds,raw:7"),
        ("points@", 8, "a whole number", "points.tie:10"),
        ("points@2^60", 8, "at most 2^53", "points.tie:10"),
        ("points@5 x", 10, "the end", "points.tie:10"),
        ("é,\u{1b}", 3, "a name", "rounds,raw:7"),
    ] {
        let error = text.parse::<Spec>().unwrap_err();
        assert!(error.column == column && error.what.contains(what), "{text}: {error:?}");
        assert!(example.is_empty() || EXAMPLES.iter().any(|one| one.spec == error.example), "{text}: {error:?}");
        let told = error.to_string();
        assert_eq!(told.lines().count(), 4);
        assert_eq!(told.lines().nth(2).unwrap().chars().position(|sign| sign == '^'), Some(column + 1), "{told}");
        assert!(!told.contains('\u{1b}'));
    }
}

#[test]
fn where_ranks_can_be_cut() {
    let width = |text: &str, parts: u8| match spec(text).grouping(RankParts::Leading(parts)) {
        Ok(Grouping::Cut(cut)) => Some(cut.width.get()),
        Ok(Grouping::Whole) => None,
        Err(_) => Some(f64::NAN),
    };
    let medals = "gold,silver:3,bronze:3";
    assert_eq!([1, 2, 3, 9].map(|parts| width(medals, parts)), [Some(1e6), Some(1e3), None, None]);
    assert_eq!(width("points,level:2.time:10s", 1), Some(100.0));
    assert_eq!(width("points,level:2.time:10s", 2), Some(1.0));
    assert_eq!(width("points.a:3b.b:4b", 2), Some(0.125));
    assert!(width("points.a:3.b:4", 2).unwrap().is_nan());
    assert_eq!(spec(medals).grouping(RankParts::All), Ok(Grouping::Whole));
}

/// A part as a random notation has it: its width, whether it is in bits, whether its value is turned.
type Shape = Vec<(u8, bool, bool)>;

/// A notation of these shapes, all in the whole number or all in the fraction.
fn notation(shape: &Shape, is_fraction: bool, is_subtracted: bool, offset: i64) -> Spec {
    let part = |(at, (width, is_bits, is_turned)): (usize, &(u8, bool, bool))| {
        let width = if *is_bits { Width::Bits(width * 3) } else { Width::Digits(*width) };
        let max = i64::try_from(width.size()).unwrap();
        let stored = match (is_subtracted, is_turned) {
            (true, _) => Stored::Subtracted,
            (false, true) => Stored::From(max),
            (false, false) => Stored::Bare,
        };
        Part { name: format!("p{at}"), is_fraction, width, stored, unit: Unit::Plain }
    };
    Spec { lead: "lead".to_owned(), unit: Unit::Plain, parts: shape.iter().enumerate().map(part).collect(), offset }
}

/// What a writer would make of a lead and the stored parts below it.
#[expect(clippy::cast_precision_loss, reason = "the strategies keep to what doubles hold")]
fn packed(spec: &Spec, lead: i64, stored: &[u64]) -> Score {
    let is_fraction = spec.parts.iter().any(|part| part.is_fraction);
    let width: u64 = spec.parts.iter().map(|part| part.width.size()).product();
    let low = spec.parts.iter().zip(stored).fold(0, |low, (part, stored)| low * part.width.size() + stored);
    let low = if spec.is_subtracted() { -(low as f64) } else { low as f64 };
    score(if is_fraction {
        lead as f64 + low / width as f64
    } else {
        spec.offset as f64 + lead as f64 * width as f64 + low
    })
}

/// Notations with a board of each: leads and what is stored below them, with many ties, both ends of each part's room and
/// leads near their limit.
fn boards() -> impl Strategy<Value = (Spec, Vec<(i64, Vec<u64>)>)> {
    let shape = prop::collection::vec((1_u8..4, any::<bool>(), any::<bool>()), 1..4);
    let offset = prop_oneof![Just(0_i64), Just(-1_000_000), Just(1_000_000_007)];
    (shape, any::<bool>(), any::<bool>(), offset).prop_flat_map(|(shape, is_fraction, is_subtracted, offset)| {
        let offset = if is_fraction { 0 } else { offset };
        let spec = notation(&shape, is_fraction, is_subtracted, offset);
        let width: u64 = spec.parts.iter().map(|part| part.width.size()).product();
        // Where the last unit of a part is still told apart.
        let limit = if is_fraction {
            (1_i64 << 50) / i64::try_from(width).unwrap() / 4
        } else {
            (1_i64 << 52) / i64::try_from(width).unwrap()
        };
        let lowest = if is_subtracted { 0 } else { -3 };
        let lead = prop_oneof![lowest..4_i64, (limit - 3).max(4)..(limit - 1).max(5)];
        let part = |size: u64| prop_oneof![Just(0), Just(1.min(size - 1)), Just(size - 1), 0..size];
        let low: Vec<_> = spec.parts.iter().map(|part_| part(part_.width.size())).collect();
        (Just(spec), prop::collection::vec((lead, low), 1..24))
    })
}

proptest! {
    #[test]
    fn parts_come_back_as_they_were_packed((spec, rows) in boards()) {
        for (lead, stored) in rows {
            let parts = spec.decode(packed(&spec, lead, &stored)).unwrap();
            let shown = spec.parts.iter().zip(&stored).map(|(part, &stored)| match part.stored {
                Stored::From(max) => i128::from(max) - i128::from(stored),
                _ => i128::from(stored),
            });
            let wanted: Vec<i128> = std::iter::once(i128::from(lead)).chain(shown).collect();
            prop_assert_eq!(amounts(&parts), wanted, "{} of {}", spec, packed(&spec, lead, &stored));
        }
    }

    /// Who is better and who is level, counted on the leading parts themselves.
    #[test]
    fn groups_are_those_of_the_leading_parts((spec, rows) in boards(), ranked in 1_u8..5, order in prop_oneof![Just(Order::Desc), Just(Order::Asc)]) {
        let Ok(grouping) = spec.grouping(RankParts::Leading(ranked)) else { return Ok(()) };
        let ranked = spec.ranked(RankParts::Leading(ranked));
        // Board order of a row's leading parts: what is subtracted goes the other way.
        let leading = |(lead, stored): &(i64, Vec<u64>)| {
            let sign = if spec.is_subtracted() { -1 } else { 1 };
            let low = stored.iter().map(|&stored| sign * i64::try_from(stored).unwrap());
            std::iter::once(*lead).chain(low).take(ranked).collect::<Vec<i64>>()
        };
        for a in &rows {
            for b in &rows {
                let (x, y) = (packed(&spec, a.0, &a.1), packed(&spec, b.0, &b.1));
                let is_better = match order {
                    Order::Desc => leading(a) > leading(b),
                    Order::Asc => leading(a) < leading(b),
                };
                prop_assert_eq!(grouping.is_same(x, y), leading(a) == leading(b), "{} {:?} {:?}", spec, x, y);
                prop_assert_eq!(grouping.is_better(order, x, y), is_better, "{} {:?} {:?}", spec, x, y);
            }
        }
    }

    /// A jump to a lead comes into its group.
    #[test]
    fn the_score_of_a_lead_is_in_its_group((spec, rows) in boards()) {
        let grouping = spec.grouping(RankParts::Leading(1)).unwrap();
        for (lead, stored) in rows {
            #[expect(clippy::cast_precision_loss, reason = "leads are far below 2^53")]
            let found = spec.score_of_lead(lead as f64).unwrap();
            prop_assert!(grouping.is_same(found, packed(&spec, lead, &stored)));
        }
    }

    #[test]
    fn what_is_printed_reads_the_same((spec, _) in boards(), unit in prop::sample::select(vec![
        Unit::Plain, Unit::Scale(100), Unit::Moment(Tick::Microsecond), Unit::Duration(Tick::Second), Unit::Duration(Tick::Millisecond),
    ])) {
        let mut spec = spec;
        spec.unit = unit;
        for part in &mut spec.parts {
            part.unit = unit;
        }
        prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
    }

    /// Any text is read or refused, with a column that is in it or right after it; scores decode or do not.
    #[test]
    fn no_text_breaks_the_reader(text in "\\PC{0,24}|[a-z0-9:,.=@^/~sbmue -]{0,40}|points[,.][a-z]{1,3}:[0-9]{1,3}b?(-|=[0-9e^]{1,6}-)?(s|ms|us|/100)?~?(@-?[0-9e^]{1,6})?", value in proptest::num::f64::ANY) {
        match text.parse::<Spec>() {
            Ok(spec) => {
                prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec.clone()));
                if let Some(score) = Score::new(value) {
                    let _ = spec.decode(score).map(|parts| parts.values.iter().map(ToString::to_string).collect::<String>());
                    for parts in 1..4 {
                        if let Ok(grouping) = spec.grouping(RankParts::Leading(parts)) {
                            prop_assert!(grouping.range(score).holds(score));
                        }
                    }
                }
            }
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column)),
        }
        let _ = text.parse::<member::MemberSpec>().map(|spec| spec.decode(text.as_bytes()));
    }
}
