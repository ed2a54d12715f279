// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * Generates the input of the sort benchmark. The files, one after the other, have the bytes that
 * gensort gives for the same number of records, however many files there are: the random numbers
 * can be entered at any record, so files are made in parallel and independently of each other, as
 * Hadoop's TeraGen does it.
 *
 * <p>Immutable and thread-safe.
 */
public final class TeraGenerator {
  private static final int MAXIMUM_FILES = 100_000;
  private static final long STOP_SECONDS = 60;

  /** Size of the files that are chosen when nobody asks for a number of files, in records. */
  private static final long DEFAULT_FILE_RECORDS = 2_500_000;

  private final long records;
  private final int files;
  private final RecordFormat format;

  /**
   * Describes the input; {@link #write} generates it.
   *
   * @param records number of records, of 100 bytes each, from 1
   * @param files number of files, from 1 to 100,000
   * @throws IllegalArgumentException if a number is out of its range
   */
  public TeraGenerator(long records, int files, RecordFormat format) {
    if (records < 1 || records > Long.MAX_VALUE / TeraRecord.BYTES) {
      throw new IllegalArgumentException(
          "The number of records must be from 1 to "
              + Long.MAX_VALUE / TeraRecord.BYTES
              + ", not "
              + records
              + ".");
    }
    if (files < 1 || files > Math.min(records, MAXIMUM_FILES)) {
      throw new IllegalArgumentException(
          "The number of files must be from 1 to "
              + Math.min(records, MAXIMUM_FILES)
              + " for "
              + records
              + " records, not "
              + files
              + ".");
    }
    this.records = records;
    this.files = files;
    this.format = format;
  }

  /** A number of files that makes none of them larger than 250 MB, as long as that is possible. */
  public static int filesFor(long records) {
    long wanted = records / DEFAULT_FILE_RECORDS + (records % DEFAULT_FILE_RECORDS > 0 ? 1 : 0);
    return (int) Math.max(1, Math.min(MAXIMUM_FILES, wanted));
  }

  /**
   * Writes the files {@code part-00000} and so on. None is visible under its name before all are
   * complete, and on failure none is left. The file systems of Beam must know their options
   * already.
   *
   * @param directory where to; created if it does not exist
   * @return the paths of the files, in the order of their records
   * @throws IllegalArgumentException if such files are there already
   * @throws IOException if a file cannot be written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<String> write(String directory) throws IOException, InterruptedException {
    PartFiles parts = PartFiles.inFreeDirectory(new Location("--output", directory));
    try {
      List<ResourceId> unfinished = new ArrayList<>(files);
      List<ResourceId> finished = new ArrayList<>(files);
      for (int file = 0; file < files; file++) {
        unfinished.add(parts.unfinished(file));
        finished.add(parts.finished(file));
      }
      writeInParallel(unfinished);
      FileSystems.rename(unfinished, finished);
      return parts.finished();
    } catch (IOException | InterruptedException | RuntimeException failed) {
      parts.abandon(failed);
      throw failed;
    }
  }

  private void writeInParallel(List<ResourceId> unfinished)
      throws IOException, InterruptedException {
    List<Callable<Void>> tasks = new ArrayList<>(files);
    for (int file = 0; file < files; file++) {
      int index = file;
      tasks.add(() -> writeFile(index, unfinished.get(index)));
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(Math.min(files, Runtime.getRuntime().availableProcessors()));
    try {
      for (Future<Void> written : threads.invokeAll(tasks)) {
        written.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException(
          "A file of the sort input cannot be written: " + failed.getCause().getMessage(),
          failed.getCause());
    } catch (InterruptedException interrupted) {
      stop(threads, interrupted);
      throw interrupted;
    } finally {
      threads.shutdown();
    }
  }

  /** Interrupts the threads, which stop at their next write, and waits for them. */
  private static void stop(ExecutorService threads, InterruptedException reason)
      throws InterruptedException {
    threads.shutdownNow();
    if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
      reason.addSuppressed(
          new TimeoutException(
              "A thread that writes the sort input has not stopped within "
                  + STOP_SECONDS
                  + " s."));
    }
  }

  private Void writeFile(int file, ResourceId target) throws IOException {
    long first = firstRecord(file);
    long end = firstRecord(file + 1);
    TeraRandom random = new TeraRandom(first);
    try (RecordWriter writer = new RecordWriter(target)) {
      for (long number = first; number < end; number++) {
        random.advance();
        int offset = writer.reserve();
        format.write(number, random.high(), random.low(), writer.buffer(), offset);
      }
    }
    return null;
  }

  private long firstRecord(int file) {
    return records / files * file + Math.min(file, records % files);
  }
}
