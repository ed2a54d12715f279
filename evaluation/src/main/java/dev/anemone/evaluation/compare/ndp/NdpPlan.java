// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is measured, and how.
 *
 * @param directory for figures, logs and the cluster; made if missing
 * @param data where the tables are on the local disk, or shall be generated
 * @param scale of the tables
 * @param nodes data nodes, each with a proxy
 * @param blockBytes of a block of HDFS
 * @param slots tasks that run at the same time on the compute side
 * @param queries of TPC-H
 * @param bandwidths of the link, in millions of bits per second
 * @param concurrencies queries at a time, for the second figure
 * @param proxyCores plans that a proxy runs at the same time, for the second figure; the first one
 *     has the first of them
 * @param concurrentBandwidth of the link for the second figure
 * @param rounds in which every pushdown runs once at every point
 * @param storageProcessors for {@code taskset}; empty for all
 * @param computeProcessors likewise
 * @param jobOptions more options of every job
 * @param classPath of the programs
 * @param jvmOptions of the programs
 * @param deadline of a run
 */
record NdpPlan(
    Path directory,
    Path data,
    double scale,
    int nodes,
    long blockBytes,
    int slots,
    List<Integer> queries,
    List<Double> bandwidths,
    List<Integer> concurrencies,
    List<Integer> proxyCores,
    double concurrentBandwidth,
    int rounds,
    String storageProcessors,
    String computeProcessors,
    List<String> jobOptions,
    String classPath,
    List<String> jvmOptions,
    Duration deadline) {

  NdpPlan {
    queries = List.copyOf(queries);
    bandwidths = List.copyOf(bandwidths);
    concurrencies = List.copyOf(concurrencies);
    proxyCores = List.copyOf(proxyCores);
    jobOptions = List.copyOf(jobOptions);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** All points, those with as many proxy cores one after the other. */
  List<NdpPoint> points() {
    List<NdpPoint> points = new ArrayList<>();
    for (double megabits : bandwidths) {
      for (int query : queries) {
        points.add(new NdpPoint(NdpPoint.BANDWIDTH, megabits, proxyCores.get(0), List.of(query)));
      }
    }
    for (int cores : proxyCores) {
      for (int count : concurrencies) {
        points.add(
            new NdpPoint(
                NdpPoint.CONCURRENCY, concurrentBandwidth, cores, queries.subList(0, count)));
      }
    }
    return points;
  }
}
