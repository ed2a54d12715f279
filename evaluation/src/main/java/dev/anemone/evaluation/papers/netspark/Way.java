// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.papers.job.ComparedJobs;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.JobRuns;
import dev.anemone.evaluation.papers.job.Workload;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How what is shuffled comes to whoever reads it. */
enum Way implements ComparedJobs.Side {
  /** Through local files, which consumers read. */
  FILES(Optional.empty()),
  /** Pushed, by Netty's pipelines. */
  NETTY(Optional.of("netty")),
  /** Pushed, read by the receiver from the sender's pooled pages, over sockets of NIO. */
  TCP(Optional.of("tcp")),
  /** The same over UCX, which registers the pages with the device. */
  UCX(Optional.of("ucx")),
  /** Over UCX, too, but into memory that is allocated, registered and copied for each read. */
  NAIVE(Optional.of(NaiveRdmaProvider.NAME));

  private static final String HEAP = "-Xmx2g";

  private final Optional<String> wire;

  Way(Optional<String> wire) {
    this.wire = wire;
  }

  @Override
  public String title() {
    return wire.orElse("files");
  }

  @Override
  public JobCost run(JobRuns lab, Workload workload) throws IOException, InterruptedException {
    return lab.run(title(), workload, List.of(HEAP), options())
        .orElseThrow(() -> lab.failure(title(), workload));
  }

  /** What makes the runner shuffle so. */
  private List<String> options() {
    return wire.map(
            name ->
                List.of("--optimizationPolicy=" + Side.LARGE_SHUFFLE, "--pushTransport=" + name))
        .orElse(List.of("--optimizationPolicy=" + Side.DEFAULT));
  }

  /** Whether a job that is to be shuffled so has to push. */
  boolean pushes() {
    return wire.isPresent();
  }

  /** Why this machine cannot shuffle so; empty when it can. */
  private Optional<String> problem() {
    if (wire.isEmpty()) {
      return Optional.empty();
    }
    try (PushWires opened =
        InstalledWires.open(wire.get(), new PagePool(PagePool.PAGE_BYTES), JobSecret.random())) {
      return Optional.empty();
    } catch (TransportUnavailableException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** Those that work here. */
  static List<Way> working() {
    return Arrays.stream(values()).filter(way -> way.problem().isEmpty()).toList();
  }

  /** Why the others do not, as sentences; empty when there are none. */
  static String missing() {
    StringBuilder text = new StringBuilder();
    for (Way way : values()) {
      way.problem()
          .ifPresent(why -> text.append(" Without ").append(way.title()).append(": ").append(why));
    }
    return text.toString();
  }
}
