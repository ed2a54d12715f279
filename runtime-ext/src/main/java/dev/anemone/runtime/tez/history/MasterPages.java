// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.MasterPage;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.app.AppContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page of an application master's jobs, behind YARN's proxy. It is started on a thread of its
 * own, so that no job waits for it. Thread-safe.
 */
final class MasterPages implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MasterPages.class);

  private final MasterPage page;
  private final List<JobEvents> waiting = new ArrayList<>();
  private boolean serves;

  private MasterPages(MasterPage page) {
    this.page = page;
  }

  /** Starts a page; empty where nothing on the class path can show one. */
  static Optional<MasterPages> start(AppContext master, Configuration settings) {
    Optional<MasterPages> pages =
        ServiceLoader.load(MasterPage.class, MasterPages.class.getClassLoader())
            .findFirst()
            .map(MasterPages::new);
    if (pages.isPresent()) {
      Thread starting =
          new Thread(
              () -> YarnListing.setPage(pages.get().serve(master, settings)), "anemone-page-start");
      starting.setDaemon(true);
      starting.start();
    } else {
      YarnListing.setPage(Optional.empty());
    }
    return pages;
  }

  private Optional<URI> serve(AppContext master, Configuration settings) {
    try {
      MasterPage.Audience audience = audience(master, settings);
      URI address = page.start(audience);
      LOG.info("The page of this application's jobs is at {}", audience.address());
      synchronized (this) {
        serves = true;
        waiting.forEach(page::show);
        waiting.clear();
      }
      return Optional.of(address);
    } catch (IOException | RuntimeException e) {
      LOG.warn("This application's jobs have no page", e);
      return Optional.empty();
    }
  }

  private static MasterPage.Audience audience(AppContext master, Configuration settings) {
    YarnConfiguration yarn = new YarnConfiguration(settings);
    String base = System.getenv(ApplicationConstants.APPLICATION_WEB_PROXY_BASE_ENV);
    return new MasterPage.Audience(
        ContainerEnvironment.required().host(),
        ports(settings),
        () -> proxies(yarn),
        mayRead(master, yarn),
        WebAppUtils.getHttpSchemePrefix(yarn)
            + WebAppUtils.getProxyHostAndPort(yarn)
            + (base == null ? "" : base + "/"));
  }

  /** Where a firewall lets a cluster's pages through, Tez's setting for them says it. */
  private static List<Integer> ports(Configuration settings) {
    String range = settings.get(TezConfiguration.TEZ_AM_WEBSERVICE_PORT_RANGE);
    List<Integer> ports = new ArrayList<>();
    if (range != null) {
      settings.getRange(TezConfiguration.TEZ_AM_WEBSERVICE_PORT_RANGE, range).forEach(ports::add);
    }
    return ports;
  }

  /** A resource manager that has taken over for another one, or a proxy, may be elsewhere now. */
  private static Set<InetAddress> proxies(YarnConfiguration yarn) {
    Set<InetAddress> addresses = new HashSet<>();
    for (String proxy : WebAppUtils.getProxyHostsAndPortsForAmFilter(yarn)) {
      String host = proxy.substring(0, proxy.lastIndexOf(':'));
      try {
        addresses.addAll(Arrays.asList(InetAddress.getAllByName(host)));
      } catch (UnknownHostException e) {
        LOG.warn("Who comes through the proxy at {} sees no page: it has no address", proxy);
      }
    }
    return addresses;
  }

  /**
   * Where a cluster does not look at who reads, neither does the page, as the proxy knows nobody.
   */
  private static Predicate<Optional<String>> mayRead(AppContext master, YarnConfiguration yarn) {
    boolean isAsked =
        UserGroupInformation.isSecurityEnabled()
            || yarn.getBoolean(
                YarnConfiguration.YARN_ACL_ENABLE, YarnConfiguration.DEFAULT_YARN_ACL_ENABLE);
    return user ->
        !isAsked
            || user.map(UserGroupInformation::createRemoteUser)
                .filter(master.getAMACLManager()::checkAMViewAccess)
                .isPresent();
  }

  /** Shows a job, as soon as the page serves. */
  synchronized void show(JobEvents events) {
    if (serves) {
      page.show(events);
    } else {
      waiting.add(events);
    }
  }

  @Override
  public void close() {
    page.close();
  }
}
