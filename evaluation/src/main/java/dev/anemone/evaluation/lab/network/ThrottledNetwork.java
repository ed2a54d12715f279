// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.network;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A network namespace whose loopback carries as slowly as is wanted all that is sent, or what the
 * compute side is sent: what proxies send, and what comes to {@link #COMPUTE_ADDRESS}. All of that
 * shares one link (a class of {@code tc}'s HTB); everything else, such as what a proxy reads from
 * its data node, is as fast as it is. The namespace belongs to the processes in it and is gone with
 * the last one, however that ends. Used by one thread.
 *
 * @param pid a process that {@link #command} has started
 */
public record ThrottledNetwork(long pid) {
  /** From which the compute side reads HDFS. */
  public static final String COMPUTE_ADDRESS = "127.0.0.201";

  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final String DEVICE = "lo";
  private static final String FAST_CLASS = "1:1";
  private static final String SLOW_CLASS = "1:2";

  /** More than a packet of loopback, which has up to 64 KB. */
  private static final int BURST_BYTES = 128 << 10;

  private static final double MEGABIT = 1e6;
  private static final double FASTEST_MEGABITS = 40_000;

  /** Runs a program in a new namespace, as the same process; fails where that is not allowed. */
  public static List<String> command(List<String> program)
      throws IOException, InterruptedException {
    requireAllowed();
    String script = "ip link set " + DEVICE + " up && exec \"$@\"";
    return Arguments.of("unshare", "--net", "--", "sh", "-c", script, "sh", program);
  }

  /** Fails if there cannot be such a network. */
  public static void requireAllowed() throws IOException, InterruptedException {
    String script =
        "ip link set lo up && tc qdisc add dev lo root handle 1: htb && tc class add dev lo parent"
            + " 1: classid 1:1 htb rate 1mbit && tc filter add dev lo parent 1: protocol ip u32"
            + " match ip sport 1 0xffff flowid 1:1";
    try {
      run(List.of("unshare", "--net", "--", "sh", "-c", script));
    } catch (IOException | ExperimentFailure e) {
      throw new ExperimentFailure(
          e,
          "This user may not make a network namespace with a throttle, or a program for it is"
              + " missing. It needs root on Linux, unshare and nsenter (util-linux), ip and tc"
              + " (iproute2) with HTB and u32. What was said: %s",
          e.getMessage());
    }
  }

  /** Runs a program in it, as the same process. */
  public List<String> inside(List<String> program) {
    return Arguments.of("nsenter", "--target", pid, "--net", "--", program);
  }

  /** Lets all packets of both directions share one link from now on. */
  public void limitAll(double megabits) throws IOException, InterruptedException {
    replace(SLOW_CLASS);
    change("add", SLOW_CLASS, megabits);
  }

  /** Lets what the compute side is sent share one link from now on; its bytes count. */
  public void limit(List<Integer> proxyPorts) throws IOException, InterruptedException {
    replace(FAST_CLASS);
    change("add", FAST_CLASS, FASTEST_MEGABITS);
    change("add", SLOW_CLASS, FASTEST_MEGABITS);
    filter("dst " + COMPUTE_ADDRESS + "/32");
    for (int port : proxyPorts) {
      filter("sport " + port + " 0xffff");
    }
  }

  /** Replaces what an earlier call has made; there is nothing to remove the first time. */
  private void replace(String usualClass) throws IOException, InterruptedException {
    String usual = usualClass.substring(usualClass.indexOf(':') + 1);
    tc("qdisc", "replace", "dev", DEVICE, "root", "handle", "2:", "pfifo");
    tc("qdisc", "replace", "dev", DEVICE, "root", "handle", "1:", "htb", "default", usual);
  }

  private void filter(String match) throws IOException, InterruptedException {
    tc("filter add dev lo parent 1: protocol ip u32 match ip " + match + " flowid " + SLOW_CLASS);
  }

  /** Sets how fast the link is, in millions of bits per second. */
  public void rate(double megabits) throws IOException, InterruptedException {
    change("change", SLOW_CLASS, megabits);
  }

  private void change(String verb, String name, double megabits)
      throws IOException, InterruptedException {
    tc(
        String.format(
            Locale.ROOT,
            "class %s dev lo parent 1: classid %s htb rate %.0fbit burst %d cburst %d quantum"
                + " 60000",
            verb,
            name,
            megabits * MEGABIT,
            BURST_BYTES,
            BURST_BYTES));
  }

  /** Bytes that have gone over the link since {@link #limit}, with headers of IP and TCP. */
  public long bytes() throws IOException, InterruptedException {
    String classes = run(inside(List.of("tc", "-s", "class", "show", "dev", DEVICE)));
    return sent(classes);
  }

  static long sent(String classes) {
    boolean slow = false;
    for (String line : classes.lines().toList()) {
      if (line.startsWith("class htb ")) {
        slow = line.startsWith("class htb " + SLOW_CLASS + " ");
      } else if (slow && line.startsWith(" Sent ")) {
        return Long.parseLong(line.substring(6, line.indexOf(" bytes")));
      }
    }
    throw new ExperimentFailure(
        "tc does not say what the throttled link has carried:%n%s", classes);
  }

  private void tc(String... arguments) throws IOException, InterruptedException {
    run(inside(Arguments.of("tc", List.of(String.join(" ", arguments).split(" ", -1)))));
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    return SystemCommand.run(Path.of("/"), DEADLINE, command);
  }
}
