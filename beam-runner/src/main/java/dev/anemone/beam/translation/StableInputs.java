// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import java.util.HashSet;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.FileBasedSink;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.values.PCollection;

/**
 * The collections that must not change when what makes them runs again, as a step with side effects
 * reads them.
 *
 * <p>Beam's file sinks have two more, and do not say so. The last step of a sink gives the written
 * files their names. It passes over files that are gone and names that are taken, since a former
 * attempt may have moved them, and numbers the files by their temporary names, which are random. If
 * it runs again with another list, as a writer had to run again, the numbers are others, and a file
 * may be passed over for good. And before that, the names of the written files are spread over
 * tasks. If a writer runs again when some of these tasks have ended, the name of its new file may
 * fall to one that has ended, and the task that had the old one's finds none.
 */
final class StableInputs {

  private static final String FILE_SINK =
      "org.apache.beam.sdk.io.WriteFiles$FinalizeTempFileBundles$FinalizeFn";

  private final Set<PCollection<?>> collections;

  private StableInputs(Set<PCollection<?>> collections) {
    this.collections = collections;
  }

  /** Finds them in a pipeline. */
  static StableInputs of(Pipeline pipeline) {
    Set<PCollection<?>> found = new HashSet<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitPrimitiveTransform(Node node) {
            if (node.getTransform() instanceof ParDo.MultiOutput<?, ?> parDo
                && neededBy(parDo.getFn())) {
              found.add(Ports.main(node.toAppliedPTransform(pipeline)));
            }
          }
        });
    return new StableInputs(found);
  }

  /** Whether a function has such an input. */
  static boolean neededBy(DoFn<?, ?> function) {
    return DoFnSignatures.signatureForDoFn(function).processElement().requiresStableInput()
        || function.getClass().getName().equals(FILE_SINK);
  }

  /** Whether a collection is such an input. */
  boolean contains(PCollection<?> collection) {
    return collections.contains(collection) || namesFiles(collection.getCoder());
  }

  /** Whether elements name files that a sink of Beam's has written. */
  static boolean namesFiles(Coder<?> coder) {
    return coder instanceof FileBasedSink.FileResultCoder
        || coder.getCoderArguments().stream().anyMatch(StableInputs::namesFiles);
  }
}
