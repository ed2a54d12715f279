// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.InputEstimates;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.graph.SharedData;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides how many tasks each vertex has, and which parts of a source each task reads.
 *
 * <pre>
 * before:  lines (8 parts, 160 MB) --ONE_TO_ONE--> words --SHUFFLE--> count
 *
 * after:   lines, words   Parallelism[tasks=2]     160 MB at 128 MB a task, up to a multiple of 2 slots
 *          lines          SplitAssignment[perTask=[[0, 1, 2, 3], [4, 5, 6, 7]]]
 *          count          Parallelism[tasks=4]     160 MB at 32 MB a task, at most 2 for each slot
 * </pre>
 *
 * <p>Vertices that one-to-one edges join get one number. It is the larger of what their sources and
 * what their shuffles ask for:
 *
 * <ul>
 *   <li>Sources: one task per {@link #TARGET_BYTES_PER_TASK}, or enough for all slots as long as
 *       each gets {@link #MIN_BYTES_PER_TASK}; never more than there are parts. Where sizes are
 *       unknown, a task per part up to the number of slots. The target is a block of HDFS; it is
 *       not less, since each task makes accumulators of its own for all keys that it meets.
 *   <li>Shuffles: one task per {@link #TARGET_BYTES_PER_SHUFFLE_TASK} of what the sources upstream
 *       hold, or enough for all slots as long as each gets {@link #MIN_BYTES_PER_TASK}; at most
 *       {@link #TASKS_PER_SLOT} for each slot, unless a task would read more than {@link
 *       #MAX_BYTES_PER_SHUFFLE_TASK}: a task that is done again, or one that spills, should not be
 *       large because the cluster is small. At least one for each slot where an operator upstream
 *       {@linkplain dev.anemone.ir.function.OperatorTrait#DIVIDES_WORK divides work}, or the one
 *       that reads the shuffle does. {@link #PARALLELISM} replaces the calculation. A shuffle all
 *       of whose elements have {@linkplain KeyExtractor#constant one key} asks for one task, since
 *       any further one would have nothing to read.
 * </ul>
 *
 * <p>Stages that read the same data by the same key get one number, the largest: so it can be
 * written once for all of them, as {@code SharedOutputPass} does, like the graph that every
 * iteration of PageRank reads.
 *
 * <p>More tasks than slots become a multiple of the slots, so that the last round of tasks is full.
 * A small job gets one task per stage, since a task costs tens of milliseconds by itself.
 *
 * <p>A vertex that already has a number of tasks keeps it, and those joined with it follow.
 */
public final class ParallelismPass implements AnnotatingPass {

  public static final PassOption<Integer> PARALLELISM =
      PassOption.wholeNumber(
          "parallelism",
          1,
          1,
          "tasks of every stage that reads a shuffle of more keys than one; default: by size");
  public static final PassOption<Integer> MAX_PARALLELISM =
      PassOption.wholeNumber(
          "maxParallelism",
          1,
          Integer.MAX_VALUE,
          "most tasks that a stage may get by its size; default: no limit");
  public static final PassOption<Long> TARGET_BYTES_PER_TASK =
      PassOption.bytes(
          "targetBytesPerTask", 128L << 20, "bytes that a task should read of sources");
  public static final PassOption<Long> TARGET_BYTES_PER_SHUFFLE_TASK =
      PassOption.bytes(
          "targetBytesPerShuffleTask", 32L << 20, "bytes that a task should read of shuffles");
  public static final PassOption<Long> MIN_BYTES_PER_TASK =
      PassOption.bytes(
          "minBytesPerTask", 4L << 20, "bytes of input from which a further task pays");
  public static final PassOption<Integer> TASKS_PER_SLOT =
      PassOption.wholeNumber(
          "tasksPerSlot",
          1,
          2,
          "most tasks per slot of a stage that reads a shuffle, as long as maxBytesPerShuffleTask"
              + " allows");
  public static final PassOption<Long> MAX_BYTES_PER_SHUFFLE_TASK =
      PassOption.bytes(
          "maxBytesPerShuffleTask",
          512L << 20,
          "bytes of shuffles beyond which there are more tasks than tasksPerSlot says");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Parallelism.class, SplitAssignment.class);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(
        PARALLELISM,
        MAX_PARALLELISM,
        TARGET_BYTES_PER_TASK,
        TARGET_BYTES_PER_SHUFFLE_TASK,
        MIN_BYTES_PER_TASK,
        TASKS_PER_SLOT,
        MAX_BYTES_PER_SHUFFLE_TASK);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    OneToOneGroups groups = OneToOneGroups.of(dag);
    Map<String, Integer> tasks = tasks(dag, groups, context);
    IRDag result = dag;
    for (List<IRVertex> group : groups.all()) {
      int groupTasks = tasks.get(name(group));
      for (IRVertex vertex : group) {
        if (vertex.property(Parallelism.class).isEmpty()) {
          result = result.apply(new SetVertexProperty(vertex.id(), new Parallelism(groupTasks)));
        }
      }
      result = assignSplits(result, group, groupTasks);
    }
    return result;
  }

  /** The tasks of each group, by its name. */
  private static Map<String, Integer> tasks(IRDag dag, OneToOneGroups groups, PassContext context) {
    InputEstimates estimates = InputEstimates.of(dag);
    Map<String, Integer> sampledTasks = sampledTasks(dag);
    Map<String, Integer> tasks = new HashMap<>();
    Set<String> given = new HashSet<>();
    for (List<IRVertex> group : groups.all()) {
      Optional<Integer> own = givenTasks(group);
      if (own.isPresent()) {
        given.add(name(group));
      }
      tasks.put(
          name(group),
          own.isPresent()
              ? own.get()
              : Math.max(
                  leastTasks(group, sampledTasks), tasksBySize(dag, group, estimates, context)));
    }
    for (Set<String> readers : readersAlike(dag, groups)) {
      readers.removeAll(given);
      readers.stream()
          .map(tasks::get)
          .max(Comparator.naturalOrder())
          .ifPresent(most -> readers.forEach(reader -> tasks.put(reader, most)));
    }
    return tasks;
  }

  private static String name(List<IRVertex> group) {
    return group.get(0).id();
  }

  /** The names of groups that read the same by key. */
  private static Collection<Set<String>> readersAlike(IRDag dag, OneToOneGroups groups) {
    Map<SharedData, Set<String>> readers = new LinkedHashMap<>();
    for (IREdge edge : dag.edges()) {
      IRVertex consumer = dag.vertex(edge.to());
      if (edge.pattern() == CommunicationPattern.SHUFFLE
          && edge.property(Order.class).equals(Optional.of(Order.BY_KEY))
          && !(consumer instanceof RelayVertex)) {
        readers
            .computeIfAbsent(SharedData.of(edge), data -> new LinkedHashSet<>())
            .add(name(groups.of(consumer)));
      }
    }
    return readers.values();
  }

  /** For each vertex that is sampled, how many tasks it must have for the sample to make sense. */
  private static Map<String, Integer> sampledTasks(IRDag dag) {
    Map<String, Integer> tasks = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex sampled) {
        tasks.merge(sampled.original(), Collections.max(sampled.sample()) + 1, Math::max);
      }
    }
    return tasks;
  }

  private static int leastTasks(List<IRVertex> group, Map<String, Integer> sampledTasks) {
    return group.stream().mapToInt(v -> sampledTasks.getOrDefault(v.id(), 1)).max().orElse(1);
  }

  /** What the vertices of a group already have, which must not contradict each other. */
  private static Optional<Integer> givenTasks(List<IRVertex> group) {
    IRVertex decidedBy = null;
    Optional<Integer> given = Optional.empty();
    for (IRVertex vertex : group) {
      Optional<Integer> own = ownTasks(vertex);
      if (own.isPresent() && given.isPresent() && !own.equals(given)) {
        throw new IllegalArgumentException(
            "vertices "
                + decidedBy.id()
                + " and "
                + vertex.id()
                + " are joined by one-to-one edges, which need equally many tasks, but were given "
                + given.get()
                + " and "
                + own.get()
                + "; give both the same number, or leave one to this pass");
      }
      if (own.isPresent() && given.isEmpty()) {
        given = own;
        decidedBy = vertex;
      }
    }
    return given;
  }

  private static Optional<Integer> ownTasks(IRVertex vertex) {
    if (vertex instanceof SampledVertex sampled) {
      return Optional.of(sampled.sample().size());
    }
    Optional<Integer> tasks = vertex.property(Parallelism.class).map(Parallelism::tasks);
    return tasks.isPresent()
        ? tasks
        : vertex.property(SplitAssignment.class).map(splits -> splits.perTask().size());
  }

  private static int tasksBySize(
      IRDag dag, List<IRVertex> group, InputEstimates estimates, PassContext context) {
    boolean shuffled = false;
    InputEstimates.Estimate fromShuffles = InputEstimates.Estimate.NOTHING;
    InputEstimates.Estimate fromSources = InputEstimates.Estimate.NOTHING;
    int parts = 0;
    for (IRVertex vertex : group) {
      if (vertex instanceof SourceVertex source) {
        fromSources = fromSources.plus(InputEstimates.ofSource(source));
        parts += source.parts().size();
      }
      for (IREdge edge : dag.incoming(vertex.id())) {
        if (edge.pattern() == CommunicationPattern.SHUFFLE && !hasOneKey(edge)) {
          shuffled = true;
          fromShuffles =
              fromShuffles.plus(
                  InputEstimates.dividesWork(vertex)
                      ? estimates.output(vertex.id())
                      : estimates.output(edge.from()));
        }
      }
    }
    if (shuffled && context.has(PARALLELISM)) {
      return context.get(PARALLELISM);
    }
    int tasks = 1;
    if (parts > 0) {
      tasks = Math.max(tasks, sourceTasks(fromSources, parts, context));
    }
    if (shuffled) {
      tasks = Math.max(tasks, shuffleTasks(fromShuffles, context));
    }
    return Math.min(tasks, context.get(MAX_PARALLELISM));
  }

  private static boolean hasOneKey(IREdge shuffle) {
    return shuffle.property(KeyExtractor.class).filter(KeyExtractor::constant).isPresent();
  }

  /**
   * How many tasks a stage gets that reads so many bytes of shuffles and nothing else, when the
   * option {@link #PARALLELISM} does not say.
   *
   * @param bytes at least 0
   */
  public static int tasksForShuffles(long bytes, PassContext context) {
    int tasks = shuffleTasks(new InputEstimates.Estimate(bytes, 0), context);
    return Math.min(tasks, context.get(MAX_PARALLELISM));
  }

  private static int sourceTasks(InputEstimates.Estimate estimate, int parts, PassContext context) {
    long tasks = tasksFor(estimate, context.get(TARGET_BYTES_PER_TASK), context);
    return (int) Math.min(wholeRounds(tasks, context.slots()), parts);
  }

  private static int shuffleTasks(InputEstimates.Estimate estimate, PassContext context) {
    long tasks = tasksFor(estimate, context.get(TARGET_BYTES_PER_SHUFFLE_TASK), context);
    long least = quotientUp(estimate.bytes(), context.get(MAX_BYTES_PER_SHUFFLE_TASK));
    long most = Math.max(least, (long) context.slots() * context.get(TASKS_PER_SLOT));
    long rounds = wholeRounds(Math.min(tasks, most), context.slots());
    return (int) Math.min(Integer.MAX_VALUE, rounds);
  }

  private static long tasksFor(
      InputEstimates.Estimate estimate, long targetBytes, PassContext context) {
    int slots = context.slots();
    long byTarget = quotientUp(estimate.bytes(), targetBytes);
    long worthwhile = Math.min(slots, estimate.bytes() / context.get(MIN_BYTES_PER_TASK));
    long byParts = Math.min(slots, estimate.unknownParts());
    return Math.max(Math.max(1, byTarget), Math.max(worthwhile, byParts));
  }

  private static long quotientUp(long bytes, long bytesPerTask) {
    return bytes / bytesPerTask + (bytes % bytesPerTask == 0 ? 0 : 1);
  }

  /** As many tasks, or enough for full rounds if they are more than the slots. */
  public static long wholeRounds(long tasks, int slots) {
    return tasks <= slots ? tasks : (tasks + slots - 1) / slots * slots;
  }

  private static IRDag assignSplits(IRDag dag, List<IRVertex> group, int tasks) {
    List<SourceVertex> sources =
        group.stream()
            .filter(SourceVertex.class::isInstance)
            .map(SourceVertex.class::cast)
            .filter(source -> source.property(SplitAssignment.class).isEmpty())
            .sorted(Comparator.comparing(SourceVertex::sizeBytes).reversed())
            .toList();
    SplitBalancer balancer = new SplitBalancer(tasks);
    IRDag result = dag;
    for (SourceVertex source : sources) {
      result = result.apply(new SetVertexProperty(source.id(), balancer.deal(source)));
    }
    return result;
  }
}
