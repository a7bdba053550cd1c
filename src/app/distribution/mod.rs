//! How the scores of the whole board are spread, while that is open: asked when it is opened, and again when the board
//! has changed, at most once a second. One question is under way at most; when it is closed, all is forgotten.

pub mod update;

use crate::app::event::Moment;
use crate::app::in_flight::InFlight;
use crate::board::distribution::{Binning, Distribution};
use crate::board::version::Version;
use crate::query::error::StoreError;

/// What is known of the distribution.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// What was counted last.
    pub read: Option<Distribution>,
    /// Why the last question was not answered, if it was not.
    pub trouble: Option<StoreError>,
    asked: Option<Asked>,
    in_flight: InFlight<()>,
}

/// What was so when the last question was asked.
#[derive(Clone, Debug)]
struct Asked {
    at: Moment,
    binning: Binning,
    version: Option<Version>,
}
