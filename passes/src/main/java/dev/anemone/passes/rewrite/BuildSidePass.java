// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.edit.BroadcastBuildSides;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.Reshaped;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.graph.GroupWaits;
import dev.anemone.passes.graph.KnownSizes;
import dev.anemone.passes.graph.Samplings;
import dev.anemone.passes.rewrite.JoinedSides.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Broadcasts the small side of a join in columns, so that the large one need not be shuffled: it is
 * joined by the tasks that make it.
 *
 * <pre>
 * before:  orders (900 MB) --> x0 = hash(o_key)  --SHUFFLE--> join (query on each partition)
 *          notes  (2 MB)   --> x1 = hash(n_order) --SHUFFLE--> join
 *
 * after:   orders (900 MB) --> x0 = stay --ONE_TO_ONE--> join (query on pieces of x0)
 *          notes  (2 MB)   --> x1 = broadcast ==BROADCAST into x1==> join
 * </pre>
 *
 * <p>A side is small if it has no more than {@link #BROADCAST_JOIN_BYTES}: what the planner of a
 * query has estimated, or else what its sources hold. What nobody knows is not small, and two sides
 * that are not small are shuffled by their keys. So are two small ones, since then there is little
 * to shuffle, and where all have one task {@link ExchangeEliminationPass} needs no shuffle at all.
 * Known as the choice between replicating a relation and partitioning both (DeWitt and Gray, 1992).
 *
 * <p>Only the side may be broadcast without which a join gives no row of its own: either one of an
 * inner join, the right one of a left outer, semi or anti join, the left one of a right outer join,
 * and none of a full one. A whole aggregate above such a join is done in halves, of which the first
 * is where the join is, and the second behind a shuffle of what that gives. Left alone is what is
 * sampled, measured or read by others, what would wait for itself, and a side that fewer tasks make
 * than would join it behind a shuffle.
 *
 * <p>It comes before what decides of shuffles. What the planner knows to be small is broadcast from
 * the start.
 */
public final class BuildSidePass implements ReshapingPass {

  public static final PassOption<Long> BROADCAST_JOIN_BYTES =
      PassOption.bytesOrNone(
          "broadcastJoinBytes",
          8L << 20,
          "bytes up to which a side of a join in columns goes to all tasks that make the other one,"
              + " if it is known to have no more and would be shuffled; default:"
              + " --broadcastJoinBytes; 0: none does");

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(BROADCAST_JOIN_BYTES, ExchangeEliminationPass.KEEP_EXCHANGES);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return reshape(dag, context).dag();
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    return reshape(dag, context).notes();
  }

  @Override
  public Reshaped reshape(IRDag dag, PassContext context) {
    long most = context.get(BROADCAST_JOIN_BYTES);
    List<String> notes = new ArrayList<>();
    IRDag result = dag;
    if (most > 0) {
      KnownSizes sizes = KnownSizes.of(dag);
      for (IRVertex vertex : dag.vertices()) {
        Optional<JoinedSides> joined = JoinedSides.of(result, result.vertex(vertex.id()), sizes);
        if (joined.isPresent()) {
          List<Side> large =
              joined.get().sides().stream().filter(side -> !isSmall(side, most)).toList();
          Optional<String> reason = reasonToShuffle(result, joined.get(), large, most, context);
          notes.add(note(joined.get(), large, reason));
          if (reason.isEmpty()) {
            result = result.apply(new BroadcastBuildSides(vertex.id(), large.get(0).exchange()));
          }
        }
      }
    }
    return new Reshaped(result, notes);
  }

  private static boolean isSmall(Side side, long most) {
    return side.bytes().isPresent() && side.bytes().getAsLong() <= most;
  }

  private static String note(JoinedSides joined, List<Side> large, Optional<String> reason) {
    String join = joined.vertex().id() + " (" + joined.vertex().name() + "): ";
    if (reason.isPresent()) {
      return join + JoinedSides.text(joined.sides()) + " are shuffled: " + reason.get();
    }
    List<Side> small = joined.sides().stream().filter(side -> !side.equals(large.get(0))).toList();
    return join
        + "all of "
        + JoinedSides.text(small)
        + " goes to the tasks that make "
        + large.get(0).text();
  }

  /** Why the sides of a join go on being shuffled; empty where all but the large one need not. */
  private static Optional<String> reasonToShuffle(
      IRDag dag, JoinedSides joined, List<Side> large, long most, PassContext context) {
    if (large.isEmpty()) {
      return Optional.of("all are small");
    } else if (large.size() == joined.sides().size()) {
      return Optional.of("none is known to have " + JoinedSides.mb(most) + " or less");
    } else if (large.size() > 1) {
      return Optional.of("more than one has more than " + JoinedSides.mb(most));
    }
    Side kept = large.get(0);
    if (!canRunOnPieces(dag, joined, kept.exchange())) {
      return Optional.of("on some rows of " + kept.exchange() + " the query may give others");
    } else if (kept.edges().size() > 1) {
      return Optional.of("several vertices make " + kept.exchange());
    } else if (isHeld(dag, joined)) {
      return Optional.of("others read or sample what is shuffled");
    } else if (waits(dag, joined, kept)) {
      return Optional.of("the tasks that make " + kept.exchange() + " would wait for themselves");
    }
    return reasonInTasks(dag, joined, kept, context);
  }

  private static boolean canRunOnPieces(IRDag dag, JoinedSides joined, String exchange) {
    return joined.query().onPieces(exchange).isPresent()
        || (joined.query().inHalves(exchange, exchange + " ").isPresent()
            && !dag.outgoing(joined.vertex().id()).isEmpty());
  }

  /** Whether something must go on as it is. */
  private static boolean isHeld(IRDag dag, JoinedSides joined) {
    Samplings samplings = Samplings.of(dag);
    Optional<Parallelism> tasks = joined.vertex().property(Parallelism.class);
    for (IREdge edge : dag.incoming(joined.vertex().id())) {
      IRVertex from = dag.vertex(edge.from());
      if (dag.outgoing(from.id()).size() > 1
          || samplings.sample(from.id())
          || samplings.measure(edge.id())
          || ShuffleAliases.isAlias(dag, edge)
          || ShuffleAliases.aliasOf(dag, edge).isPresent()
          || !from.property(Parallelism.class).equals(tasks)) {
        return true;
      }
    }
    return samplings.sample(joined.vertex().id());
  }

  /** Why the number of tasks that the join would have speaks for a shuffle, if it does. */
  private static Optional<String> reasonInTasks(
      IRDag dag, JoinedSides joined, Side kept, PassContext context) {
    IRDag planned = new ParallelismPass().apply(dag, context);
    int behindShuffle = tasks(planned, joined.vertex().id());
    int most =
        dag.incoming(joined.vertex().id()).stream()
            .mapToInt(edge -> tasks(planned, edge.from()))
            .reduce(behindShuffle, Math::max);
    if (most == 1) {
      return context.get(ExchangeEliminationPass.KEEP_EXCHANGES)
          ? Optional.empty()
          : Optional.of("one task needs no shuffle");
    }
    return tasks(planned, kept.edges().get(0).from()) < Math.min(context.slots(), behindShuffle)
        ? Optional.of("few tasks make " + kept.exchange())
        : Optional.empty();
  }

  private static int tasks(IRDag planned, String vertexId) {
    return planned.vertex(vertexId).property(Parallelism.class).orElseThrow().tasks();
  }

  /** Whether the join would run in tasks that have to wait for themselves. */
  private static boolean waits(IRDag dag, JoinedSides joined, Side kept) {
    GroupWaits waits = GroupWaits.of(dag);
    IRVertex stays = dag.vertex(kept.edges().get(0).from());
    for (IREdge edge : dag.incoming(joined.vertex().id())) {
      boolean stalls =
          edge.from().equals(stays.id())
              ? waits.waits(stays, List.of(joined.vertex()))
              : waits.waits(dag.vertex(edge.from()), List.of(stays, joined.vertex()));
      if (stalls) {
        return true;
      }
    }
    return false;
  }
}
