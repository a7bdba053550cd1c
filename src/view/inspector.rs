//! The tie inspector: why the selected row has its rank, and the commands whose replies say so.
//!
//! It is a panel over the half of the table in which the selected row does not stand.

use crate::app::geometry::Geometry;
use crate::app::page::Shown;
use crate::app::state::State;
use crate::board::order::Order;
use crate::board::packed::scoring::Scoring;
use crate::board::rank::{RankStyle, Standing};
use crate::board::score::Score;
use crate::query::round_trip::CommandReply;
use crate::text::quoting::argument;
use crate::text::{Charset, count, group_digits};
use crate::view::Appearance;
use crate::view::canvas::Canvas;
use crate::view::format::{called, counted, marks, own, version, wrapped};
use crate::view::panel;
use crate::view::parts;
use crate::view::segments::within;

/// Bytes of a key or a member in a command at most.
const ARGUMENT: usize = 64;
/// Columns of somebody's name in the title at most.
const NAME: usize = 40;
/// Columns of the words on the left.
const LABEL: u16 = 8;
/// Digits of an exact double at most; the smallest has a thousand.
const EXACT: usize = 60;

/// Fields of what is stored for a member at most, and columns of each.
const STORED: usize = 8;
const STORED_COLUMNS: usize = 200;

/// A line: what it is about, and what it says.
type Said = (&'static str, String);

/// Draws the panel for the selected row, where there is one.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State) {
    let Some(shown) = &state.session.shown else { return };
    let Some((standing, score)) =
        shown.window.standing(shown.selected).zip(shown.selected_entry()).map(|(s, e)| (s, e.score))
    else {
        return;
    };
    let look = canvas.look;
    let within = within(canvas.width());
    let mut said = explained(state, shown, &standing, score);
    said.extend(read_by(state));
    said.extend(told(&commands(state, shown, &standing, score), shown, look));
    let room = within.len().saturating_sub(usize::from(LABEL));
    let lines: Vec<(&str, String)> = said
        .iter()
        .flat_map(|(label, text)| {
            let labels = std::iter::once(*label).chain(std::iter::repeat(""));
            labels.zip(wrapped(&marks(text, look.charset), room, look.charset))
        })
        .collect();
    let needed = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
    let panel = panel::lines(state, geometry, needed);
    canvas.clear(panel.clone());
    let mut at = panel;
    if let Some(line) = at.next() {
        title(canvas, line, state, shown, &standing);
    }
    for (line, (label, text)) in at.zip(&lines) {
        canvas.put(within.start, within.start + LABEL, line, label, look.theme.heading);
        canvas.put(within.start.saturating_add(LABEL), within.end, line, text, look.theme.text);
    }
}

fn title(canvas: &mut Canvas, line: u16, state: &State, shown: &Shown, standing: &Standing) {
    let look = canvas.look;
    let who = shown.selected_entry().map(|entry| called(state, &entry.member, NAME, look.charset)).unwrap_or_default();
    let words = format!("why rank {}: {who} ", group_digits(&standing.rank(state.style).to_string(), ','));
    panel::title(canvas, line, &words);
}

/// The rank, the score, the tie and its rule, in words.
fn explained(state: &State, shown: &Shown, standing: &Standing, score: Score) -> Vec<Said> {
    let mut said = vec![("rank", rank_in_words(state, standing)), ("score", score_in_words(score))];
    let scoring = &shown.window.scoring;
    if let Some(spec) = scoring.spec() {
        said.push(("parts", parts_in_words(scoring, score)));
        said.push(("packed", format!("as {spec}; ranked{}", parts::ranked_on(&shown.window))));
    }
    let what = if scoring.spec().is_some() { "rank" } else { "score" };
    said.push(match standing.tie_group() {
        Some(group) => (
            "tie",
            format!(
                "{} share this {what}, at positions {} to {}; this is {} of {}",
                counted(group.size, "member"),
                count(group.first),
                count(group.last()),
                count(group.place_of(standing.position)),
                count(group.size),
            ),
        ),
        None => ("tie", format!("none: nobody else has this {what}; position {}", count(standing.position))),
    });
    said.push(("from", derived(shown, standing)));
    if standing.tied > 1 {
        said.push((
            "order",
            match shown.window.order {
                Order::Desc => "equal scores are ordered by the bytes of the id, reversed (high first)",
                Order::Asc => "equal scores are ordered by the bytes of the id",
            }
            .to_owned(),
        ));
    }
    said.extend(stored(state, shown));
    let probed = state.key().map(|key| state.probing.told(key)).unwrap_or_default();
    said.extend(probed.into_iter().enumerate().map(|(at, line)| (if at == 0 { "names" } else { "" }, line)));
    said.extend(state.missing().into_iter().map(|missing| ("here", missing.to_owned())));
    if !shown.window.verified {
        said.push(("note", "unverified: these numbers may be from different moments".to_owned()));
    }
    said
}

