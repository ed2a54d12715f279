// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import picocli.CommandLine.Option;

/**
 * That somebody knows what it means to listen over ucx where others reach it: UCX has no keys that
 * it checks itself, but where a device does.
 */
final class UcxConsent {

  private static final String UCX = "ucx";

  @Option(
      names = "--allow-ucx-on",
      paramLabel = "HOST",
      description =
          "The host of --listen once more, if the transport is ucx and other machines "
              + "reach it. Over ucx whoever reaches the port can read and write the server's "
              + "memory without any token: give this only where a firewall, or a network of "
              + "the pool's own, keeps all others out.")
  private String host;

  /**
   * Fails unless the user has named the host.
   *
   * @param transport the transport that will listen where other machines reach it
   * @param listens the host of its address
   */
  void require(String transport, String listens) {
    if (transport.equals(UCX) && !listens.equals(host)) {
      throw new IllegalArgumentException(
          "Over ucx whoever reaches "
              + listens
              + " can read and write this server's memory, with a token or without. Give"
              + " --transport=tcp; or, where a firewall or a network of the pool's own keeps all"
              + " others out, --allow-ucx-on="
              + listens
              + ".");
    }
  }
}
