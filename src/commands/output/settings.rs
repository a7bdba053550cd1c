//! Settings one after another, each with where it comes from: as a table or as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::ListFormat;
use super::columns::{Column, DIM, line, paint};
use super::json::write_line;
use crate::cli::{Layers, Origin};
use crate::commands::text;
use crate::commands::text::Charset;

/// Prints them. A pipe that was closed is an error here; see [`crate::commands::exit::forgive_closed_pipe`].
pub fn write(settings: &[Layers], format: ListFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        ListFormat::Table { color } => write_table(settings, color, out)?,
        ListFormat::Json => write_line(&settings.iter().map(shape).collect::<Vec<_>>(), out)?,
    }
    out.flush()
}

fn write_table(settings: &[Layers], color: bool, out: &mut impl Write) -> io::Result<()> {
    let columns = [
        Column::new("SETTING", false, settings.iter().map(|setting| setting.key.to_owned())),
        Column::new("VALUE", false, settings.iter().map(|setting| setting.value.clone())),
        Column::new("FROM", false, settings.iter().map(|setting| from(&setting.origin))),
    ];
    writeln!(out, "{}", paint(color, DIM, line(&columns, 0).trim_end()))?;
    for (index, setting) in settings.iter().enumerate() {
        let row = line(&columns, index + 1);
        writeln!(out, "{}", paint(color && setting.origin == Origin::Default, DIM, row.trim_end()))?;
    }
    Ok(())
}

fn from(origin: &Origin) -> String {
    match origin {
        Origin::Flag => "flag".to_owned(),
        Origin::Environment(name) => format!("environment {name}"),
        Origin::File { path, line } => {
            format!("file {}, line {line}", text::escape(path.as_os_str().as_encoded_bytes(), Charset::Utf8))
        }
        Origin::Default => "default".to_owned(),
    }
}

#[derive(Serialize)]
struct Shape<'a> {
    setting: &'static str,
    value: &'a str,
    /// `flag`, `environment`, `file` or `default`.
    from: &'static str,
    variable: Option<&'static str>,
    file: Option<String>,
    line: Option<usize>,
}

fn shape(settled: &Layers) -> Shape<'_> {
    let plain =
        Shape { setting: settled.key, value: &settled.value, from: "default", variable: None, file: None, line: None };
    match &settled.origin {
        Origin::Flag => Shape { from: "flag", ..plain },
        Origin::Environment(name) => Shape { from: "environment", variable: Some(name), ..plain },
        Origin::File { path, line } => {
            Shape { from: "file", file: Some(path.display().to_string()), line: Some(*line), ..plain }
        }
        Origin::Default => plain,
    }
}
