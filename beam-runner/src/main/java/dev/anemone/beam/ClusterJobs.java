// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.engine.ClusterApplication;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;

/** The jobs of this user on a cluster, whoever has started them. */
public final class ClusterJobs {

  private ClusterJobs() {}

  /**
   * Those that the cluster still knows, the oldest first.
   *
   * @param options name the cluster; the deploy mode is set
   * @throws IllegalArgumentException when an option has a bad value
   * @throws IOException when the cluster gives no answer
   */
  public static List<ClusterApplication> list(PipelineOptions options) throws IOException {
    Deployment.Yarn cluster = cluster(options);
    return TezEngine.applications(cluster, cluster.waits().answer());
  }

  /**
   * Ends an application.
   *
   * @param options name the cluster; the deploy mode is set
   * @return whether there was one that had not ended
   * @throws IllegalArgumentException when an option has a bad value
   * @throws IOException when the cluster gives no answer
   */
  public static boolean kill(PipelineOptions options, String id) throws IOException {
    Deployment.Yarn cluster = cluster(options);
    return TezEngine.killApplication(cluster, id, cluster.waits().answer());
  }

  private static Deployment.Yarn cluster(PipelineOptions options) {
    options.as(NemoPipelineOptions.class).setDeployMode(DeployMode.YARN.name());
    return (Deployment.Yarn) RunSettings.of(options).engine().deployment();
  }
}
