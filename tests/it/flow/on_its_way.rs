//! The mark of an answer that is on its way: there where it takes long, with how many presses wait behind it.

use ranktop::app::presses::MARK_AFTER;

use super::harness::{Flow, ladder, lines};
use crate::screens::dump::{drawn, line};
use crate::screens::states::colours;

const ROWS: u16 = 10;

fn footer(flow: &Flow) -> String {
    line(&drawn(&flow.state, &colours(), (80, lines(ROWS)), flow.now).0, lines(ROWS) - 1)
}

#[test]
fn what_takes_long_is_marked_and_presses_behind_it_are_counted() {
    let mut flow = Flow::of(ROWS, &ladder(200));
    flow.is_slow = true;
    flow.press("PgDn");
    flow.drawn();
    let ms = u64::try_from(MARK_AFTER.as_millis()).unwrap();
    flow.wait_ms(ms - 1);
    assert!(!flow.drawn() && !footer(&flow).contains("reading"), "an answer that comes at once needs no mark");
    flow.wait_ms(1);
    assert!(flow.drawn() && footer(&flow).contains("  reading …  "), "{}", footer(&flow));
    for (key, said) in [("j", "reading … · 1 more key press waits"), ("PgDn", "reading … · 2 more key presses wait")]
    {
        flow.press(key);
        assert!(footer(&flow).contains(said), "{}", footer(&flow));
    }
    flow.drawn();
    flow.wait_ms(ms);
    assert!(!flow.drawn(), "however long it takes");
    // It stays for the press that is next, and goes with the last answer.
    flow.deliver();
    assert!(footer(&flow).contains("reading …"), "{}", footer(&flow));
    flow.deliver();
    assert!(!footer(&flow).contains("reading"), "{}", footer(&flow));
    assert_eq!(flow.first(), 21);
}

#[test]
fn nothing_is_being_read_where_the_connection_is_lost() {
    let mut flow = Flow::of(ROWS, &ladder(200));
    flow.cut();
    flow.press("PgDn");
    flow.wait_ms(1_000);
    assert!(!footer(&flow).contains("reading"), "{}", footer(&flow));
}
