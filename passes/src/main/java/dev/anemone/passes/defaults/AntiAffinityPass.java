// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.OneToOneGroups;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Spreads the tasks of each stage that reads a shuffle over the nodes, when {@link #ANTI_AFFINITY}
 * asks for it. Such tasks take data from every producer, so that several of them on one node would
 * share its network link and its disks while those of other nodes are idle.
 *
 * <pre>
 * before:  words --SHUFFLE--> count (3 tasks) --ONE_TO_ONE--> write (3 tasks)
 *
 * after:   count  AntiAffinity[tasks=[0, 1, 2]]          with antiAffinity=true
 *          write  AntiAffinity[tasks=[0, 1, 2]]
 * </pre>
 *
 * <p>A stage with one task has nothing to spread.
 */
public final class AntiAffinityPass implements AnnotatingPass {

  public static final PassOption<Boolean> ANTI_AFFINITY =
      PassOption.flag("antiAffinity", "spread the tasks that read a shuffle over the nodes");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(AntiAffinity.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(Parallelism.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(ANTI_AFFINITY);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (!context.get(ANTI_AFFINITY)) {
      return dag;
    }
    OneToOneGroups groups = OneToOneGroups.of(dag);
    return Annotator.vertices(
        dag,
        AntiAffinity.class,
        vertex -> {
          Optional<AntiAffinity> ofGroup = groups.value(vertex, AntiAffinity.class);
          return ofGroup.isPresent() || !readsShuffle(dag, groups.of(vertex))
              ? ofGroup
              : allTasks(vertex);
        });
  }

  private static boolean readsShuffle(IRDag dag, List<IRVertex> group) {
    return group.stream()
        .flatMap(vertex -> dag.incoming(vertex.id()).stream())
        .anyMatch(edge -> edge.pattern() == CommunicationPattern.SHUFFLE);
  }

  private static Optional<AntiAffinity> allTasks(IRVertex vertex) {
    return vertex
        .property(Parallelism.class)
        .filter(parallelism -> parallelism.tasks() > 1)
        .map(
            parallelism ->
                new AntiAffinity(
                    IntStream.range(0, parallelism.tasks())
                        .boxed()
                        .collect(Collectors.toUnmodifiableSet())));
  }
}
