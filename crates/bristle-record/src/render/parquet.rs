//! Columns of numbers as Apache Parquet: `data.parquet`.

use std::sync::Arc;

use parquet::basic::{Compression, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::data::Data;
use crate::error::RecordError;

/// One double column per channel, compressed with zstd. The unit of a column is stored in the file's
/// key–value metadata as `unit:<name>`.
///
/// # Errors
/// [`RecordError::Ragged`] if the columns differ in length, [`RecordError::Parquet`] if encoding fails.
pub fn table(data: &Data) -> Result<Vec<u8>, RecordError> {
    data.rows()?;
    let mut fields = Vec::new();
    for column in &data.columns {
        let field = Type::primitive_type_builder(&column.name, PhysicalType::DOUBLE)
            .with_repetition(Repetition::REQUIRED)
            .build()?;
        fields.push(Arc::new(field));
    }
    let schema = Arc::new(Type::group_type_builder("data").with_fields(fields).build()?);
    let units = data.columns.iter().map(|c| KeyValue::new(format!("unit:{}", c.name), c.unit.clone()));
    let properties = WriterProperties::builder()
        .set_created_by(concat!("bristle ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        // Simulated numbers hardly repeat: a dictionary would only cost time.
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(units.collect()))
        .build();

    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for column in &data.columns {
        let missing = || ParquetError::EOF(format!("no writer for column {}", column.name));
        let mut writer = group.next_column()?.ok_or_else(missing)?;
        writer.typed::<DoubleType>().write_batch(&column.values, None, None)?;
        writer.close()?;
    }
    group.close()?;
    Ok(file.into_inner()?)
}

#[cfg(test)]
mod parquet_tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn values_and_units_come_back() {
        let mut data = Data::default();
        data.push("t", "s", vec![0.0, 0.1 + 0.2]);
        data.push("x", "m", vec![1e-300, f64::NAN]);
        let bytes = table(&data).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let units = reader.metadata().file_metadata().key_value_metadata().unwrap();
        assert!(units.iter().any(|k| k.key == "unit:x" && k.value.as_deref() == Some("m")));
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|r| r.unwrap()).collect();
        assert_eq!(rows[1].get_double(0).unwrap(), 0.1 + 0.2);
        assert_eq!(rows[0].get_double(1).unwrap(), 1e-300);
        assert!(rows[1].get_double(1).unwrap().is_nan());
    }
}
