// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.util.Arrays;
import java.util.Optional;

/** Whose shuffle handler serves blocks; the two differ a little in places and words. */
public enum HandlerKind {
  /** Hadoop MapReduce's, an auxiliary service of every node manager. */
  MAPREDUCE("mapreduce_shuffle"),

  /**
   * Tez's own ({@code tez-aux-services}), where it has been put on the node managers. It keeps the
   * blocks of each DAG apart, and says first how many partitions an answer has.
   */
  TEZ("tez_shuffle");

  private final String service;

  HandlerKind(String service) {
    this.service = service;
  }

  /** The name of the auxiliary service. */
  public String service() {
    return service;
  }

  /** The handler that an auxiliary service of this name is; empty for other services. */
  public static Optional<HandlerKind> of(String service) {
    return Arrays.stream(values()).filter(kind -> kind.service.equals(service)).findFirst();
  }
}
