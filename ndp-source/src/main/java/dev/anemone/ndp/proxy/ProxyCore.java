// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.ndp.protocol.ProxyStatus.DataNodeIdentity;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Future;
import java.util.Map;

/**
 * What all connections of a proxy share. Thread-safe.
 *
 * @param secure whether the data node wants to know for certain who asks
 */
record ProxyCore(
    ProxyOptions options,
    DataNode dataNode,
    DataNodeIdentity identity,
    boolean secure,
    NdpEngine engine,
    PlanQueue queue,
    ProcessorShare share,
    Meters meters) {

  /** Who asks again may find a free place earlier than was thought. */
  private static final long LONGEST_RETRY_SECONDS = 60;

  /**
   * Makes a job of a plan.
   *
   * @param credentials headers of the caller
   * @throws RequestException when the data node would not know who asks; it would only say that
   *     something is forbidden
   */
  PlanJob job(
      PlanRequest request,
      PlanTarget target,
      Map<String, String> credentials,
      AnswerChannel answers) {
    if (secure && credentials.isEmpty() && !target.hasToken()) {
      throw new RequestException(
          HttpResponseStatus.UNAUTHORIZED,
          "this cluster wants Kerberos; a plan comes with a delegation token of HDFS"
              + " (delegation=)");
    }
    HdfsBytes bytes = new HdfsBytes(dataNode, target, credentials, options.limits().deadline());
    return new PlanJob(request, bytes, engine, options.limits().splitBytes(), answers, meters);
  }

  /** Turns a client away. */
  void busy(Channel client) {
    meters.addBusy();
    double plansPerSecond = meters.read(1).ratesOf(options.limits().cores()).plansPerSecond();
    long wait = plansPerSecond > 0 ? (long) Math.ceil(queue.queued() / plansPerSecond) : 1;
    Replies.busy(client, queue.queued(), Math.max(1, Math.min(LONGEST_RETRY_SECONDS, wait)));
  }

  /** Tells a client how the proxy is, and what it gets of its cores, though it has run no plan. */
  void tellStatus(Channel client) {
    if (meters.areKnown()) {
      tellStatus(client, 1);
    } else {
      share
          .perCore(queue.running() == 0)
          .addListener((Future<Double> found) -> tellStatus(client, found.getNow()));
    }
  }

  private void tellStatus(Channel client, double unknownShare) {
    Replies.json(client, HttpResponseStatus.OK, status(unknownShare).json());
  }

  /**
   * How the proxy is.
   *
   * @param unknownShare of a core, for as long as no plan has shown it
   */
  ProxyStatus status(double unknownShare) {
    Meters.Reading reading = meters.read(unknownShare);
    return new ProxyStatus(
        identity,
        options.limits().cores(),
        new ProxyStatus.Plans(queue.running(), queue.queued(), queue.limit()),
        reading.ratesOf(options.limits().cores()),
        reading.totals());
  }
}
