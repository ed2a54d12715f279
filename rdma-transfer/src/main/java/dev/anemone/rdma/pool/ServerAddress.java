// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Where a pool server listens; also its name.
 *
 * @param host name or address
 * @param port 1 to 65,535
 */
public record ServerAddress(String host, int port) implements Comparable<ServerAddress> {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException for an empty host or a port that there is not
   */
  public ServerAddress {
    if (host.isBlank() || port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          "'" + host + ":" + port + "' is no address of a pool server. Give host:port.");
    }
  }

  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException when it is something else
   */
  public static ServerAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon < 1 || !port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "'" + text + "' is no address of a pool server. Give host:port.");
    }
    return new ServerAddress(text.substring(0, colon), Integer.parseInt(port));
  }

  /**
   * Reads {@code host:port,host:port}.
   *
   * @return in the pool's order, whatever the order of the text, so that all agree on the numbers
   * @throws IllegalArgumentException when an address is wrong, named twice, or none is there
   */
  public static List<ServerAddress> parseList(String text) {
    List<ServerAddress> servers = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      servers.add(parse(part.strip()));
    }
    return inOrder(servers);
  }

  /**
   * The pool's order of its servers.
   *
   * @throws IllegalArgumentException when one is there twice, or none
   */
  public static List<ServerAddress> inOrder(List<ServerAddress> servers) {
    List<ServerAddress> ordered = List.copyOf(new TreeSet<>(servers));
    if (ordered.isEmpty() || ordered.size() != servers.size()) {
      throw new IllegalArgumentException(
          servers + " is no list of pool servers. Name each server once, and at least one.");
    }
    return ordered;
  }

  /** The address as a socket takes it; resolves the host's name. */
  public InetSocketAddress socketAddress() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public int compareTo(ServerAddress other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
