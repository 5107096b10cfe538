//! A section of a description: a heading and a table.

use std::io::Write;

use crate::output::TextTable;

/// Writes a heading and a table. Writes nothing if the table has no rows.
pub(super) fn write_section(out: &mut impl Write, title: &str, table: &TextTable) -> std::io::Result<()> {
    if table.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    table.write(out, "  ")
}
