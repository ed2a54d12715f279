// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.hdfs.HadoopTls;
import dev.anemone.beam.hdfs.HdfsCallers;
import dev.anemone.ndp.client.ClientOptions;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.decide.ReadsInProgress;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.ndp.protocol.SharedSecret;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.beam.sdk.options.PipelineOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxies beside the data nodes, as a job sees them from this process. Which data node a proxy
 * is beside it says itself, once; one that does not answer then is not asked again. Thread-safe.
 */
public final class StorageSide implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(StorageSide.class);

  private static final String SCHEME = "hdfs";

  private static final int THREADS = 32;

  private static final String THREAD = "anemone-asks-proxies";

  /** Jobs of this process have one network, and its processors, together. */
  private static final ReadsInProgress.OfProcess ALL_READS = new ReadsInProgress.OfProcess();

  private final Map<String, List<StorageProxy>> byHost;
  private final HdfsCallers callers;
  private final ReadsInProgress reads = new ReadsInProgress(ALL_READS);
  private final boolean learnsNetwork;

  private final ExecutorService askers;

  private StorageSide(boolean learnsNetwork, HdfsCallers callers, ExecutorService askers) {
    this.byHost = new HashMap<>();
    this.learnsNetwork = learnsNetwork;
    this.callers = callers;
    this.askers = askers;
  }

  /**
   * The proxies that answer. All are asked at the same time.
   *
   * @param pipeline has the configuration of the file systems
   * @throws InterruptedIOException when the thread is interrupted meanwhile
   */
  public static StorageSide of(StorageAccess access, PipelineOptions pipeline) throws IOException {
    ProxyAddresses named = access.addresses();
    List<InetSocketAddress> addresses = named.all();
    ClientOptions options =
        ClientOptions.defaults()
            .withDeadline(access.waits().plan())
            .withSpillDirectory(EngineDirectory.of(EngineDirectory.parent(pipeline)));
    if (access.tokenFile() != null && !addresses.isEmpty()) {
      options = options.withSecret(secret(Path.of(access.tokenFile())));
    }
    if (named.encrypted()) {
      options = options.withTls(HadoopTls.trusting(access.trusted()));
    }
    ExecutorService askers =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(THREADS, addresses.size())), StorageSide::daemon);
    StorageSide storage =
        new StorageSide(access.bytesPerSecond().isEmpty(), HdfsCallers.of(pipeline), askers);
    if (addresses.isEmpty()) {
      return storage;
    }
    try {
      storage.askFirst(addresses, options, access.waits());
    } catch (IOException e) {
      storage.close();
      throw e;
    }
    return storage;
  }

  private static Thread daemon(Runnable question) {
    Thread thread = new Thread(question, THREAD);
    thread.setDaemon(true);
    return thread;
  }

  private void askFirst(List<InetSocketAddress> addresses, ClientOptions options, ProxyWaits waits)
      throws IOException {
    NdpClient plans = new NdpClient(options);
    NdpClient questions = new NdpClient(options.within(waits.status()));
    List<Callable<StorageProxy>> calls = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      calls.add(
          () ->
              new StorageProxy(
                  address,
                  new StorageProxy.Clients(plans, questions, waits.away()),
                  questions.status(address),
                  callers,
                  askers));
    }
    try {
      // Each call has a deadline of its own.
      for (Future<StorageProxy> answer : askers.invokeAll(calls)) {
        try {
          add(answer.get());
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof ProxyException)) {
            throw new IOException("the proxies of --ndpProxies cannot be asked", e.getCause());
          }
          LOG.warn("Splits are not pushed to a proxy: {}", e.getCause().getMessage());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the proxies were asked how they are");
    }
  }

  private void add(StorageProxy proxy) {
    String host = proxy.lastStatus().dataNode().host().toLowerCase(Locale.ROOT);
    byHost.computeIfAbsent(host, one -> new ArrayList<>()).add(proxy);
  }

  private static SharedSecret secret(Path file) {
    try {
      return SharedSecret.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException("--ndpTokenFile=" + file + " cannot be read", e);
    }
  }

  /** A proxy beside a data node that holds the split, the best host's first. */
  public Optional<StorageProxy> proxyOf(FileSplit split) {
    if (!SCHEME.equals(URI.create(split.file()).getScheme())) {
      return Optional.empty();
    }
    for (String host : split.hosts()) {
      List<StorageProxy> proxies = byHost.getOrDefault(host.toLowerCase(Locale.ROOT), List.of());
      for (int i = 0; i < proxies.size(); i++) {
        StorageProxy proxy = proxies.get(Math.floorMod(split.hashCode() + i, proxies.size()));
        if (!proxy.isAway()) {
          return Optional.of(proxy);
        }
      }
    }
    return Optional.empty();
  }

  /** What is being read in this process, by other jobs, too. */
  ReadsInProgress reads() {
    return reads;
  }

  /** Whether nobody has said how fast the network is, so that reads find it out. */
  boolean learnsNetwork() {
    return learnsNetwork;
  }

  /** How all proxies are that answer, as of a moment ago. */
  public List<ProxyStatus> statuses() {
    List<ProxyStatus> statuses = new ArrayList<>();
    byHost.values().forEach(proxies -> proxies.forEach(p -> p.status().ifPresent(statuses::add)));
    return statuses;
  }

  /** The same as far as is known, with what this process has begun or ended since they said it. */
  List<ProxyStatus> knownStatuses() {
    return byHost.values().stream()
        .flatMap(List::stream)
        .filter(proxy -> !proxy.isAway())
        .map(StorageProxy::knownStatus)
        .toList();
  }

  /** Gives back the tokens of HDFS with which plans were sent, and asks nobody any more. */
  @Override
  public void close() {
    askers.shutdownNow();
    callers.close();
  }
}
