// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The loopback device, which drops all packets from and to one of its addresses until this is
 * closed: they go into a queue that is too short for any. Nobody is told: connections stay open.
 */
final class LossyNetwork implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String DEVICE = "lo";

  private LossyNetwork() {}

  static LossyNetwork dropping(String address) throws IOException, InterruptedException {
    tc("qdisc add dev " + DEVICE + " root handle 1: htb");
    LossyNetwork network = new LossyNetwork();
    try {
      tc("class add dev " + DEVICE + " parent 1: classid 1:1 htb rate 1mbit");
      tc("qdisc add dev " + DEVICE + " parent 1:1 bfifo limit 1");
      for (String side : List.of("src", "dst")) {
        tc(
            "filter add dev %s parent 1: protocol ip prio 1 u32 match ip %s %s/32 flowid 1:1"
                .formatted(DEVICE, side, address));
      }
      return network;
    } catch (IOException | InterruptedException | RuntimeException e) {
      network.close();
      throw e;
    }
  }

  private static void tc(String arguments) throws IOException, InterruptedException {
    SystemCommand.run(Path.of("."), LIMIT, List.of(("tc " + arguments).split(" ")));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    tc("qdisc del dev " + DEVICE + " root");
  }
}
