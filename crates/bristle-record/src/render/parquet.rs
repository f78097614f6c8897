//! Columns of numbers as Apache Parquet: `data.parquet`.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use crate::data::{Channel, Data};
use crate::error::RecordError;

/// One double column per channel, compressed with zstd, under the same name as in `data.csv`. Name, unit and meaning
/// of a channel are metadata of its field; the origin of the data is the file's key–value metadata.
///
/// # Errors
/// [`RecordError::Ragged`] if the columns differ in length, [`RecordError::Parquet`] if encoding fails.
pub fn table(data: &Data) -> Result<Vec<u8>, RecordError> {
    data.rows()?;
    let schema = Schema::new(data.columns.iter().map(field).collect::<Vec<_>>());
    let origin = data.origin.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("bristle ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        // Simulated numbers hardly repeat: a dictionary would only cost time.
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(origin.collect()))
        .build();
    add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
    let layout = ArrowSchemaConverter::new().convert(&schema)?;
    let mut writer = SerializedFileWriter::new(Vec::new(), layout.root_schema_ptr(), Arc::new(properties))?;
    let mut rows = writer.next_row_group()?;
    // One column after the other: each has a compressor of its own, which thousands at once would fill the memory with.
    let mut channels = data.columns.iter();
    while let (Some(channel), Some(mut column)) = (channels.next(), rows.next_column()?) {
        if channel.words.is_empty() {
            column.typed::<DoubleType>().write_batch(&channel.values, None, None)?;
        } else {
            let words: Vec<ByteArray> =
                (0..channel.values.len()).map(|i| ByteArray::from(channel.word(i))).collect();
            column.typed::<ByteArrayType>().write_batch(&words, None, None)?;
        }
        column.close()?;
    }
    rows.close()?;
    Ok(writer.into_inner()?)
}

fn field(channel: &Channel) -> Field {
    let mut metadata = HashMap::from([
        ("name".to_owned(), channel.name.clone()),
        ("unit".to_owned(), if channel.unit.is_empty() { "1".to_owned() } else { channel.unit.clone() }),
    ]);
    if !channel.meaning.is_empty() {
        metadata.insert("description".to_owned(), channel.meaning.clone());
    }
    let kind = if channel.words.is_empty() { DataType::Float64 } else { DataType::Utf8 };
    Field::new(channel.heading(), kind, false).with_metadata(metadata)
}

#[cfg(test)]
mod parquet_tests {
    use super::*;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    fn data() -> Data {
        let mut data = Data::default();
        data.push("t", "s", vec![0.0, 0.1 + 0.2]);
        data.explain("pad.mode", "1", "1 slides forwards", vec![1e-300, f64::NAN]);
        data.origin.push(("bristle.scenario".to_owned(), "title = \"x\"".to_owned()));
        data
    }

    #[test]
    fn values_come_back() {
        let reader = SerializedFileReader::new(bytes::Bytes::from(table(&data()).unwrap())).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|r| r.unwrap()).collect();
        assert_eq!(rows[1].get_double(0).unwrap(), 0.1 + 0.2);
        assert_eq!(rows[0].get_double(1).unwrap(), 1e-300);
        assert!(rows[1].get_double(1).unwrap().is_nan());
    }

    #[test]
    fn words_come_back() {
        let mut data = data();
        data.label("failure", "", vec!["too small".to_owned()], vec![f64::NAN, 0.0]);
        let reader = SerializedFileReader::new(bytes::Bytes::from(table(&data).unwrap())).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|r| r.unwrap()).collect();
        assert_eq!(
            (rows[0].get_string(2).unwrap().as_str(), rows[1].get_string(2).unwrap().as_str()),
            ("", "too small")
        );
    }

    #[test]
    fn names_units_and_meanings_stand_at_the_fields_and_the_origin_in_the_file() {
        let bytes = bytes::Bytes::from(table(&data()).unwrap());
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
        let fields = builder.schema().fields();
        let headings: Vec<&str> = fields.iter().map(|f| f.name().as_str()).collect();
        let csv = crate::render::csv::table(&data()).unwrap();
        assert_eq!(headings.join(","), csv.lines().next().unwrap());
        assert_eq!(fields[0].metadata()["unit"], "s");
        assert_eq!(fields[0].metadata().get("description"), None);
        assert_eq!(fields[1].metadata()["name"], "pad.mode");
        assert_eq!(fields[1].metadata()["unit"], "1");
        assert_eq!(fields[1].metadata()["description"], "1 slides forwards");
        let origin = builder.metadata().file_metadata().key_value_metadata().unwrap();
        let found = origin.iter().find(|k| k.key == "bristle.scenario").unwrap();
        assert_eq!(found.value.as_deref(), Some("title = \"x\""));
    }
}
