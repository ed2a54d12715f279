// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import java.util.List;
import java.util.Map;

/**
 * One way to another process's memory.
 *
 * @param transport of {@code rdma-transfer}, or {@link TargetProgram#NIO}
 * @param environment of both processes
 * @param memory of the target: {@link TargetProgram#DRAM}, or a directory
 */
record ThroughputSide(
    String name, String transport, Map<String, String> environment, String memory) {
  static final String UCX_TLS = "UCX_TLS";

  /**
   * What UCX may use, by the name that the tables have for it. Connections are made over TCP, also
   * where shared memory carries the bytes.
   */
  static final Map<String, String> UCX_WAYS = Map.of("shm", "shm,tcp,self", "tcp", "tcp,self");

  /**
   * All ways, to memory of both kinds.
   *
   * @param pmem directory of the memory that is persistent
   */
  static List<ThroughputSide> all(String pmem) {
    return List.of(
        new ThroughputSide("NIO", TargetProgram.NIO, Map.of(), TargetProgram.DRAM),
        new ThroughputSide("tcp", "tcp", Map.of(), TargetProgram.DRAM),
        new ThroughputSide("tcp, PMEM", "tcp", Map.of(), pmem),
        ucx("tcp", TargetProgram.DRAM, ""),
        ucx("tcp", pmem, ", PMEM"),
        ucx("shm", TargetProgram.DRAM, ""),
        ucx("shm", pmem, ", PMEM"));
  }

  private static ThroughputSide ucx(String way, String memory, String suffix) {
    return new ThroughputSide(
        "ucx/" + way + suffix, "ucx", Map.of(UCX_TLS, UCX_WAYS.get(way)), memory);
  }
}