/// What is stored for the member beside its name.
fn stored(state: &State, shown: &Shown) -> Vec<Said> {
    let lines = state.key().zip(shown.selected_entry()).map(|(key, entry)| state.probing.value(key, &entry.member));
    let lines = lines.unwrap_or_default();
    let told =
        |(at, line): (usize, &String)| (if at == 0 { "stored" } else { "" }, own(line, STORED_COLUMNS, Charset::Utf8));
    let mut said: Vec<Said> = lines.iter().take(STORED).enumerate().map(told).collect();
    if lines.len() > STORED {
        said.push(("", format!("… {} more", counted(lines.len() as u64 - STORED as u64, "field"))));
    }
    said
}

/// How the count of better members followed from the read.
fn derived(shown: &Shown, standing: &Standing) -> String {
    let first = count(shown.window.start);
    match shown.window.position(0).cmp(&(standing.better + 1)) {
        std::cmp::Ordering::Greater => {
            format!("its tie starts above the first row read (position {first}), so it is counted there")
        }
        _ => {
            format!(
                "the rows read from position {first} on; its score starts at position {}",
                count(standing.better + 1)
            )
        }
    }
}

/// The very commands that the page was read by, and their replies.
fn read_by(state: &State) -> Vec<Said> {
    let told = |exchange: &CommandReply| ("", format!("{} → {}", exchange.command, exchange.reply));
    let head = (!state.session.evidence.is_empty()).then(|| ("read", "the commands that read this page:".to_owned()));
    head.into_iter().chain(state.session.evidence.iter().map(told)).collect()
}

fn rank_in_words(state: &State, standing: &Standing) -> String {
    let style = state.style;
    let rank = group_digits(&standing.rank(style).to_string(), ',');
    let through = standing.better + standing.tied;
    let why = match style {
        RankStyle::Competition => format!("{} strictly better + 1", counted(standing.better, "member")),
        RankStyle::Modified => format!("{} at least as good", counted(through, "member")),
        RankStyle::Dense => match standing.distinct_better {
            Some(scores) => format!("{} strictly better + 1", counted(scores, "distinct score")),
            None => state.uncounted_reason().unwrap_or_default(),
        },
        RankStyle::Ordinal => "the position".to_owned(),
        RankStyle::Fractional => {
            format!("the mean of positions {} to {}", count(standing.better + 1), count(through))
        }
    };
    let equals = if standing.rank(style).is_counted() { " =" } else { ":" };
    format!("{} rank {rank}{equals} {why}", style.name())
}

/// The parts of a score by their names.
fn parts_in_words(scoring: &Scoring, score: Score) -> String {
    let Some((parts, spec)) = scoring.parts(score).zip(scoring.spec()) else {
        return "this score is not of that form".to_owned();
    };
    let named: Vec<String> = spec.names().zip(&parts.values).map(|(name, value)| format!("{name} {value}")).collect();
    let grain = scoring.grain(std::iter::once(score)).map_or_else(String::new, |grain| format!("; {grain}"));
    format!("{}{grain}", named.join(", "))
}

/// The score, and the double it is where its shortest text is not all of it.
fn score_in_words(score: Score) -> String {
    let text = score.to_string();
    // The digits of a double end; a thousand and some hold the smallest.
    let exact = format!("{:.1080}", score.get());
    let exact = if exact.contains('.') { exact.trim_end_matches('0').trim_end_matches('.') } else { &exact };
    if score.get().is_infinite() || exact == text {
        return text;
    }
    match exact.get(..EXACT) {
        Some(begin) => format!("{text}, stored as {begin}…"),
        None => format!("{text}, stored as {exact}"),
    }
}

/// A command, and what it answers.
type Evidence = (String, String);

/// The commands that give the numbers of the selected row.
fn commands(state: &State, shown: &Shown, standing: &Standing, score: Score) -> Vec<Evidence> {
    let key = argument(state.key().map_or(&b""[..], AsRef::as_ref), ARGUMENT);
    let member = shown.selected_entry().map(|entry| argument(entry.member.as_bytes(), ARGUMENT)).unwrap_or_default();
    let group = shown.window.scoring.grouping().range(score);
    let (from, to) = group.better(shown.window.order);
    let place = match shown.window.order {
        Order::Desc => "ZREVRANK",
        Order::Asc => "ZRANK",
    };
    vec![
        (format!("ZCOUNT {key} {from} {to}"), standing.better.to_string()),
        (format!("ZCOUNT {key} {} {}", group.from(), group.to()), standing.tied.to_string()),
        (format!("{place} {key} {member}"), format!("{} (counted from 0)", standing.position.saturating_sub(1))),
    ]
}

/// The evidence as lines, under the moment at which it holds.
fn told(evidence: &[Evidence], shown: &Shown, look: &Appearance) -> Vec<Said> {
    let when = shown
        .window
        .version
        .as_ref()
        .map_or_else(String::new, |at| format!(" as long as the version is {}", version(Some(at), look.charset)));
    let lines = evidence.iter().map(|(command, reply)| ("", format!("{command} → {reply}")));
    std::iter::once(("check", format!("commands that give the same numbers{when}:"))).chain(lines).collect()
}
