// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.AntiAffinity;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which stages can get fewer tasks while the job runs: those that have not started before their
 * ranges are drawn, and of whose tasks nobody else counts on a certain number.
 */
public final class Resizing {

  private Resizing() {}

  /** Ids of the vertices of the stages that can get fewer tasks. */
  public static Set<String> resizableVertices(List<StagePlan> plans) {
    Set<String> vertices = new TreeSet<>();
    for (StagePlan plan : plans) {
      if (isResizable(plan)) {
        plan.stage().vertices().forEach(vertex -> vertices.add(vertex.id()));
      }
    }
    return vertices;
  }

  private static boolean isResizable(StagePlan plan) {
    return plan.redrawing().isPresent()
        && plan.sample().map(sample -> samplesAll(plan, sample)).orElse(true)
        && plan.stage().vertices().stream().noneMatch(Resizing::hasFixedTasks)
        && plan.outputs().stream().noneMatch(link -> link.transfer() == Transfer.ONE_TO_ONE)
        && plan.inputs().stream()
            .allMatch(
                link ->
                    link.transfer() == Transfer.GROUPED || link.transfer() == Transfer.BROADCAST);
  }

  /** A sample of some tasks names them, so these must remain. */
  private static boolean samplesAll(StagePlan plan, StageSample sample) {
    return sample.tasks().size() == plan.stage().parallelism();
  }

  private static boolean hasFixedTasks(IRVertex vertex) {
    return vertex instanceof SourceVertex || vertex.property(AntiAffinity.class).isPresent();
  }
}
