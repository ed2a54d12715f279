// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.network;

import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Hosts that exist for one experiment: each has a network of its own, a namespace of Linux, with an
 * address on a bridge, by which this program reaches all of them. A host can be cut off, as by a
 * cable that is pulled out: nobody is told, packets are dropped. There have to be {@link
 * Namespaces}. The hosts are gone when this is closed. Not thread-safe.
 */
public final class BridgedHosts implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** The network of each host, and of this program, who has the bridge. */
  public static final String DEVICE = "eth0";

  private static final String NETWORK = "10.99.0.";
  private static final int OWN_NUMBER = 254;
  private static final String READY = "ready";

  /** A namespace lives as long as a process is in it. */
  private static final String HOLDER = "echo " + READY + "; exec sleep infinity";

  /**
   * A port is free as soon as who listened there is gone, and not a minute later, as it is where
   * connections linger.
   */
  private static final String FREE_PORTS_AT_ONCE = "echo 0 > /proc/sys/net/ipv4/tcp_max_tw_buckets";

  private final List<LineProcess> holders = new ArrayList<>();
  private final List<Host> hosts = new ArrayList<>();

  private BridgedHosts() {}

  /**
   * Makes hosts.
   *
   * @param count at most 253
   * @param log where their error streams go
   */
  public static BridgedHosts make(int count, Path log) throws IOException, InterruptedException {
    BridgedHosts all = new BridgedHosts();
    try {
      ip("link", "add", "name", DEVICE, "type", "bridge");
      ip("addr", "add", NETWORK + OWN_NUMBER + "/24", "dev", DEVICE);
      ip("link", "set", DEVICE, "up");
      for (int number = 1; number <= count; number++) {
        all.add(number, log);
      }
      return all;
    } catch (IOException | InterruptedException | RuntimeException e) {
      try {
        all.close();
      } catch (IOException | InterruptedException | RuntimeException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  private void add(int number, Path log) throws IOException, InterruptedException {
    LineProcess holder =
        LineProcess.start(List.of("unshare", "--net", "sh", "-c", HOLDER), Map.of(), log);
    holders.add(holder);
    // Its network is its own by then.
    holder.await(READY, LIMIT);
    Host host = new Host(number, holder.pid());
    ip("link", "add", host.cable(), "type", "veth", "peer", "name", DEVICE, "netns", holder.pid());
    host.reconnect();
    ip("link", "set", host.cable(), "up");
    host.run("ip", "addr", "add", host.address() + "/24", "dev", DEVICE);
    host.run("ip", "link", "set", DEVICE, "up");
    host.run("ip", "link", "set", "lo", "up");
    host.run("sh", "-c", FREE_PORTS_AT_ONCE);
    hosts.add(host);
  }

  private static void ip(Object... words) throws IOException, InterruptedException {
    SystemCommand.run(Path.of("."), LIMIT, Arguments.of("ip", List.of(words)));
  }

  /** All of them, which the bridge connects. */
  public List<Host> all() {
    return List.copyOf(hosts);
  }

  /**
   * One of the hosts.
   *
   * @param holder the process that is in its namespace
   */
  public record Host(int number, long holder) {

    /** By which the others reach it. */
    public String address() {
      return NETWORK + number;
    }

    private String cable() {
      return "host" + number;
    }

    /** The command that runs another one there, which takes its process. */
    public List<String> command(List<String> command) {
      return Arguments.of("nsenter", "--net=/proc/" + holder + "/ns/net", command);
    }

    private void run(String... command) throws IOException, InterruptedException {
      SystemCommand.run(Path.of("."), LIMIT, command(List.of(command)));
    }

    /** Drops all packets from and to it. */
    public void cutOff() throws IOException, InterruptedException {
      ip("link", "set", cable(), "nomaster");
    }

    /** Drops none any longer. */
    public void reconnect() throws IOException, InterruptedException {
      ip("link", "set", cable(), "master", DEVICE);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    holders.forEach(LineProcess::close);
    // The cables go with the namespaces of their other ends.
    ip("link", "del", DEVICE);
  }
}
