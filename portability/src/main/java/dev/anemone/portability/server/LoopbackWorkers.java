// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.options.InvalidPipelineException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.function.Supplier;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Value;

/**
 * Refuses pipelines whose functions run in the program that submits, where tasks run on other
 * machines: the program listens at its own loopback address.
 */
final class LoopbackWorkers {

  private static final String TYPE = "beam:option:environment_type:v1";
  private static final String LOOPBACK = "LOOPBACK";

  private LoopbackWorkers() {}

  /**
   * Checks a pipeline that tasks on some machines are to run.
   *
   * @param options of the pipeline
   * @param hosts finds the names or addresses of the machines
   * @throws InvalidPipelineException when one of them is not this machine; names it
   */
  static void check(Struct options, Supplier<List<String>> hosts) {
    String type = options.getFieldsOrDefault(TYPE, Value.getDefaultInstance()).getStringValue();
    if (!type.equals(LOOPBACK)) {
      return;
    }
    hosts.get().stream()
        .filter(host -> !isThisMachine(host))
        .findFirst()
        .ifPresent(
            host -> {
              throw new InvalidPipelineException(
                  "--environment_type=LOOPBACK runs functions in the program that submits, which"
                      + " tasks on "
                      + host
                      + " do not reach. Give --environment_type=PROCESS with"
                      + " --environment_option=process_command=COMMAND, a command that all machines"
                      + " of the cluster have, or --deploy_mode=local.");
            });
  }

  /** What has no address is not here. */
  private static boolean isThisMachine(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
