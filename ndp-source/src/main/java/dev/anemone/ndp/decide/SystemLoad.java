// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.Objects;

/**
 * What a decision must know of the system at a moment.
 *
 * @param storage the storage side, all nodes together
 * @param compute the compute side
 * @param network between them
 * @param slots tasks of a job that the compute side holds at a time, at least 1; they share its
 *     cores, and keep their slots while they wait
 */
public record SystemLoad(ClusterLoad storage, ClusterLoad compute, NetworkLoad network, int slots) {

  /**
   * Nothing may be missing.
   *
   * @throws IllegalArgumentException if there is no slot
   */
  public SystemLoad {
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(compute, "compute");
    Objects.requireNonNull(network, "network");
    Figures.requirePositive("The number of slots", slots);
  }

  /** A compute side with a slot for each core. */
  public SystemLoad(ClusterLoad storage, ClusterLoad compute, NetworkLoad network) {
    this(storage, compute, network, compute.cores());
  }
}
