package dev.anemone.runtime.tez.yarn;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.TezConstants;

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
    String supported = TezConstants.TEZ_SHUFFLE_HANDLER_SERVICE_ID;
    String chosen =
        given.getTrimmed(TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID, supported);
    if (!chosen.equals(supported)) {
      throw new IllegalArgumentException(
          TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID
              + " is '"
              + chosen
              + "' in "
              + directory
              + "; blocks are fetched from "
              + supported
              + " only. Set it to that, or leave it out; node managers can have both services.");
    }
    Collection<String> services =
        given.getTrimmedStringCollection(YarnConfiguration.NM_AUX_SERVICES);
    if (given.get(YarnConfiguration.NM_AUX_SERVICES) != null && !services.contains(supported)) {
      throw new IllegalArgumentException(
          YarnConfiguration.NM_AUX_SERVICES
              + " is '"
              + String.join(",", services)
              + "' in "
              + directory
              + ", without "
              + supported
              + ", from which tasks fetch the blocks of other nodes. Add it on the node managers.");
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
