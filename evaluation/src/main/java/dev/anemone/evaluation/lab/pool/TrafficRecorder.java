// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.pool;

import dev.anemone.evaluation.lab.pool.PoolServerProcess.Traffic;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Asks a server what it has received and sent, again and again until it is closed. */
public final class TrafficRecorder implements AutoCloseable {
  private final PoolServerProcess server;
  private final Traffic before;
  private final long begin = System.nanoTime();
  private final List<Sample> samples = new ArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("traffic", true));
  private final ScheduledFuture<?> sampling;

  /**
   * What had come and gone at a time.
   *
   * @param seconds since the beginning
   * @param traffic since the beginning
   */
  public record Sample(double seconds, Traffic traffic) {}

  private TrafficRecorder(PoolServerProcess server, Duration interval) throws IOException {
    this.server = server;
    this.before = server.traffic();
    this.sampling =
        timer.scheduleAtFixedRate(
            this::sampleOnTime, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Begins; the first sample comes an interval later. */
  public static TrafficRecorder start(PoolServerProcess server, Duration interval)
      throws IOException {
    return new TrafficRecorder(server, interval);
  }

  private void sampleOnTime() {
    try {
      sample();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void sample() throws IOException {
    samples.add(new Sample((System.nanoTime() - begin) / 1e9, server.traffic().since(before)));
  }

  /**
   * Ends, with a last sample; returns all in their order.
   *
   * @throws IOException when the server could not be asked every time
   */
  public List<Sample> stop() throws IOException, InterruptedException {
    sampling.cancel(false);
    timer.shutdown();
    if (!timer.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new IOException("what process " + server.process().pid() + " does cannot be read");
    }
    if (!sampling.isCancelled()) {
      try {
        sampling.get();
      } catch (ExecutionException e) {
        throw new IOException("what a server does could not be read", e.getCause());
      }
    }
    sample();
    synchronized (this) {
      return List.copyOf(samples);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
