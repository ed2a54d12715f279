// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.graph.KnownSizes;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.rewrite.JoinedSides.Side;
import dev.anemone.passes.skew.PartitionLoads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * A join of which is known what its producers have written.
 *
 * @param stage the vertices that run in its tasks, the first of which is the join
 * @param sides joined, each with the bytes that were measured, the largest first
 * @param shuffles into the join, each with its sizes
 * @param tasks among which the largest side would be divided
 */
record MeasuredJoin(List<IRVertex> stage, List<Side> sides, List<Measured> shuffles, int tasks) {

  /** A shuffle and what was measured of it. */
  record Measured(IREdge edge, ShuffleSizes.Shuffle sizes) {

    double bytes() {
      double bytes = 0;
      for (int partition = 0; partition < sizes.sampled().partitions(); partition++) {
        bytes += sizes.estimatedBytes(partition);
      }
      return bytes;
    }
  }

  MeasuredJoin {
    stage = List.copyOf(stage);
    sides = List.copyOf(sides);
    shuffles = List.copyOf(shuffles);
  }

  /**
   * What a message tells of the join that a vertex runs; empty where sides are measured together,
   * of which then none is known alone.
   */
  static Optional<MeasuredJoin> of(
      IRDag dag, IRVertex vertex, ShuffleSizes message, PassContext context) {
    List<Measured> shuffles = new ArrayList<>();
    for (IREdge edge : dag.incoming(vertex.id())) {
      Optional<ShuffleSizes.Shuffle> sizes =
          message.shuffles().stream()
              .filter(shuffle -> shuffle.edges().equals(List.of(edge.id())))
              .findFirst();
      if (sizes.isEmpty()) {
        return Optional.empty();
      }
      shuffles.add(new Measured(edge, sizes.get()));
    }
    return JoinedSides.of(dag, vertex, KnownSizes.of(dag))
        .map(
            joined -> {
              List<Side> sides =
                  joined.sides().stream()
                      .map(side -> measured(side, shuffles))
                      .sorted(Comparator.comparing(side -> -side.bytes().orElseThrow()))
                      .toList();
              List<IRVertex> stage = new ArrayList<>(OneToOneGroups.of(dag).of(vertex));
              stage.remove(vertex);
              stage.add(0, vertex);
              MeasuredJoin all = new MeasuredJoin(stage, sides, shuffles, present(vertex));
              return new MeasuredJoin(stage, sides, shuffles, all.evenTasks(context));
            });
  }

  private static int present(IRVertex vertex) {
    return vertex.property(Parallelism.class).orElseThrow().tasks();
  }

  /** As many tasks as there are, or so many fewer, if that may be, that shares are even. */
  private int evenTasks(PassContext context) {
    boolean fixed =
        context.has(ParallelismPass.PARALLELISM)
            || !stage.stream().map(IRVertex::id).allMatch(context.resizableVertices()::contains);
    int least = fixed ? tasks : Math.max(2, Math.min(tasks, context.slots()));
    for (int fewer = tasks; fewer >= least; fewer--) {
      if (kept().sizes().tasks() % fewer == 0) {
        return fewer;
      }
    }
    return tasks;
  }

  private static Side measured(Side side, List<Measured> shuffles) {
    double bytes =
        shuffles.stream()
            .filter(shuffle -> side.edges().contains(shuffle.edge()))
            .mapToDouble(Measured::bytes)
            .sum();
    return new Side(side.exchange(), side.edges(), OptionalLong.of(Math.round(bytes)));
  }

  /**
   * Why all sides stay partitioned by their keys; empty where the largest is divided by who wrote
   * it, and tasks read all of the others.
   *
   * @param most bytes of a small side
   */
  Optional<String> reasonToShuffle(long most) {
    List<Side> large = sides.stream().filter(side -> side.bytes().orElseThrow() > most).toList();
    if (tasks == 1) {
      return Optional.of("one task reads all");
    } else if (large.isEmpty()) {
      return Optional.of("all are small");
    } else if (large.size() > 1) {
      return Optional.of("more than one has more than " + JoinedSides.mb(most));
    } else if (!kept().edge().property(Divisibility.class).equals(divisible())) {
      return Optional.of(large.get(0).exchange() + " cannot be divided");
    }
    return reasonInTasks();
  }

  private static Optional<Divisibility> divisible() {
    return Optional.of(Divisibility.DIVISIBLE);
  }

  private Optional<String> reasonInTasks() {
    int makers = kept().sizes().tasks();
    double beside = beside();
    double shares = Math.ceil((double) makers / tasks);
    if (makers < tasks) {
      return Optional.of(makers + " tasks make " + sides.get(0).exchange());
    } else if (beside * tasks > kept().bytes()) {
      return Optional.of("the others are not worth reading " + tasks + " times");
    }
    return makers % tasks != 0 && kept().bytes() * shares / makers + beside > largestTask()
        ? Optional.of(makers + " tasks make " + sides.get(0).exchange() + ", so shares are uneven")
        : Optional.empty();
  }

  /** The shuffle of the side that is divided. */
  private Measured kept() {
    IREdge edge = sides.get(0).edges().get(0);
    return shuffles.stream()
        .filter(shuffle -> shuffle.edge().equals(edge))
        .findFirst()
        .orElseThrow();
  }

  /** Bytes of all that every task would read whole. */
  private double beside() {
    return shuffles.stream().mapToDouble(Measured::bytes).sum() - kept().bytes();
  }

  /** Bytes of the task that reads most as the ranges are. */
  private double largestTask() {
    double[] loads = new double[present(stage.get(0))];
    for (Measured shuffle : shuffles) {
      double[] own = PartitionLoads.of(set(shuffle.edge()), shuffle.sizes());
      Arrays.setAll(loads, task -> loads[task] + own[task]);
    }
    return Arrays.stream(loads).max().orElse(0);
  }

  private static PartitionSet set(IREdge edge) {
    return edge.property(PartitionSet.class).orElseThrow();
  }

  /** The graph in which the largest side is divided, and each task reads all of the others. */
  IRDag broadcast(IRDag dag) {
    HashRange all = new HashRange(0, set(kept().edge()).partitions());
    List<List<HashRange>> perTask = Collections.nCopies(tasks, List.of(all));
    List<Integer> readers = IntStream.range(0, tasks).boxed().toList();
    IRDag result = dag;
    for (IRVertex vertex : stage) {
      if (present(vertex) != tasks) {
        result = result.apply(new SetVertexProperty(vertex.id(), new Parallelism(tasks)));
      }
    }
    for (Measured shuffle : shuffles) {
      boolean replicated = !shuffle.edge().equals(kept().edge());
      PartitionSet set =
          new PartitionSet(perTask, List.of(new PartitionDivision(all, readers, replicated)));
      result = result.apply(new SetEdgeProperty(shuffle.edge().id(), set));
    }
    return result;
  }

  /** What is done and why, for people. */
  String note(long most) {
    String join = stage.get(0).id() + " (" + stage.get(0).name() + "): ";
    return reasonToShuffle(most)
        .map(reason -> join + JoinedSides.text(sides) + " stay partitioned: " + reason)
        .orElseGet(
            () ->
                join
                    + "each of "
                    + tasks
                    + " tasks reads all of "
                    + JoinedSides.text(sides.subList(1, sides.size()))
                    + ", and "
                    + sides.get(0).text()
                    + " from the tasks that made it");
  }
}
