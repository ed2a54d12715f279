// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.VertexProperty;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A clone of another vertex that runs only some of its tasks, to find out what the original will
 * produce. Task {@code k} reads exactly what the original's task {@code sample.get(k)} reads. See
 * {@link dev.anemone.ir.edit.InsertSampling} and Lee, <i>Dynamic Optimization of Large-Scale Data
 * Shuffling in a Data Processing System</i>, 2019.
 *
 * @param id unique in the DAG
 * @param name what a person calls it
 * @param original the id of the vertex that it is a clone of
 * @param sample indices of the original's tasks, ascending and distinct
 * @param pass the pass that inserted it
 * @param properties execution properties
 */
public record SampledVertex(
    String id,
    String name,
    String original,
    List<Integer> sample,
    String pass,
    ExecutionProperties<VertexProperty> properties)
    implements IRVertex {

  public SampledVertex {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(original, "original");
    sample = List.copyOf(sample);
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(properties, "properties");
    if (sample.isEmpty()) {
      throw new IllegalArgumentException("sampled vertex " + id + " samples no task");
    }
  }

  /**
   * Whether all tasks of the original were sampled. Then the original may get fewer tasks while the
   * job runs: all that are left are sampled still.
   */
  public boolean samplesAll() {
    return sample.get(0) == 0 && sample.get(sample.size() - 1) == sample.size() - 1;
  }

  @Override
  public SampledVertex withProperties(ExecutionProperties<VertexProperty> newProperties) {
    return new SampledVertex(id, name, original, sample, pass, newProperties);
  }

  @Override
  public Optional<String> insertedBy() {
    return Optional.of(pass);
  }
}
