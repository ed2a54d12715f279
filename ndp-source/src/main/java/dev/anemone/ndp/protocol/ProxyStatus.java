// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/**
 * How a proxy is: what the cost model needs to know.
 *
 * @param dataNode beside which it is
 * @param cores plans that run at the same time, each on one thread
 * @param running plans that run
 * @param queued plans that wait
 * @param queueLimit plans that may wait; beyond that it is busy
 * @param plansPerSecond plans that all cores together finish in a second while none is idle, as of
 *     late; 0 before the first one
 * @param bytesPerSecond bytes of input that they get through in a second then; 0 before the first
 *     plan
 * @param coreSecondsPerSecond processor time that they get in a second then: less than the cores
 *     when these are shared or wait for disks
 * @param bytesIn bytes that plans have read from the data node
 * @param bytesOut bytes of their answers
 * @param finished plans that were answered
 * @param failed plans that failed, with those whose clients went away
 * @param busy plans that were turned away because the queue was full
 */
public record ProxyStatus(
    DataNodeIdentity dataNode,
    int cores,
    int running,
    int queued,
    int queueLimit,
    double plansPerSecond,
    double bytesPerSecond,
    double coreSecondsPerSecond,
    long bytesIn,
    long bytesOut,
    long finished,
    long failed,
    long busy) {

  /** Newer proxies may say more. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /**
   * Which data node a proxy is beside.
   *
   * @param uuid as HDFS calls it; empty when the data node does not say
   * @param host its name
   * @param dataPort where blocks are read and written
   * @param httpPort where WebHDFS is
   */
  public record DataNodeIdentity(String uuid, String host, int dataPort, int httpPort) {}

  /**
   * The same with another number of plans that run or wait.
   *
   * @param tasks 0 or more
   */
  public ProxyStatus withTasks(int tasks) {
    int nowRunning = Math.min(cores, tasks);
    return new ProxyStatus(
        dataNode,
        cores,
        nowRunning,
        tasks - nowRunning,
        queueLimit,
        plansPerSecond,
        bytesPerSecond,
        coreSecondsPerSecond,
        bytesIn,
        bytesOut,
        finished,
        failed,
        busy);
  }

  /** The status as JSON. */
  public byte[] json() {
    try {
      return MAPPER.writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a status can be written as JSON", e);
    }
  }

  /**
   * The status that was written.
   *
   * @throws IOException when the bytes are none
   */
  public static ProxyStatus read(byte[] json) throws IOException {
    ProxyStatus status = MAPPER.readValue(json, ProxyStatus.class);
    if (status == null || status.dataNode() == null) {
      throw new IOException("the status does not name a data node");
    }
    return status;
  }
}
