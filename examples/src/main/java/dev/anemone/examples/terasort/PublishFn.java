// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/**
 * Gives the files of all ranges their names, once all ranges are sorted; puts out the names. Can be
 * run again after it failed halfway.
 */
final class PublishFn extends DoFn<KV<Integer, Iterable<SortedRange>>, String> {
  private static final long serialVersionUID = 1;

  private final PartFiles parts;
  private final long records;

  /**
   * Publishes the result.
   *
   * @param records number of records that the ranges must have in all
   */
  PublishFn(PartFiles parts, long records) {
    this.parts = parts;
    this.records = records;
  }

  /**
   * Renames the files.
   *
   * @throws IllegalStateException if records have been lost or doubled; nothing is renamed then
   * @throws IOException if a file cannot be renamed
   */
  @ProcessElement
  public void processElement(
      @Element KV<Integer, Iterable<SortedRange>> ranges, OutputReceiver<String> names)
      throws IOException {
    long sorted = 0;
    for (SortedRange range : ranges.getValue()) {
      sorted += range.records();
    }
    if (sorted != records) {
      throw new IllegalStateException(
          "The input had "
              + records
              + " records when it was sampled, and "
              + sorted
              + " were sorted. The files must not change while they are read.");
    }
    for (SortedRange range : ranges.getValue()) {
      ResourceId name = parts.finished(range.range());
      FileSystems.rename(
          List.of(range.file()), List.of(name), StandardMoveOptions.IGNORE_MISSING_FILES);
      requireComplete(name, range);
      names.output(name.toString());
    }
  }

  /** A file that was missing has its name already, from an attempt before this one. */
  private static void requireComplete(ResourceId name, SortedRange range) throws IOException {
    List<Metadata> found = FileSystems.match(name.toString(), EmptyMatchTreatment.ALLOW).metadata();
    long expected = range.records() * TeraRecord.BYTES;
    if (found.isEmpty() || found.get(0).sizeBytes() != expected) {
      throw new IOException(
          range.file() + ", which has " + expected + " bytes, could not be renamed to " + name);
    }
  }
}
