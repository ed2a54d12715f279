package dev.anemone.ndp.cost;

import java.util.Objects;

/**
 * What a decision must know of the system at a moment.
 *
 * @param storage the storage side, all nodes together
 * @param compute the compute side
 * @param network between them
 */
public record SystemLoad(ClusterLoad storage, ClusterLoad compute, NetworkLoad network) {

  /** Nothing may be missing. */
  public SystemLoad {
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(compute, "compute");
    Objects.requireNonNull(network, "network");
  }
}
