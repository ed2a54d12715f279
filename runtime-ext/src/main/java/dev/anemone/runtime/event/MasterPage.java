// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Shows the jobs of an application master to those who come through the cluster's proxy of web
 * pages. Found by {@link java.util.ServiceLoader} on the class path of the application; {@code
 * anemone-ui} has one. Thread-safe.
 */
public interface MasterPage extends AutoCloseable {

  /**
   * Whom a page answers, as YARN's own application masters do it: the proxy, which says for whom it
   * asks.
   *
   * @param host name or address of this machine at which to listen
   * @param ports to listen at, the first that is free; empty for one that the system chooses
   * @param proxies the addresses that requests may come from, as they are now
   * @param mayRead whether a user may see the jobs; asked with empty when the proxy names nobody
   * @param address where people find the page: what the proxy calls it
   */
  record Audience(
      String host,
      List<Integer> ports,
      Supplier<Set<InetAddress>> proxies,
      Predicate<Optional<String>> mayRead,
      String address) {

    public Audience {
      ports = List.copyOf(ports);
    }
  }

  /**
   * Starts to serve; called once, before all else.
   *
   * @return where the proxy finds the page
   * @throws IOException when nothing can listen there
   */
  URI start(Audience audience) throws IOException;

  /** Shows a job, with those before it. Returns at once. */
  void show(JobEvents events);

  /** Ends the page. */
  @Override
  void close();
}
