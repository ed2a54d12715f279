// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.sql.SqlText;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the footer of a Parquet file says.
 *
 * @param columns names and types of the engine, in the order of the file
 * @param groups its row groups, in their order
 */
record ParquetFile(Map<String, String> columns, List<RowGroup> groups) {

  /**
   * @param firstRow rows in all groups before
   */
  record RowGroup(long firstRow, long rows, List<ColumnChunk> chunks) {

    /** Where Hadoop's readers say that a row group lies. */
    boolean isIn(Split split) {
      long start = chunks.stream().mapToLong(ColumnChunk::start).min().orElse(0);
      return split.contains(start + chunks.stream().mapToLong(ColumnChunk::length).sum() / 2);
    }
  }

  /**
   * The values of a column in a row group.
   *
   * @param bloomStart where its Bloom filter begins; 0 when it has none
   * @param bloomLength of that; 0 when the file does not say
   * @param least the smallest value as the engine writes it; empty when the file does not say
   * @param greatest the largest one
   */
  record ColumnChunk(
      String column,
      long start,
      long length,
      long bloomStart,
      long bloomLength,
      Optional<String> least,
      Optional<String> greatest) {}

  /** Reads the footer, and nothing else of the file. */
  static ParquetFile read(Connection database, Path file) throws SQLException {
    String path = SqlText.string(file.toString());
    Map<String, String> columns = new LinkedHashMap<>();
    Map<Long, List<ColumnChunk>> chunks = new LinkedHashMap<>();
    Map<Long, Long> rows = new LinkedHashMap<>();
    try (Statement statement = database.createStatement()) {
      try (ResultSet described =
          statement.executeQuery("DESCRIBE SELECT * FROM read_parquet(" + path + ")")) {
        while (described.next()) {
          columns.put(described.getString(1), described.getString(2));
        }
      }
      try (ResultSet chunk =
          statement.executeQuery(
              "SELECT row_group_id, row_group_num_rows, path_in_schema,"
                  + " least(data_page_offset,"
                  + " coalesce(nullif(dictionary_page_offset, 0), data_page_offset)),"
                  + " total_compressed_size, coalesce(bloom_filter_offset, 0),"
                  + " coalesce(bloom_filter_length, 0), stats_min_value, stats_max_value"
                  + " FROM parquet_metadata("
                  + path
                  + ") ORDER BY row_group_id, column_id")) {
        while (chunk.next()) {
          rows.put(chunk.getLong(1), chunk.getLong(2));
          chunks
              .computeIfAbsent(chunk.getLong(1), group -> new ArrayList<>())
              .add(
                  new ColumnChunk(
                      chunk.getString(3),
                      chunk.getLong(4),
                      chunk.getLong(5),
                      chunk.getLong(6),
                      chunk.getLong(7),
                      Optional.ofNullable(chunk.getString(8)),
                      Optional.ofNullable(chunk.getString(9))));
        }
      }
    }
    List<RowGroup> groups = new ArrayList<>();
    long firstRow = 0;
    for (Map.Entry<Long, List<ColumnChunk>> group : chunks.entrySet()) {
      groups.add(new RowGroup(firstRow, rows.get(group.getKey()), group.getValue()));
      firstRow += rows.get(group.getKey());
    }
    return new ParquetFile(columns, groups);
  }

  /** A file that has some of the groups, in this order. */
  ParquetFile only(List<RowGroup> some) {
    List<RowGroup> counted = new ArrayList<>();
    long firstRow = 0;
    for (RowGroup group : some) {
      counted.add(new RowGroup(firstRow, group.rows(), group.chunks()));
      firstRow += group.rows();
    }
    return new ParquetFile(columns, counted);
  }

  /**
   * The column chunks of a scan's columns with Bloom filters, in all row groups: the engine looks
   * at these filters before it leaves out groups of other splits.
   */
  List<ColumnChunk> filteredColumnChunksOf(RowType scan) {
    return groups.stream()
        .flatMap(group -> group.chunks().stream())
        .filter(chunk -> chunk.bloomStart() > 0)
        .filter(chunk -> scan.indexOf(chunk.column()).isPresent())
        .toList();
  }

  /** The column chunks that a scan of some row groups reads. */
  static List<ColumnChunk> columnChunksOf(RowType scan, List<RowGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.chunks().stream())
        .filter(chunk -> scan.indexOf(chunk.column()).isPresent())
        .toList();
  }
}
