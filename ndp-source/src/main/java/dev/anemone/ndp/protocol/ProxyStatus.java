// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/**
 * How a proxy is: what the cost model needs to know.
 *
 * @param dataNode beside which it is
 * @param cores plans that run at the same time, each on one thread
 * @param plans that it has
 * @param rates what it gets through
 * @param totals since it was started
 */
public record ProxyStatus(
    DataNodeIdentity dataNode, int cores, Plans plans, Rates rates, Totals totals) {

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
   * The plans that a proxy has.
   *
   * @param running plans that run
   * @param queued plans that wait
   * @param queueLimit plans that may wait; beyond that it is busy
   */
  public record Plans(int running, int queued, int queueLimit) {}

  /**
   * What all cores together get through in a second while none is idle, as of late.
   *
   * @param plansPerSecond plans that they finish; 0 before the first one
   * @param bytesPerSecond bytes of input; 0 before the first plan
   * @param coreSecondsPerSecond processor time that they get: less than the cores when these are
   *     shared or wait for disks
   */
  public record Rates(double plansPerSecond, double bytesPerSecond, double coreSecondsPerSecond) {

    /** All zero. */
    public static final Rates NONE = new Rates(0, 0, 0);
  }

  /**
   * What a proxy has done.
   *
   * @param bytesIn bytes that plans have read from the data node
   * @param bytesOut bytes of their answers
   * @param finished plans that were answered
   * @param failed plans that failed, with those whose clients went away
   * @param busy plans that were turned away because the queue was full
   */
  public record Totals(long bytesIn, long bytesOut, long finished, long failed, long busy) {

    /** All zero. */
    public static final Totals NONE = new Totals(0, 0, 0, 0, 0);
  }

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
        new Plans(nowRunning, tasks - nowRunning, plans.queueLimit),
        rates,
        totals);
  }

  /** The status as JSON: one object with all numbers side by side. */
  public byte[] json() {
    ObjectNode status = MAPPER.createObjectNode();
    status.set("dataNode", MAPPER.valueToTree(dataNode));
    status.put("cores", cores);
    for (Record numbers : List.of(plans, rates, totals)) {
      status.setAll(MAPPER.<ObjectNode>valueToTree(numbers));
    }
    try {
      return MAPPER.writeValueAsBytes(status);
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
    JsonNode status = MAPPER.readTree(json);
    if (!status.path("dataNode").isObject() || !status.path("cores").isInt()) {
      throw new IOException("the status does not name a data node and its cores");
    }
    return new ProxyStatus(
        MAPPER.treeToValue(status.get("dataNode"), DataNodeIdentity.class),
        status.get("cores").intValue(),
        MAPPER.treeToValue(status, Plans.class),
        MAPPER.treeToValue(status, Rates.class),
        MAPPER.treeToValue(status, Totals.class));
  }
}
