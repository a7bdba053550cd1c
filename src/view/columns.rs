//! Which columns the table has at a width, and where they lie. Columns give way in order, gap, id, move, position; rank,
//! name and score never.

/// The name is given this much before any of the columns that give way.
const NAME_AT_LEAST: u16 = 20;
/// Names need not be longer than this, on screens of up to 100 columns; beyond, a quarter of the screen.
const NAME_ENOUGH: u16 = 28;
/// Screens narrower than this have no margins.
const NARROW: u16 = 40;
/// A sign, a blank and four digits.
const MOVE: u16 = 6;
/// Scores have this much where there is room, so that the column stays where it is while scores grow.
const SCORE_AT_LEAST: u16 = 9;
/// Columns that grow do so by this much at once, for the same reason.
const STEP: u16 = 4;

/// Columns of the screen, from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u16,
    pub(super) end: u16,
}

impl Span {
    /// How many columns.
    pub(super) fn width(self) -> usize {
        usize::from(self.end.saturating_sub(self.start))
    }
}

/// The widest of what is in sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// Of ranks, by the size of the board.
    pub(super) rank: u16,
    /// Of ranks in sight.
    pub(super) rank_in_sight: u16,
    /// Of ids; `None` where names are not kept apart from ids.
    pub(super) id: Option<u16>,
    /// Of scores.
    pub(super) score: u16,
    /// Of gaps.
    pub(super) gap: u16,
    /// Of positions, by the size of the board.
    pub(super) position: u16,
}

/// Where each column lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) bracket: u16,
    pub(super) rank: Span,
    pub(super) movement: Option<Span>,
    pub(super) player: Span,
    pub(super) id: Option<Span>,
    pub(super) score: Span,
    pub(super) gap: Option<Span>,
    pub(super) position: Option<Span>,
}

impl Columns {
    /// The columns of a screen `width` wide.
    pub(super) fn of(width: u16, needs: &Needs) -> Self {
        (0..4).find_map(|given_way| roomy(width, needs, given_way)).unwrap_or_else(|| tight(width, needs))
    }
}

/// The layout in which so many columns have given way, where it leaves room enough for names.
fn roomy(width: u16, needs: &Needs, given_way: u8) -> Option<Columns> {
    let is_narrow = width < NARROW;
    let (margin, between) = if is_narrow { (0, 1) } else { (1, 2) };
    let stepped = |need: u16, least: u16| least + need.saturating_sub(least).div_ceil(STEP) * STEP;
    let gap = (given_way < 1).then(|| between + stepped(needs.gap, 8));
    let id = if given_way < 2 { needs.id.map(|need| between + stepped(need, 8)) } else { None };
    let movement = (given_way < 3).then_some(MOVE + 1);
    let position = (given_way < 4).then(|| between + needs.position.max(6));
    let rank = margin + 2 + needs.rank.max(4);
    let score = between + stepped(needs.score, SCORE_AT_LEAST);
    let optional = [gap, id, movement, position].into_iter().flatten().fold(0, u16::saturating_add);
    let taken = rank.saturating_add(score).saturating_add(optional).saturating_add(between + margin);
    let name = width.checked_sub(taken).filter(|name| *name >= NAME_AT_LEAST)?;
    let mut x = rank;
    // Takes `columns` of which the last `width` are the span.
    let mut take = |columns: u16, width: u16| {
        x += columns;
        Span { start: x - width, end: x }
    };
    let movement = movement.map(|columns| take(columns, MOVE));
    let name = name.min(NAME_ENOUGH.max(width / 4));
    Some(Columns {
        bracket: margin,
        rank: Span { start: margin + 2, end: rank },
        movement,
        player: take(between + name, name),
        id: id.map(|columns| take(columns, columns - between)),
        score: take(score, score - between),
        gap: gap.map(|columns| take(columns, columns - between)),
        position: position.map(|columns| take(columns, columns - between)),
    })
}

/// The three columns that never give way, on whatever room there is: the rank first, then the score, the name with what
/// is left.
fn tight(width: u16, needs: &Needs) -> Columns {
    let margin = u16::from(width >= NARROW);
    let digits = needs.rank_in_sight.max(if width < NARROW { 0 } else { 4 });
    let rank = (margin + 2 + digits).min(width);
    let left = width - rank;
    // A name of three columns tells more than the last digits of a score of twenty.
    let score = needs.score.min(left.saturating_sub(2 + left.min(5).saturating_sub(2)));
    let end = width.saturating_sub(margin).max(rank);
    let score = Span { start: end - score.min(end - rank), end };
    let player = (rank + 1).min(score.start);
    let player = Span { start: player, end: score.start.saturating_sub(1).max(player) };
    Columns {
        bracket: margin,
        rank: Span { start: (margin + 2).min(width), end: rank },
        movement: None,
        player,
        id: None,
        score,
        gap: None,
        position: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NEEDS: Needs = Needs { rank: 6, rank_in_sight: 2, id: Some(6), score: 5, gap: 3, position: 6 };

    fn spans(columns: &Columns) -> Vec<Span> {
        let Columns { bracket: _, rank, movement, player, id, score, gap, position } = *columns;
        [Some(rank), movement, Some(player), id, Some(score), gap, position].into_iter().flatten().collect()
    }

    #[test]
    fn columns_give_way_in_order() {
        let kept = |width| {
            let columns = Columns::of(width, &NEEDS);
            [columns.gap, columns.id, columns.movement, columns.position].map(|span| span.is_some())
        };
        assert_eq!(kept(120), [true; 4]);
        let mut last = 4;
        for width in (0..200).rev() {
            let kept = kept(width);
            let count = kept.iter().filter(|kept| **kept).count();
            assert!(count <= last, "{width} columns");
            assert!(kept.is_sorted(), "{width}: {kept:?}");
            last = count;
        }
        assert_eq!(last, 0);
    }

    #[test]
    fn twenty_columns_show_rank_name_and_score() {
        let columns = Columns::of(20, &NEEDS);
        assert_eq!((columns.rank.width(), columns.score.width()), (2, 5));
        assert!(columns.player.width() >= 8, "{columns:?}");
    }

    proptest! {
        #[test]
        fn spans_follow_each_other_on_the_screen(
            width in 0_u16..600, rank in 1_u16..20, id in proptest::option::of(0_u16..36), score in 1_u16..30,
            gap in 0_u16..30, position in 1_u16..20,
        ) {
            let columns = Columns::of(width, &Needs { rank, rank_in_sight: rank, id, score, gap, position });
            let mut x = 0;
            for span in spans(&columns) {
                prop_assert!(span.start >= x && span.end >= span.start && span.end <= width, "{:?}", columns);
                x = span.end;
            }
        }
    }
}
