//! Tables as Parquet files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use farm_output::{OutputError, OutputFile};

use crate::table::{self, Column};
use crate::{Row, Series, Sink};

/// Number of cells buffered before they are written as a row group.
const GROUP: usize = 1 << 20;

/// Writes rows into a Parquet file, with the columns of [`crate::table`]: words as strings, integers as integers, and all other numbers as
/// 64-bit reals. The file gets its final name when it is finished.
pub struct Parquet {
    path: PathBuf,
    is_batch: bool,
    columns: Vec<Column>,
    writer: SerializedFileWriter<OutputFile>,
    rows: Vec<PendingRow>,
}

/// The content of a row, which is buffered until its group is written.
struct PendingRow {
    environment: i64,
    episode: i64,
    seed: i64,
    step: i64,
    reward: Option<f64>,
    actions: String,
    values: Vec<f64>,
}

impl Parquet {
    /// Starts a file.
    ///
    /// # Errors
    /// The path cannot be written to.
    pub fn create(path: &Path, series: &[Series]) -> Result<Self, OutputError> {
        Self::begin(path, series, false)
    }

    /// Starts a file for rows from a batch of environments.
    ///
    /// # Errors
    /// The path cannot be written to.
    pub fn of_batch(path: &Path, series: &[Series]) -> Result<Self, OutputError> {
        Self::begin(path, series, true)
    }

    fn begin(path: &Path, series: &[Series], is_batch: bool) -> Result<Self, OutputError> {
        let output = OutputFile::create(path)?;
        let columns = Column::of(series, is_batch);
        let made = schema(&columns, is_batch).and_then(|schema| {
            let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
            SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties))
        });
        let writer = made.map_err(failed(path))?;
        Ok(Self { path: path.to_owned(), is_batch, columns, writer, rows: Vec::new() })
    }

    /// Writes the buffered rows as a group.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = &self.rows;
        let mut group = self.writer.next_row_group()?;
        let mut next = |write: &mut dyn FnMut(&mut SerializedColumnWriter<'_>) -> Result<(), ParquetError>| {
            let Some(mut column) = group.next_column()? else { return Ok(()) };
            write(&mut column)?;
            column.close()
        };
        let wholes = [
            |row: &PendingRow| row.environment,
            |row: &PendingRow| row.episode,
            |row: &PendingRow| row.seed,
            |row: &PendingRow| row.step,
        ];
        for whole in wholes.into_iter().skip(usize::from(!self.is_batch)) {
            let values: Vec<i64> = rows.iter().map(whole).collect();
            next(&mut |column| column.typed::<Int64Type>().write_batch(&values, None, None).map(drop))?;
        }
        let rewards: Vec<Option<f64>> = rows.iter().map(|row| row.reward).collect();
        next(&mut |column| write_numbers(column, &rewards))?;
        let actions: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(row.actions.as_str())).collect();
        next(&mut |column| column.typed::<ByteArrayType>().write_batch(&actions, None, None).map(drop))?;
        for (i, of_column) in self.columns.iter().enumerate() {
            let numbers = rows.iter().map(|row| row.values.get(i).copied().filter(|value| !value.is_nan()));
            if !of_column.words.is_empty() {
                let words: Vec<Option<ByteArray>> =
                    numbers.map(|value| of_column.word(value?).map(ByteArray::from)).collect();
                next(&mut |column| {
                    let (levels, words) = present(&words);
                    column.typed::<ByteArrayType>().write_batch(&words, Some(&levels), None).map(drop)
                })?;
            } else if of_column.is_whole {
                let numbers: Vec<Option<i64>> = numbers.map(|value| value.map(|value| value as i64)).collect();
                next(&mut |column| {
                    let (levels, numbers) = present(&numbers);
                    column.typed::<Int64Type>().write_batch(&numbers, Some(&levels), None).map(drop)
                })?;
            } else {
                let numbers: Vec<Option<f64>> = numbers.collect();
                next(&mut |column| write_numbers(column, &numbers))?;
            }
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }

    /// Writes the buffered rows and the end of the file.
    fn write_rest(&mut self) -> Result<(), OutputError> {
        let mut write = || {
            if !self.rows.is_empty() {
                self.write_group()?;
            }
            self.writer.finish().map(drop)
        };
        write().map_err(failed(&self.path))
    }
}

impl Sink for Parquet {
    fn row(&mut self, row: &Row) -> Result<(), OutputError> {
        self.rows.push(PendingRow {
            environment: row.environment as i64,
            episode: row.episode as i64,
            // The same bits; the column type is unsigned.
            seed: row.seed.cast_signed(),
            step: i64::from(row.step),
            reward: row.reward,
            actions: table::actions(row),
            values: row.values.clone(),
        });
        if self.rows.len() * (table::FIXED.len() + self.columns.len()) >= GROUP {
            self.write_group().map_err(failed(&self.path))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        self.write_rest()?;
        self.writer.inner_mut().finish()
    }

    fn finish_incomplete(mut self: Box<Self>) -> Result<Option<PathBuf>, OutputError> {
        self.write_rest()?;
        self.writer.inner_mut().finish_incomplete().map(Some)
    }
}

fn schema(columns: &[Column], is_batch: bool) -> Result<Type, ParquetError> {
    let column = |name: &str, physical: PhysicalType, logical: Option<LogicalType>, repetition: Repetition| {
        let made = Type::primitive_type_builder(name, physical).with_logical_type(logical).with_repetition(repetition);
        made.build().map(Arc::new)
    };
    use PhysicalType::{BYTE_ARRAY, DOUBLE, INT64};
    const OPTIONAL: Repetition = Repetition::OPTIONAL;
    const REQUIRED: Repetition = Repetition::REQUIRED;
    let [environment, episode, seed, step, reward, actions] = table::FIXED;
    let mut fields = Vec::new();
    if is_batch {
        fields.push(column(environment, INT64, None, REQUIRED)?);
    }
    fields.extend([
        column(episode, INT64, None, REQUIRED)?,
        column(seed, INT64, Some(LogicalType::integer(64, false)), REQUIRED)?,
        column(step, INT64, None, REQUIRED)?,
        column(reward, DOUBLE, None, OPTIONAL)?,
        column(actions, BYTE_ARRAY, Some(LogicalType::String), REQUIRED)?,
    ]);
    for of_series in columns {
        let (physical, logical) = match of_series {
            Column { words, .. } if !words.is_empty() => (BYTE_ARRAY, Some(LogicalType::String)),
            Column { is_whole: true, .. } => (INT64, None),
            _ => (DOUBLE, None),
        };
        fields.push(column(&of_series.name, physical, logical, OPTIONAL)?);
    }
    Type::group_type_builder("monitoring").with_fields(fields).build()
}

fn write_numbers(column: &mut SerializedColumnWriter<'_>, values: &[Option<f64>]) -> Result<(), ParquetError> {
    let (levels, values) = present(values);
    column.typed::<DoubleType>().write_batch(&values, Some(&levels), None).map(drop)
}

/// The definition levels of the values (1 for each present value), and the present values.
fn present<T: Clone>(values: &[Option<T>]) -> (Vec<i16>, Vec<T>) {
    (values.iter().map(|value| i16::from(value.is_some())).collect(), values.iter().flatten().cloned().collect())
}

fn failed(path: &Path) -> impl FnOnce(ParquetError) -> OutputError {
    move |error| match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => OutputError::write(path)(*error),
            Err(error) => OutputError::Encode { what: "Parquet", message: error.to_string() },
        },
        other => OutputError::Encode { what: "Parquet", message: other.to_string() },
    }
}
