// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.ndp.decide.JobCost;
import dev.anemone.ndp.decide.OperatorCost;
import dev.anemone.ndp.decide.PushdownModel;
import dev.anemone.ndp.decide.SplitCost;
import java.util.function.Supplier;

/** Decides how many operators of a partition run on the storage side, when its query arrives. */
interface StreamPolicy {

  /**
   * Decides about the partitions of a query that arrives.
   *
   * @param atArrival the state before any of its partitions was given to a side
   */
  Decisions arrives(StreamQuery query, StreamState atArrival);

  /** Decides about a partition. */
  @FunctionalInterface
  interface Decisions {
    /**
     * How many operators of a partition run on the storage side.
     *
     * @param partition its index in the query
     * @param now the state after the query's partitions before this one were given to a side
     */
    int pushed(int partition, Supplier<StreamState> now);
  }

  /** The same first operators of every query, none for 0. */
  static StreamPolicy fixed(int pushed) {
    return (query, atArrival) -> (partition, now) -> pushed;
  }

  /** Our cost model, asked for every partition. */
  static StreamPolicy nearData() {
    return (query, atArrival) -> {
      SplitCost mean = query.meanPartition();
      int partitions = query.partitions().size();
      return (partition, now) -> {
        StreamState state = now.get();
        return PushdownModel.forSplit(
                query.partition(partition),
                new JobCost(mean, partitions - partition - 1),
                state.load(),
                state.nodeOf(partition))
            .pushed();
      };
    };
  }

  /**
   * The rule of the paper (IV-C), asked once for each query: an operator is pushed while that makes
   * it end earlier, and after the first that does not pay nothing more is.
   *
   * <pre>
   * time(cluster) = (queued partitions + partitions) / rate of the cluster
   * time(bytes)   = transfers under the limit ? bytes * transfers / bandwidth
   *                 : (bytes to go before they are + bytes) * limit / bandwidth
   * push while    time(compute) + time(input) &gt; time(storage) + time(output)
   * </pre>
   *
   * <p>A cluster's rate is that at which its cores would run partitions of the operator, and what
   * is queued counts as partitions of it. The transfer that asks counts as one.
   *
   * @param limit S_max: transfers of queries at a time that the network is shared by
   */
  static StreamPolicy netAware(int limit) {
    return (query, state) -> {
      SplitCost whole = query.whole();
      int pushed = 0;
      while (pushed < query.operators().size() && pays(query, whole, pushed, state, limit)) {
        pushed++;
      }
      int chosen = pushed;
      return (partition, now) -> chosen;
    };
  }

  private static boolean pays(
      StreamQuery query, SplitCost whole, int operator, StreamState state, int limit) {
    OperatorCost cost = query.operators().get(operator);
    int partitions = query.partitions().size();
    double input = whole.bytesAfter(operator);
    double inputOfPartition = input / partitions;
    double compute =
        (state.computeQueued() + partitions)
            * inputOfPartition
            * cost.computeSecondsPerByte()
            / state.clusters().computeCores();
    double storage =
        (state.storageQueued() + partitions)
            * inputOfPartition
            * cost.storageSecondsPerByte()
            / state.clusters().storageCores();
    return compute + state.transferSeconds(input, limit)
        > storage + state.transferSeconds(whole.bytesAfter(operator + 1), limit);
  }
}
