// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.runtime.resource.FileTrees;
import io.trino.tpch.TpchEntity;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates TPC-H data with {@code io.trino.tpch}, in parallel: each big table in several parts.
 * The data appears under its directory all at once, when it is complete; several processes that
 * generate the same data at the same time do not disturb each other.
 *
 * <p>Where skew is asked for, every plain row is turned into a skewed one on its way to the file,
 * as {@link TpchSkew} describes it.
 */
final class TpchGenerator {
  private static final Logger LOG = LoggerFactory.getLogger(TpchGenerator.class);

  private static final double MINIMUM_SCALE = 0.001;
  private static final double MAXIMUM_SCALE = 10_000;
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

  /**
   * Checks a scale factor.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  static void checkScale(double scale) {
    if (!(scale >= MINIMUM_SCALE && scale <= MAXIMUM_SCALE)) {
      throw new IllegalArgumentException(
          "--scale="
              + scale
              + " is out of range. Give a scale factor from "
              + MINIMUM_SCALE
              + " to 10000; scale 1 is about a gigabyte of text.");
    }
  }

  /**
   * Generates the data.
   *
   * @param directory what shall hold the files; it must not exist, or be empty
   * @throws IllegalArgumentException if there is not enough room on the disk
   * @throws IOException if a file cannot be written
   */
  void generate(Path directory) throws IOException {
    Path target = directory.toAbsolutePath();
    Path parent = Files.createDirectories(target.getParent());
    checkRoom(parent);
    LOG.info(
        "Generating TPC-H data of scale {}{} in {}",
        scale,
        skew.isNone() ? "" : " with skew " + skew,
        target);
    Path unfinished = Files.createTempDirectory(parent, ".tpch-unfinished-");
    try {
      writeAll(unfinished);
      Files.writeString(
          unfinished.resolve(TpchDataSet.PROPERTIES_FILE),
          TpchDataSet.SCALE
              + "="
              + TpchDataSet.plain(scale)
              + "\n"
              + TpchDataSet.SKEW
              + "="
              + skew
              + "\n");
      publish(unfinished, target);
    } finally {
      FileTrees.delete(unfinished);
    }
  }

  private void checkRoom(Path parent) throws IOException {
    long needed = Stream.of(TpchTable.values()).mapToLong(t -> t.estimatedBytes(scale)).sum();
    long usable = Files.getFileStore(parent).getUsableSpace();
    if (usable < needed) {
      throw new IllegalArgumentException(
          "TPC-H data of scale "
              + TpchDataSet.plain(scale)
              + " needs about "
              + needed / 1_000_000
              + " MB, but the disk of "
              + parent
              + " has only "
              + usable / 1_000_000
              + " MB left. Choose a smaller --scale, or a directory on another disk with --data.");
    }
  }

  private void writeAll(Path directory) throws IOException {
    SkewedEntities skewed = new SkewedEntities(skew, scale);
    List<Callable<Void>> writes = new ArrayList<>();
    for (FilePart part : parts()) {
      writes.add(
          () -> {
            write(part, skewed, directory.resolve(part.fileName()));
            return null;
          });
    }
    ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      for (Future<Void> write : executor.invokeAll(writes)) {
        write.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException(
          "TPC-H data cannot be generated: " + failed.getCause().getMessage(), failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while TPC-H data was generated", interrupted);
    } finally {
      executor.shutdownNow();
    }
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

  private static void publish(Path unfinished, Path target) throws IOException {
    try {
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException notMoved) {
      // Another process may have been faster; its data is as good as ours.
      if (!Files.exists(target.resolve(TpchDataSet.PROPERTIES_FILE))) {
        throw notMoved;
      }
    }
  }
}
