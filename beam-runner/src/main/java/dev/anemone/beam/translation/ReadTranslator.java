// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.hdfs.BlockHosts;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.io.OffsetBasedSource;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.util.construction.SplittableParDo.PrimitiveBoundedRead;

/**
 * A bounded read becomes a source vertex with one part for each split of the source. There are
 * about {@value #PARTS_PER_SLOT} parts for each slot, so that slots stay busy when parts take
 * unequal time, but no part is tiny or huge. A part of a file names the hosts where its blocks lie.
 */
final class ReadTranslator implements TransformTranslator {

  private static final int PARTS_PER_SLOT = 4;
  private static final long MIN_PART_BYTES = 1L << 20;
  private static final long MAX_PART_BYTES = 64L << 20;

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    String name = application.getFullName();
    BoundedSource<?> source = ((PrimitiveBoundedRead<?>) application.getTransform()).getSource();
    String id = context.newVertexId();
    context.add(
        SourceVertex.of(id, name, FunctionSpec.of(Urns.READ), parts(name, source, context)));
    context.produces(Ports.output(application), id, IREdge.MAIN);
    if (source instanceof OffsetBasedSource<?>) {
      // Its contract: by position. Of others, such as databases, nobody knows.
      context.madeInRepeatableOrder(Ports.output(application));
    }
  }

  private static List<SourcePart> parts(
      String name, BoundedSource<?> source, TranslationContext context) {
    List<Split> splits;
    MetricsContainer caller = MetricsEnvironment.setCurrentContainer(context.metrics(name));
    try {
      splits = split(source, context);
    } catch (Exception e) {
      throw unreadable(name, source, e);
    } finally {
      MetricsEnvironment.setCurrentContainer(caller);
    }
    if (splits.isEmpty()) {
      splits = List.of(new Split(new EmptySource<>(source.getOutputCoder()), 0));
    }
    List<List<String>> hosts =
        BlockHosts.of(
            splits.stream().<BoundedSource<?>>map(Split::source).toList(), context.options());
    List<SourcePart> parts = new ArrayList<>();
    for (Split split : splits) {
      parts.add(
          new SourcePart(
              BeamSpecs.toStepSpec(Urns.READ, name, split.source()),
              split.sizeBytes(),
              hosts.get(parts.size())));
    }
    return parts;
  }

  /**
   * A part of a source.
   *
   * @param source reads the part
   * @param sizeBytes estimated size in bytes, 0 when unknown
   */
  private record Split(BoundedSource<?> source, long sizeBytes) {}

  private static List<Split> split(BoundedSource<?> source, TranslationContext context)
      throws Exception {
    PipelineOptions options = context.options();
    long size = source.getEstimatedSizeBytes(options);
    List<Split> splits = new ArrayList<>();
    for (BoundedSource<?> part : source.split(partBytes(size, context.slots()), options)) {
      // Some sources answer with a negative number when they do not know.
      splits.add(new Split(part, Math.max(0, part.getEstimatedSizeBytes(options))));
    }
    return splits;
  }

  /** How large a part should be, in bytes. */
  static long partBytes(long sizeBytes, int slots) {
    long even = sizeBytes / ((long) slots * PARTS_PER_SLOT);
    return Math.max(MIN_PART_BYTES, Math.min(MAX_PART_BYTES, even));
  }

  private static InvalidPipelineException unreadable(
      String name, BoundedSource<?> source, Exception failure) {
    if (source instanceof FileBasedSource<?> files) {
      String pattern = files.getFileOrPatternSpec();
      if (isMissingFile(failure)) {
        return new InvalidPipelineException(
            "Step '"
                + name
                + "' reads '"
                + pattern
                + "', but no file matches. Give the path or pattern of files that exist and can be"
                + " read, with its scheme (such as hdfs://) where they are not on this machine.",
            failure);
      }
      return new InvalidPipelineException(
          "Step '"
              + name
              + "' reads '"
              + pattern
              + "', which cannot be opened: "
              + failure
              + ". Check that the file system's module is on the class path, for files of a Hadoop"
              + " cluster that --hadoopConfDir or HADOOP_CONF_DIR names its configuration, and that"
              + " the files can be read.",
          failure);
    }
    return new InvalidPipelineException(
        "Step '"
            + name
            + "' reads "
            + source.getClass().getName()
            + ", which cannot be split into parts: "
            + failure
            + ". Check the source's settings, and that what it reads can be reached from here.",
        failure);
  }

  private static boolean isMissingFile(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FileNotFoundException) {
        return true;
      }
    }
    return false;
  }
}
