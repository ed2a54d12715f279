// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.format;

/**
 * Apache Parquet. A row group belongs to the split in which its middle lies. Columns are found by
 * name; the file's may be narrower than the table's where that loses nothing.
 */
public record ParquetFormat() implements FileFormat {}
