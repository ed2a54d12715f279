// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.hdfs.ClusterDirectory;
import dev.anemone.beam.hdfs.HadoopTls;
import dev.anemone.beam.hdfs.HdfsCallers;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NdpOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.IOException;
import java.io.Serializable;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * How the storage side is reached.
 *
 * @param proxies their addresses as texts
 * @param tokenFile with the secret that they ask for; null when they do not
 * @param network bandwidth as a text; null when nobody has said it
 * @param waits how long the proxies are waited for
 * @param trusted by which the certificates of proxies are checked, if their addresses are of HTTPS;
 *     none for what Java trusts
 */
public record StorageAccess(
    List<String> proxies,
    String tokenFile,
    String network,
    ProxyWaits waits,
    List<X509Certificate> trusted)
    implements Serializable {

  private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)([KMG]B)?");
  private static final Map<String, Double> UNITS = Map.of("KB", 1e3, "MB", 1e6, "GB", 1e9);

  public StorageAccess {
    proxies = List.copyOf(proxies);
    trusted = List.copyOf(trusted);
  }

  /**
   * What the options say.
   *
   * @throws InvalidPipelineException when one of the proxies is no address, or the bandwidth none,
   *     or a delegation token would go to a proxy that others can read on its way
   */
  static StorageAccess of(PipelineOptions options) {
    NdpOptions ndp = options.as(NemoPipelineOptions.class);
    List<String> proxies = ndp.getNdpProxies() == null ? List.of() : ndp.getNdpProxies();
    ProxyAddresses addresses = ProxyAddresses.of(proxies);
    if (HdfsCallers.needTokens()) {
      addresses.requirePrivacy();
    }
    StorageAccess access =
        new StorageAccess(
            proxies,
            ndp.getNdpTokenFile(),
            ndp.getNdpNetwork(),
            ProxyWaits.of(ndp),
            addresses.encrypted() ? trusted(options) : List.of());
    access.bytesPerSecond();
    return access;
  }

  /** They go with the job, so that no node needs a file for them. */
  private static List<X509Certificate> trusted(PipelineOptions options) {
    Optional<ClusterDirectory> directory =
        ClusterDirectory.of(options.as(NemoPipelineOptions.class), System.getenv());
    if (directory.isEmpty()) {
      return List.of();
    }
    try {
      return HadoopTls.trusted(directory.get().path());
    } catch (IOException e) {
      throw new InvalidPipelineException(
          "The proxies of --ndpProxies speak HTTPS, but " + e.getMessage() + ".", e);
    }
  }

  ProxyAddresses addresses() {
    return ProxyAddresses.of(proxies);
  }

  /** The bandwidth that was given. */
  public Optional<Double> bytesPerSecond() {
    if (network == null) {
      return Optional.empty();
    }
    Matcher matcher = RATE.matcher(network.strip());
    if (!matcher.matches() || Double.parseDouble(matcher.group(1)) == 0) {
      throw new InvalidPipelineException(
          "--ndpNetwork="
              + network
              + " is no number of bytes per second. Give one such as --ndpNetwork=125MB.");
    }
    double unit = matcher.group(2) == null ? 1 : UNITS.get(matcher.group(2));
    return Optional.of(Double.parseDouble(matcher.group(1)) * unit);
  }
}
