// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.tez.common.TezUtilsInternal;
import org.apache.tez.dag.api.records.DAGProtos.ConfigurationProto;
import org.apache.tez.dag.api.records.DAGProtos.PlanKeyValuePair;

/**
 * What a JVM that YARN has started for this application knows of its place. Thread-safe.
 *
 * @param configuration the client's, as it came with the application
 * @param applicationId of the application
 * @param host of the node
 * @param localDirectories of the application on the node, one for each disk
 * @param offHeapBytes of the data plane; 0 in an application master
 */
public record ContainerEnvironment(
    Configuration configuration,
    String applicationId,
    String host,
    List<Path> localDirectories,
    long offHeapBytes) {

  /** In a JVM that is no container this is never filled. */
  private static Optional<ContainerEnvironment> here = Optional.empty();

  public ContainerEnvironment {
    localDirectories = List.copyOf(localDirectories);
  }

  /** This JVM's; empty when it is no container of a job. */
  public static synchronized Optional<ContainerEnvironment> here() {
    if (here.isEmpty() && System.getProperty(ContainerSizes.OFF_HEAP_PROPERTY) != null) {
      here = Optional.of(read());
    }
    return here;
  }

  /** This JVM's, which is a container of a job. */
  public static ContainerEnvironment required() {
    return here().orElseThrow(() -> new IllegalStateException("this JVM is no container of a job"));
  }

  private static ContainerEnvironment read() {
    return new ContainerEnvironment(
        readConfiguration(variable(Environment.PWD)),
        ContainerId.fromString(variable(Environment.CONTAINER_ID))
            .getApplicationAttemptId()
            .getApplicationId()
            .toString(),
        variable(Environment.NM_HOST),
        Arrays.stream(variable(Environment.LOCAL_DIRS).split(",")).map(Path::of).toList(),
        ContainerSizes.offHeapBytesOfThisContainer());
  }

  private static Configuration readConfiguration(String workingDirectory) {
    try {
      ConfigurationProto written =
          TezUtilsInternal.readUserSpecifiedTezConfiguration(workingDirectory);
      Configuration configuration = new Configuration(false);
      for (PlanKeyValuePair setting : written.getConfKeyValuesList()) {
        configuration.set(setting.getKey(), setting.getValue());
      }
      return configuration;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the configuration that came with the application cannot be read", e);
    }
  }

  private static String variable(Environment variable) {
    String value = System.getenv(variable.name());
    if (value == null) {
      throw new IllegalStateException(
          "YARN sets the environment variable " + variable + " for containers, but here it is not");
    }
    return value;
  }

  /** The address at which other nodes reach this one. */
  public InetAddress address() throws UnknownHostException {
    return InetAddress.getByName(host);
  }
}
