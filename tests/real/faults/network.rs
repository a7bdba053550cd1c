//! Networks and broken peers between the viewer and a server that is well.

use std::time::Duration;

use super::scenario::{Fault, play};
use super::stage::Stage;
use crate::common::Fault as Break;

const SILENT: &[&str] = &["no answer within 300ms", "no answer to the login within 300ms"];
const LOST: &[&str] = &["reconnecting"];

macro_rules! network {
    ($name:literal, $says:expr, $fault:expr) => {
        Fault::new($name, $says, |stage| stage.proxy.set($fault), mend)
    };
}

fn mend(stage: &mut Stage) {
    stage.proxy.set(Break::None);
}

#[test]
fn the_network() {
    play(&[
        network!("replies a little late", &[], Break::Delay(Duration::from_millis(10))),
        network!("replies later than the limit", SILENT, Break::Delay(Duration::from_millis(400))),
        network!("replies kept back", SILENT, Break::Hold),
        network!("cut in the midst of a reply", LOST, Break::CutMidReply),
        network!("cut at once, again and again", LOST, Break::Cut),
        network!("nobody listens", &["cannot connect"], Break::Refuse),
        network!("accepted, then silence", SILENT, Break::Timeout),
        network!(
            "bytes that are no protocol",
            &["not valid Redis protocol", "reconnecting"],
            Break::Garble(b"\0\xff?\r\n")
        ),
        network!("replies to something else", &["is not of its form", "reconnecting"], Break::Garble(b"+PONG\r\n")),
    ]);
}
