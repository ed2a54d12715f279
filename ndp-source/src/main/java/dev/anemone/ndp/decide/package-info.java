// SPDX-License-Identifier: Apache-2.0
/**
 * Decides about pushdown: the cost model, which says how long a split, or a job of many, takes when
 * the first operators of its source run on the storage nodes, and how many of them should; what is
 * concluded from samples; and what this process has under way.
 *
 * <p>The model is that of SparkNDP (Rachuri et al., <i>Optimizing Near-Data Processing for
 * Spark</i>): the next operator is pushed to the storage side while
 *
 * <pre>  Tc(Q_compute, X_compute) + Tn(D_in) &gt; Tc(Q_storage, X_storage) + Tn(D_out)</pre>
 *
 * where {@code Q} is the length of a cluster's queue, {@code X} the rate at which it drains, and
 * {@code D} the bytes before and after the operator. The pass asks it when a job is planned, a task
 * when it opens its split, and the simulator in place of both. What is added to the paper's model
 * is that a task also knows what is left of its job: see {@link
 * dev.anemone.ndp.decide.PushdownModel#forSplit(dev.anemone.ndp.decide.SplitCost,
 * dev.anemone.ndp.decide.JobCost, dev.anemone.ndp.decide.SystemLoad,
 * dev.anemone.ndp.decide.ClusterLoad)}.
 *
 * <p>The model is immutable and a pure function of its arguments; only {@link
 * dev.anemone.ndp.decide.ReadsInProgress} and {@link dev.anemone.ndp.decide.BegunSplits} keep
 * anything. Times are seconds, sizes bytes, and work is core-seconds: what one core of that side
 * needs to do it alone.
 */
package dev.anemone.ndp.decide;
