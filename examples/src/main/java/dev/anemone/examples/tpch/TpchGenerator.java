// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.tables.DataSet;
import dev.anemone.examples.tables.DataSetKind;
import dev.anemone.examples.tables.DataSetWriter;
import io.trino.tpch.TpchEntity;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates TPC-H data with {@code io.trino.tpch}, in parallel: each big table in several parts.
 *
 * <p>Where skew is asked for, every plain row is turned into a skewed one on its way to the file,
 * as {@link TpchSkew} describes it.
 */
final class TpchGenerator implements DataSetKind {
  private static final Logger LOG = LoggerFactory.getLogger(TpchGenerator.class);

  private static final long PART_BYTES = 64_000_000;
  private static final int MINIMUM_PARTS_TO_SPLIT = 2;
  private static final long SPLIT_FROM_BYTES = 8_000_000;
  private static final int BUFFER_BYTES = 1 << 18;

  private final double scale;
  private final TpchSkew skew;

  /** One file to write: part {@code part} of {@code parts} of a table, counted from 1. */
  private record FilePart(TpchTable table, int part, int parts) {
    String fileName() {
      return table.tableName() + ".tbl" + (parts == 1 ? "" : "." + part);
    }
  }

  /**
   * A generator.
   *
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range, or cannot be skewed like this
   */
  TpchGenerator(double scale, TpchSkew skew) {
    TpchDataSet.check(scale, skew);
    this.scale = scale;
    this.skew = skew;
  }

  @Override
  public String benchmark() {
    return "tpch";
  }

  @Override
  public String directoryName() {
    return TpchDataSet.name(scale, skew);
  }

  @Override
  public List<TpchTable> tables() {
    return List.of(TpchTable.values());
  }

  @Override
  public Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("scale", DataSet.plain(scale));
    properties.put("skew", skew.toString());
    return properties;
  }

  @Override
  public void generate(Path directory) throws IOException {
    LOG.info(
        "Generating TPC-H data of scale {}{} in {}",
        scale,
        skew.isNone() ? "" : " with skew " + skew,
        directory);
    SkewedEntities skewed = new SkewedEntities(skew, scale);
    List<DataSetWriter.Part> writes = new ArrayList<>();
    for (FilePart part : parts()) {
      writes.add(place -> write(part, skewed, place.resolve(part.fileName())));
    }
    new DataSetWriter(this, "TPC-H data of scale " + DataSet.plain(scale))
        .write(
            directory,
            Stream.of(TpchTable.values()).mapToLong(table -> table.estimatedBytes(scale)).sum(),
            writes);
  }

  /** The files, the biggest first, so that the threads finish at about the same time. */
  private List<FilePart> parts() {
    List<FilePart> files = new ArrayList<>();
    Stream.of(TpchTable.values())
        .sorted(Comparator.comparingLong((TpchTable t) -> t.estimatedBytes(scale)).reversed())
        .forEach(
            table -> {
              long bytes = table.estimatedBytes(scale);
              int parts =
                  bytes < SPLIT_FROM_BYTES
                      ? 1
                      : Math.max(
                          MINIMUM_PARTS_TO_SPLIT, (int) ((bytes + PART_BYTES - 1) / PART_BYTES));
              for (int part = 1; part <= parts; part++) {
                files.add(new FilePart(table, part, parts));
              }
            });
    return files;
  }

  private void write(FilePart part, SkewedEntities skewed, Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
      TpchLineWriter writer = new TpchLineWriter(out);
      for (TpchEntity entity :
          generator(part.table()).createGenerator(scale, part.part(), part.parts())) {
        writer.write(skewed.of(entity));
      }
    }
  }

  private static io.trino.tpch.TpchTable<? extends TpchEntity> generator(TpchTable table) {
    return io.trino.tpch.TpchTable.getTable(table.tableName());
  }
}
