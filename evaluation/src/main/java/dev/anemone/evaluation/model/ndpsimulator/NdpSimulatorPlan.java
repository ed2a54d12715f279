// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import java.nio.file.Path;
import java.util.List;

/**
 * What is simulated.
 *
 * @param directory for the figures and the plots; made if missing
 * @param clusters where nothing else is said
 * @param splits of all queries of a point together
 * @param splitBytes mean size of a split
 * @param variation the most by which a split differs from what is believed of it, as a part
 * @param seed of the variation
 * @param gigabits bandwidths, Gbit/s
 * @param storageCores numbers of cores for plans on a storage node
 * @param storagePowers work of a storage core as a part of a compute core's
 * @param concurrent numbers of queries at a time
 * @param selectivities of a filter
 */
record NdpSimulatorPlan(
    Path directory,
    Clusters clusters,
    int splits,
    double splitBytes,
    double variation,
    long seed,
    List<Double> gigabits,
    List<Integer> storageCores,
    List<Double> storagePowers,
    List<Integer> concurrent,
    List<Double> selectivities) {}
