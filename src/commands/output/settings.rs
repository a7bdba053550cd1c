//! Settings one after another, each with where it comes from: as a table or as JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use super::ListFormat;
use super::columns::{Column, DIM, line, paint};
use super::json::write_line;
use crate::cli::{Layers, Origin};
use crate::commands::text;
use crate::commands::text::Charset;
use crate::config::Kind;

/// Prints them. A pipe that was closed is an error here; see [`crate::exit::forgive_closed_pipe`].
pub fn write(settings: &[Layers], format: ListFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        ListFormat::Table { color } => write_table(settings, color, out)?,
        ListFormat::Json => write_line(&settings.iter().map(shape).collect::<Vec<_>>(), out)?,
    }
    out.flush()
}

fn write_table(settings: &[Layers], color: bool, out: &mut impl Write) -> io::Result<()> {
    let columns = [
        Column::new("SETTING", false, settings.iter().map(Layers::name)),
        Column::new("VALUE", false, settings.iter().map(Layers::text)),
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

/// The value as JSON has it: yes and no, whole numbers, lists and texts; `null` where nothing sets it.
fn value(settled: &Layers) -> Value {
    let Some(values) = &settled.values else { return Value::Null };
    let first = values.first().map_or("", String::as_str);
    match settled.setting.kind {
        Kind::Flag => Value::Bool(first == "true"),
        Kind::Address => Value::from(values.clone()),
        Kind::TextOrNumber => first.parse::<u64>().map_or_else(|_| Value::from(first), Value::from),
        Kind::Text | Kind::Path | Kind::NameOrPath => Value::from(first),
    }
}

#[derive(Serialize)]
struct Shape {
    setting: String,
    value: Value,
    /// `flag`, `environment`, `file` or `default`.
    from: &'static str,
    variable: Option<&'static str>,
    file: Option<String>,
    line: Option<usize>,
}

fn shape(settled: &Layers) -> Shape {
    let plain = Shape {
        setting: settled.name(),
        value: value(settled),
        from: "default",
        variable: None,
        file: None,
        line: None,
    };
    match &settled.origin {
        Origin::Flag => Shape { from: "flag", ..plain },
        Origin::Environment(name) => Shape { from: "environment", variable: Some(name), ..plain },
        Origin::File { path, line } => {
            Shape { from: "file", file: Some(path.display().to_string()), line: Some(*line), ..plain }
        }
        Origin::Default => plain,
    }
}
