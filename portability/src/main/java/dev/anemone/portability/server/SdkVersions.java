// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.sdk.util.ReleaseInfo;
import org.apache.beam.sdk.util.construction.Environments;

/** Compares the releases of Beam that a pipeline's SDKs are of with the runner's. Stateless. */
final class SdkVersions {

  /** What a capability begins with that tells an SDK and its version. */
  private static final String PREFIX = "beam:version:sdk_base:";

  private SdkVersions() {}

  /** A warning for each SDK of another release, that names both. */
  static List<String> warnings(Pipeline pipeline) {
    String own = ReleaseInfo.getReleaseInfo().getVersion();
    return pipeline.getComponents().getEnvironmentsMap().values().stream()
        .flatMap(environment -> Environments.expandAnyOfEnvironments(environment).stream())
        .flatMap(SdkVersions::sdks)
        .distinct()
        .filter(sdk -> !version(sdk).equals(own))
        .map(
            sdk ->
                "The pipeline is of "
                    + sdk
                    + ", and this runner of Beam "
                    + own
                    + ". Nobody has tried them together: if something fails, use an SDK of Beam "
                    + own
                    + ".")
        .toList();
  }

  private static Stream<String> sdks(Environment environment) {
    return environment.getCapabilitiesList().stream()
        .filter(capability -> capability.startsWith(PREFIX))
        .map(capability -> capability.substring(PREFIX.length()));
  }

  private static String version(String sdk) {
    return sdk.substring(sdk.lastIndexOf(':') + 1);
  }
}
