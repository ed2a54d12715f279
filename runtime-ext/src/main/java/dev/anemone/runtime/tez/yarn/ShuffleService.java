// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.tez.handler.HandlerKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.tez.dag.api.TezConfiguration;

/** The service of node managers that hands out blocks to tasks on other nodes. */
final class ShuffleService {

  /** Hadoop MapReduce's and Tez's names for a shuffle over TLS. */
  private static final List<String> ENCRYPTION =
      List.of("mapreduce.shuffle.ssl.enabled", "tez.runtime.shuffle.ssl.enable");

  private ShuffleService() {}

  /**
   * Looks at what a cluster's configuration says of its shuffle service, so that a job does not
   * start and then find its blocks out of reach. A configuration made for clients may say nothing.
   *
   * @param given without Hadoop's defaults
   * @throws IllegalArgumentException when the cluster has another service, or an encrypted one
   */
  static void requireSupported(Path directory, Configuration given) {
    String chosen =
        given.getTrimmed(
            TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID,
            TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID_DEFAULT);
    if (HandlerKind.of(chosen).isEmpty()) {
      throw new IllegalArgumentException(
          TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID
              + " is '"
              + chosen
              + "' in "
              + directory
              + "; blocks are fetched from "
              + Arrays.stream(HandlerKind.values())
                  .map(HandlerKind::service)
                  .collect(Collectors.joining(" or "))
              + " only. Set it to one of them, or leave it out; node managers can have several.");
    }
    Collection<String> services =
        given.getTrimmedStringCollection(YarnConfiguration.NM_AUX_SERVICES);
    if (given.get(YarnConfiguration.NM_AUX_SERVICES) != null && !services.contains(chosen)) {
      throw new IllegalArgumentException(
          YarnConfiguration.NM_AUX_SERVICES
              + " is '"
              + String.join(",", services)
              + "' in "
              + directory
              + ", without "
              + chosen
              + ", from which tasks fetch the blocks of other nodes. Add it on the node managers,"
              + " or name another in "
              + TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID
              + ".");
    }
    for (String encrypted : ENCRYPTION) {
      if (given.getBoolean(encrypted, false)) {
        throw new IllegalArgumentException(
            encrypted
                + " is true in "
                + directory
                + ", but blocks cannot be fetched over TLS. Run on a cluster without it.");
      }
    }
  }
}
