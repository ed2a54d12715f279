// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.hdfs.HdfsCaller;
import dev.anemone.beam.hdfs.HdfsCallers;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyAnswer;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.client.RemoteFile;
import dev.anemone.ndp.decide.ReadsInProgress;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.protocol.ProxyStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy, as this process sees it. One that could not be reached, or was late, is left alone for a
 * while, so that it does not cost every split the time that it takes to find that out. Thread-safe.
 */
final class StorageProxy implements ReadsInProgress.PlanRunner {

  private static final Logger LOG = LoggerFactory.getLogger(StorageProxy.class);

  /** How old a status may be, so that asking does not cost more than it brings. */
  private static final long FRESH_NANOS = Duration.ofMillis(200).toNanos();

  /** Older than this it says so little that a new one is worth waiting for, for a moment. */
  private static final long STALE_NANOS = Duration.ofSeconds(1).toNanos();

  /** That moment; who waited for longer would lose more than a status can bring. */
  private static final long MOMENT_MILLIS = 50;

  private final InetSocketAddress address;
  private final Clients clients;
  private final HdfsCallers callers;
  private final Executor askers;

  /** The last question; guarded by this. */
  private CompletableFuture<Void> question = CompletableFuture.completedFuture(null);

  /** Plans that this process has begun there, and that have not ended. */
  private final AtomicInteger plansOfThisProcess = new AtomicInteger();

  private volatile Told told;

  /** When it was last found that nobody is there, or answers in time. */
  private volatile Optional<Long> unreachable = Optional.empty();

  /**
   * What it said.
   *
   * @param own plans of this process when it was asked
   */
  private record Told(ProxyStatus status, long nanos, int own) {}

  /**
   * How proxies are spoken to.
   *
   * @param plans a client that waits for what operators give
   * @param questions a client of which answers come soon, or not at all
   * @param away how long a proxy is left alone that could not be reached, or was late
   */
  record Clients(NdpClient plans, NdpClient questions, Duration away) {}

  /**
   * A proxy that has answered.
   *
   * @param callers say as whom files are read
   * @param askers run questions
   */
  StorageProxy(
      InetSocketAddress address,
      Clients clients,
      ProxyStatus status,
      HdfsCallers callers,
      Executor askers) {
    this.address = address;
    this.askers = askers;
    this.callers = callers;
    this.clients = clients;
    this.told = new Told(status, System.nanoTime(), 0);
  }

  /** Its host and port. */
  String name() {
    return address.getHostString() + ":" + address.getPort();
  }

  /** Whether it could not be reached, or was late, a short time ago. */
  boolean isAway() {
    return unreachable
        .filter(when -> System.nanoTime() - when < clients.away().toNanos())
        .isPresent();
  }

  /** What it said last. */
  ProxyStatus lastStatus() {
    return told.status();
  }

  /**
   * How it is, of a moment ago; empty when it does not say so. Who wants to know that is about to
   * give it work, and the answer to a question may come behind all that is on the network: so
   * nobody waits for one while the last answer is good enough.
   */
  Optional<ProxyStatus> status() {
    if (isAway()) {
      return Optional.empty();
    }
    long age = System.nanoTime() - told.nanos();
    if (age >= FRESH_NANOS) {
      CompletableFuture<Void> asked = asked();
      if (age >= STALE_NANOS) {
        awaitForAMoment(asked);
      }
    }
    return isAway() ? Optional.empty() : Optional.of(told.status());
  }

  /** A question that is under way. */
  private synchronized CompletableFuture<Void> asked() {
    if (question.isDone()) {
      question = CompletableFuture.runAsync(this::ask, askers);
    }
    return question;
  }

  private void ask() {
    int own = plansOfThisProcess.get();
    try {
      told = new Told(clients.questions().status(address), System.nanoTime(), own);
    } catch (ProxyException e) {
      if (!Thread.currentThread().isInterrupted()) {
        LOG.info("Splits are not pushed to {} for a while: {}", address, e.getMessage());
        unreachable = Optional.of(System.nanoTime());
      }
    }
  }

  private static void awaitForAMoment(CompletableFuture<Void> asked) {
    try {
      asked.get(MOMENT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.debug("A proxy is asked how it is for more than {} ms", MOMENT_MILLIS);
    } catch (InterruptedException e) {
      // The split's own run will find that out.
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a proxy cannot be asked how it is", e.getCause());
    }
  }

  /** What it said last, with what this process has begun or ended there since. */
  ProxyStatus knownStatus() {
    Told last = told;
    ProxyStatus then = last.status();
    int own = plansOfThisProcess.get();
    return then.withTasks(
        Math.max(own, then.plans().running() + then.plans().queued() - last.own() + own));
  }

  /** Counts a plan that is about to begin there. */
  @Override
  public void planBegins() {
    plansOfThisProcess.incrementAndGet();
  }

  /** The same plan when it is over. */
  @Override
  public void planEnds() {
    plansOfThisProcess.decrementAndGet();
  }

  /**
   * Lets the proxy run a plan on a split.
   *
   * @return the answer, whole: no row of it can be followed by a failure
   * @throws ProxyException when there is none
   * @throws IOException when HDFS does not know the user
   */
  ProxyAnswer run(NdpSpec spec, FileSplit split, RelationalPlan plan, BufferAllocator allocator)
      throws IOException {
    URI file = URI.create(split.file());
    HdfsCaller caller = callers.of(file);
    try {
      return clients
          .plans()
          .run(
              address,
              new RemoteFile(
                  file.getPath(), caller.nameNode(), caller.user(), caller.delegation(), Map.of()),
              new PlanRequest(spec.format(), spec.columns(), split.range(), plan),
              allocator);
    } catch (ProxyException e) {
      if (e.kind() == ProxyException.Kind.UNREACHABLE || e.kind() == ProxyException.Kind.LATE) {
        unreachable = Optional.of(System.nanoTime());
      }
      throw e;
    }
  }
}
