// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * A DoFn. The main output has the name {@link dev.anemone.ir.IREdge#MAIN} in the IR, an additional
 * one its tag's id, a side input its view's tag's id.
 *
 * @param stepName the full name of the transform
 * @param doFn the function
 * @param outputs what the function writes
 * @param inputCoder the coder of the main input
 * @param windowing of the main input
 * @param sideInputs what the function may read beside its input
 * @param sideInputMapping the side inputs that the function's parameters name
 * @param schemaInformation how elements convert to the function's schema parameters
 */
public record ParDoSpec(
    String stepName,
    DoFn<?, ?> doFn,
    Outputs outputs,
    Coder<?> inputCoder,
    WindowingStrategy<?, ?> windowing,
    List<PCollectionView<?>> sideInputs,
    Map<String, PCollectionView<?>> sideInputMapping,
    DoFnSchemaInformation schemaInformation)
    implements StepPayload {

  /**
   * What a function writes.
   *
   * @param main the tag of the main output
   * @param additional the tags of the other outputs
   * @param coders the coder of each output; an output without one is only written by tag
   */
  public record Outputs(
      TupleTag<?> main, List<TupleTag<?>> additional, Map<TupleTag<?>, Coder<?>> coders)
      implements Serializable {

    public Outputs {
      requireNonNull(main, "main");
      additional = List.copyOf(additional);
      // In the given order, so that equal specs have equal bytes.
      coders = Collections.unmodifiableMap(new LinkedHashMap<>(coders));
    }
  }

  public ParDoSpec {
    requireNonNull(stepName, "stepName");
    requireNonNull(doFn, "doFn");
    requireNonNull(outputs, "outputs");
    requireNonNull(inputCoder, "inputCoder");
    requireNonNull(windowing, "windowing");
    sideInputs = List.copyOf(sideInputs);
    // In the given order, so that equal specs have equal bytes.
    sideInputMapping = Collections.unmodifiableMap(new LinkedHashMap<>(sideInputMapping));
    requireNonNull(schemaInformation, "schemaInformation");
  }
}
