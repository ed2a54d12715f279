// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transports that are on the class path, and the choice among them: the one that is preferred
 * most of those that work here, or the one that the user names. Immutable.
 */
public final class Transports {

  private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

  /** What the papers that this module follows used; people will ask for it. */
  private static final String DISNI = "disni";

  private final List<TransportProvider> providers;

  private Transports(List<TransportProvider> providers) {
    this.providers = providers;
  }

  /** Those that {@link ServiceLoader} finds. */
  public static Transports found() {
    return of(
        ServiceLoader.load(TransportProvider.class, Transports.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /** These. */
  public static Transports of(List<TransportProvider> providers) {
    return new Transports(
        providers.stream()
            .sorted(Comparator.comparingInt(TransportProvider::preference).reversed())
            .toList());
  }

  /** The names, the most preferred first. */
  public List<String> names() {
    return providers.stream().map(TransportProvider::name).toList();
  }

  /**
   * Opens the best transport that works here; the log says which one, and why each better one does
   * not.
   *
   * @throws TransportUnavailableException when none works: why each does not
   */
  public Transport open() throws TransportUnavailableException {
    List<String> refusals = new ArrayList<>();
    List<TransportUnavailableException> causes = new ArrayList<>();
    for (TransportProvider provider : providers) {
      try {
        Transport transport = provider.open();
        LOG.info(
            "the transport is {}{}",
            provider.name(),
            refusals.isEmpty() ? "" : "; not " + String.join("; not ", refusals));
        return transport;
      } catch (TransportUnavailableException e) {
        refusals.add(provider.name() + ": " + e.getMessage());
        causes.add(e);
      }
    }
    TransportUnavailableException failure =
        new TransportUnavailableException(
            "no transport works here: "
                + (refusals.isEmpty()
                    ? "there is none on the class path"
                    : String.join("; ", refusals)),
            null);
    causes.forEach(failure::addSuppressed);
    throw failure;
  }

  /**
   * Opens a transport by name.
   *
   * @throws IllegalArgumentException when there is none of that name: which there are
   * @throws TransportUnavailableException when it does not work here: why, and which others there
   *     are
   */
  public Transport open(String name) throws TransportUnavailableException {
    TransportProvider wanted =
        providers.stream()
            .filter(provider -> provider.name().equals(name))
            .findFirst()
            .orElseThrow(() -> unknown(name));
    try {
      Transport transport = wanted.open();
      LOG.info("the transport is {}, as asked for", name);
      return transport;
    } catch (TransportUnavailableException e) {
      List<String> others = names().stream().filter(other -> !other.equals(name)).toList();
      throw new TransportUnavailableException(
          "the transport '"
              + name
              + "' was asked for, but does not work here: "
              + e.getMessage()
              + (others.isEmpty() ? "" : " (Others: " + list(others) + ".)"),
          e);
    }
  }

  private IllegalArgumentException unknown(String name) {
    String why =
        name.equals(DISNI)
            ? ": DiSNI was last released in 2019, and no distribution packages its native"
                + " library; 'ucx' does the same over verbs"
            : "";
    return new IllegalArgumentException(
        "there is no transport '" + name + "'" + why + "; there are: " + list(names()));
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "none" : names.stream().collect(Collectors.joining(", "));
  }
}
