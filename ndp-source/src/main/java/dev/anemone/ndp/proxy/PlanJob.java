// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.NdpEngineException;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.inflate.DamagedStreamException;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.protocol.PlanRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/** A plan of a client, from the queue to the last byte of its answer. */
final class PlanJob implements Runnable {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final PlanRequest request;
  private final HdfsBytes bytes;
  private final NdpEngine engine;
  private final long splitBytes;
  private final AnswerChannel answers;
  private final Meters meters;
  private volatile boolean unwanted;

  /**
   * @param splitBytes largest split
   */
  PlanJob(
      PlanRequest request,
      HdfsBytes bytes,
      NdpEngine engine,
      long splitBytes,
      AnswerChannel answers,
      Meters meters) {
    this.request = request;
    this.bytes = bytes;
    this.engine = engine;
    this.splitBytes = splitBytes;
    this.answers = answers;
    this.meters = meters;
  }

  /** Ends it, since the client went away. Any thread. */
  void abandon() {
    unwanted = true;
    answers.wake();
  }

  /** Says that the client reads on. Any thread. */
  void wake() {
    answers.wake();
  }

  @Override
  public void run() {
    if (unwanted) {
      return;
    }
    long begin = System.nanoTime();
    long beginProcessor = THREADS.getCurrentThreadCpuTime();
    boolean success = false;
    try {
      success = answer();
    } finally {
      meters.add(
          Duration.ofNanos(System.nanoTime() - begin),
          Duration.ofNanos(Math.max(0, THREADS.getCurrentThreadCpuTime() - beginProcessor)),
          bytes.bytesRead(),
          answers.bytes(),
          success);
    }
  }

  /** Answers, or says why not; returns whether all of the answer was sent. */
  private boolean answer() {
    try {
      requireSize();
      try (PlanAnswer answer =
          engine.run(
              request.plan(),
              request.format(),
              request.columns(),
              bytes,
              request.split(),
              () -> unwanted)) {
        answer.writeTo(answers);
        answers.finish(answer.rows());
        return true;
      }
    } catch (RequestException e) {
      answers.fail(HttpResponseStatus.valueOf(e.status()), e.getMessage());
    } catch (InvalidPlanException e) {
      answers.fail(HttpResponseStatus.BAD_REQUEST, e.getMessage());
    } catch (NdpEngineException e) {
      answers.fail(statusOf(e), e.getMessage());
    } catch (IOException e) {
      if (answers.isOpen()) {
        answers.fail(HttpResponseStatus.BAD_GATEWAY, "the plan broke off: " + e.getMessage());
      }
    } catch (RuntimeException | Error e) {
      answers.fail(HttpResponseStatus.INTERNAL_SERVER_ERROR, "the plan broke off: " + e);
      throw e;
    }
    return false;
  }

  /** Of plan, file and limits it is the request that says which; only a broken disk is ours. */
  private static HttpResponseStatus statusOf(NdpEngineException failure) {
    return failure.getCause() instanceof IOException
            && !(failure.getCause() instanceof DamagedStreamException)
        ? HttpResponseStatus.INTERNAL_SERVER_ERROR
        : HttpResponseStatus.UNPROCESSABLE_ENTITY;
  }

  private void requireSize() throws IOException {
    Split split = request.split();
    long length = Math.min(split.end(), bytes.size()) - split.start();
    if (length > splitBytes) {
      throw new RequestException(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
          "the split has " + length + " bytes; " + splitBytes + " are allowed");
    }
  }
}
