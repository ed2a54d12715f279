/**
 * The cost model of near-data processing: how long a split, or a job of many, takes when the first
 * operators of its source run on the storage nodes, and how many of them should.
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
 * dev.anemone.ndp.cost.PushdownModel#forSplit(dev.anemone.ndp.cost.SplitCost,
 * dev.anemone.ndp.cost.JobCost, dev.anemone.ndp.cost.SystemLoad,
 * dev.anemone.ndp.cost.ClusterLoad)}.
 *
 * <p>Everything here is immutable and a pure function of its arguments. Times are seconds, sizes
 * bytes, and work is core-seconds: what one core of that side needs to do it alone.
 */
package dev.anemone.ndp.cost;
