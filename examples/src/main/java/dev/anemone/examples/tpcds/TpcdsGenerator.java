// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import dev.anemone.examples.tables.DataSet;
import dev.anemone.examples.tables.DataSetKind;
import dev.anemone.examples.tables.DataSetWriter;
import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates TPC-DS data with {@code io.trino.tpcds}, in parallel: lines of text as {@code dsdgen}
 * writes them, but in UTF-8. Returns are generated together with the sales that they belong to.
 */
final class TpcdsGenerator implements DataSetKind {
  private static final Logger LOG = LoggerFactory.getLogger(TpcdsGenerator.class);

  /** What the tables that are of the same size at every scale have, about. */
  private static final long CONSTANT_BYTES = 120_000_000;

  private static final long BYTES_OF_SCALE_ONE = 1_000_000_000;

  /** The generator divides no table that has less. */
  private static final long ROWS_OF_A_PART = 1_000_000;

  private final double scale;

  /**
   * A generator.
   *
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range
   */
  TpcdsGenerator(double scale) {
    DataSet.checkScale(scale);
    this.scale = scale;
  }

  @Override
  public String benchmark() {
    return "tpcds";
  }

  @Override
  public String directoryName() {
    return "scale-" + DataSet.plain(scale);
  }

  @Override
  public List<TpcdsTable> tables() {
    return List.of(TpcdsTable.values());
  }

  @Override
  public Map<String, String> properties() {
    return Map.of("scale", DataSet.plain(scale));
  }

  @Override
  public void generate(Path directory) throws IOException {
    LOG.info("Generating TPC-DS data of scale {} in {}", scale, directory);
    new DataSetWriter(this, "TPC-DS data of scale " + DataSet.plain(scale))
        .write(directory, CONSTANT_BYTES + (long) (scale * BYTES_OF_SCALE_ONE), parts());
  }

  /** The tables that most lines are generated with first. */
  private List<TablePart> parts() {
    Session session = Session.getDefaultSession().withScale(scale);
    List<TablePart> parts = new ArrayList<>();
    Stream.of(TpcdsTable.values())
        .map(TpcdsTable::generated)
        .filter(table -> !table.isChild())
        .sorted(
            Comparator.comparing(Table::hasChild)
                .thenComparing(session.getScaling()::getRowCount)
                .reversed())
        .forEach(
            table -> {
              int count = 1 + (int) (session.getScaling().getRowCount(table) / ROWS_OF_A_PART);
              for (int part = 1; part <= count; part++) {
                parts.add(
                    new TablePart(
                        table,
                        session.withParallelism(count).withChunkNumber(part),
                        count == 1 ? "" : "." + part));
              }
            });
    return parts;
  }

  /**
   * A part of a table, and of the returns of these sales.
   *
   * @param session says which part
   * @param suffix what follows the name of a file for a table that has one
   */
  private record TablePart(Table table, Session session, String suffix)
      implements DataSetWriter.Part {
    @Override
    public void write(Path directory) throws IOException {
      try (BufferedWriter lines = open(directory, table);
          BufferedWriter returns = table.hasChild() ? open(directory, table.getChild()) : null) {
        for (List<List<String>> rows : Results.constructResults(table, session)) {
          write(rows.get(0), lines);
          if (rows.size() > 1) {
            write(rows.get(1), returns);
          }
        }
      }
    }

    private BufferedWriter open(Path directory, Table written) throws IOException {
      return Files.newBufferedWriter(directory.resolve(written.getName() + ".dat" + suffix));
    }

    private static void write(List<String> row, BufferedWriter lines) throws IOException {
      for (String value : row) {
        lines.write(value == null ? "" : value);
        lines.write('|');
      }
      lines.write('\n');
    }
  }
}
