// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.WriteFiles;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.transforms.display.DisplayData;

/** Which files a pipeline writes, as far as its transforms say. */
final class WrittenFiles {

  /** How Beam's file sinks call it. */
  private static final String PATTERN = "filenamePattern";

  /** What Beam's names of files have for the number of a shard, and of shards. */
  private static final Pattern SHARDS = Pattern.compile("S+-of-N+");

  private WrittenFiles() {}

  /** Patterns of the files, in the order of the pipeline's transforms. */
  static List<String> of(Pipeline pipeline) {
    Set<String> files = new LinkedHashSet<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
            if (!(node.getTransform() instanceof WriteFiles)) {
              return CompositeBehavior.ENTER_TRANSFORM;
            }
            for (DisplayData.Item item : DisplayData.from(node.getTransform()).items()) {
              if (item.getKey().equals(PATTERN)) {
                files.add(SHARDS.matcher(String.valueOf(item.getValue())).replaceAll("*"));
              }
            }
            return CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
          }
        });
    return List.copyOf(files);
  }
}
