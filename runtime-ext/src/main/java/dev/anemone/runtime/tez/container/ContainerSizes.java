// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.container;

import dev.anemone.runtime.engine.JobEngineOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the memory of a YARN container is divided. YARN kills a container whose resident memory is
 * more than it was given, so what a JVM takes besides its heap has a share too. The parts add up to
 * {@code memoryMb}.
 *
 * @param memoryMb MB of the container, as YARN is asked for it
 * @param cores virtual cores of the container
 * @param heapMb MB of the largest heap
 * @param offHeapBytes bytes of the data plane's pages; 0 in an application master
 * @param directMb MB of all direct memory: the data plane's, and what Netty, HDFS and large records
 *     need
 * @param nativeMb MB of what tasks take besides, see {@link dev.anemone.ir.property.NativeMemory};
 *     0 in an application master
 * @param overheadMb MB that are left for classes, compiled code, stacks and the collector
 */
public record ContainerSizes(
    int memoryMb,
    int cores,
    int heapMb,
    long offHeapBytes,
    int directMb,
    int nativeMb,
    int overheadMb) {

  /** The system property that tells a container its {@link #offHeapBytes}. */
  public static final String OFF_HEAP_PROPERTY = "anemone.container.offHeapBytes";

  /** With less heap, Tez and Hadoop have no room for themselves. */
  static final int LEAST_HEAP_MB = 96;

  private static final int LEAST_OVERHEAD_MB = 192;
  private static final double OVERHEAD_SHARE = 0.12;
  private static final int LEAST_OTHER_DIRECT_MB = 32;
  private static final int OTHER_DIRECT_DIVISOR = 32;

  /** Of what is left for heap and data plane, the data plane's part. */
  private static final double OFF_HEAP_SHARE = 0.4;

  /** Of what is left for heap and data plane, what spare native memory may take. */
  private static final double SPARE_SHARE = 0.3;

  /** What a job may lose of its heap, so that it need not wait for new containers. */
  private static final int HEAP_DIVISOR = 4;

  /** From here on, and with two cores, the JVM itself takes a machine for a server. */
  private static final int SERVER_MEMORY_MB = 1792;

  /** Hadoop, Kryo and Arrow look into these packages; the same list as in the build. */
  private static final List<String> OPENED_PACKAGES =
      List.of("java.lang", "java.util", "java.net", "java.util.concurrent", "java.nio");

  /**
   * The sizes of a container for tasks.
   *
   * @param nativeBytes that a task takes outside of heap and data plane
   * @param offHeapBytes of the data plane; empty for a share of the container
   * @throws IllegalArgumentException when that leaves too little for the heap, or is too little
   */
  public static ContainerSizes of(
      int memoryMb, int cores, long nativeBytes, Optional<Long> offHeapBytes) {
    int nativeMb = toMb(nativeBytes);
    int room = memoryMb - overheadMb(memoryMb) - otherDirectMb(memoryMb) - nativeMb;
    int least = toMb(JobEngineOptions.MIN_OFF_HEAP_BYTES);
    if (room < LEAST_HEAP_MB + least) {
      throw tooSmall("an executor", memoryMb, nativeMb, LEAST_HEAP_MB + least);
    }
    long bytes =
        offHeapBytes.orElse(
            Math.max((long) (room * OFF_HEAP_SHARE) << 20, JobEngineOptions.MIN_OFF_HEAP_BYTES));
    if (bytes < JobEngineOptions.MIN_OFF_HEAP_BYTES
        || bytes > (long) (room - LEAST_HEAP_MB) << 20) {
      throw new IllegalArgumentException(
          "an executor of "
              + memoryMb
              + " MB cannot have "
              + bytes
              + " bytes of off-heap memory; at least "
              + JobEngineOptions.MIN_OFF_HEAP_BYTES
              + " are needed, and at most "
              + ((long) (room - LEAST_HEAP_MB) << 20)
              + " leave room for the JVM, "
              + nativeMb
              + " MB of native memory and a heap of "
              + LEAST_HEAP_MB
              + " MB; take fewer, or larger executors");
    }
    return new ContainerSizes(
        memoryMb,
        cores,
        room - toMb(bytes),
        bytes,
        toMb(bytes) + otherDirectMb(memoryMb),
        nativeMb,
        overheadMb(memoryMb));
  }

  /**
   * The same container with more direct memory, which its heap goes without.
   *
   * @param what the direct memory is for, for the message
   * @throws IllegalArgumentException when that leaves too little heap
   */
  public ContainerSizes withDirect(long bytes, String what) {
    int mb = toMb(bytes);
    if (heapMb - mb < LEAST_HEAP_MB) {
      throw new IllegalArgumentException(
          "an executor of "
              + memoryMb
              + " MB has no room for "
              + mb
              + " MB of "
              + what
              + ": at most "
              + Math.max(0, heapMb - LEAST_HEAP_MB)
              + " leave it a heap of "
              + LEAST_HEAP_MB
              + " MB; take fewer, or larger executors");
    }
    return new ContainerSizes(
        memoryMb, cores, heapMb - mb, offHeapBytes, directMb + mb, nativeMb, overheadMb);
  }

  /**
   * How much native memory containers are to have that later jobs may find: twice what the first
   * job wants, as far as that takes no more than three tenths of its heap and data plane.
   *
   * @param wanted bytes that a task takes outside of heap and data plane
   * @return bytes, at least those; just those where there is no room
   */
  public static long withSpareNative(int memoryMb, long wanted) {
    int room = memoryMb - overheadMb(memoryMb) - otherDirectMb(memoryMb) - toMb(wanted);
    int spareMb = Math.min(toMb(wanted), (int) (room * SPARE_SHARE));
    boolean heapIsEnough = (room - spareMb) * (1 - OFF_HEAP_SHARE) > LEAST_HEAP_MB;
    return spareMb > 0 && heapIsEnough ? wanted + ((long) spareMb << 20) : wanted;
  }

  /** The same container with other native memory, at the cost of the heap. */
  public ContainerSizes withNative(long bytes) {
    int mb = toMb(bytes);
    return new ContainerSizes(
        memoryMb, cores, heapMb + nativeMb - mb, offHeapBytes, directMb, mb, overheadMb);
  }

  /**
   * Whether tasks that want a container of other sizes can have this one: it differs only in that
   * more of it is native memory, and that leaves them at least a quarter of the heap.
   */
  public boolean replaces(ContainerSizes wanted) {
    return memoryMb == wanted.memoryMb
        && cores == wanted.cores
        && offHeapBytes == wanted.offHeapBytes
        && directMb == wanted.directMb
        && nativeMb >= wanted.nativeMb
        && heapMb >= wanted.heapMb / HEAP_DIVISOR;
  }

  /**
   * The sizes of an application master's container, in which no records are moved.
   *
   * @throws IllegalArgumentException when it is too small for a JVM
   */
  public static ContainerSizes ofMaster(int memoryMb, int cores) {
    int direct = otherDirectMb(memoryMb);
    int heap = memoryMb - overheadMb(memoryMb) - direct;
    if (heap < LEAST_HEAP_MB) {
      throw tooSmall("an application master", memoryMb, 0, LEAST_HEAP_MB);
    }
    return new ContainerSizes(memoryMb, cores, heap, 0, direct, 0, overheadMb(memoryMb));
  }

  /**
   * The off-heap memory that this JVM was given as a container, in bytes.
   *
   * @throws IllegalStateException when this JVM is not a container that was started with {@link
   *     #jvmOptions}
   */
  public static long offHeapBytesOfThisContainer() {
    Long bytes = Long.getLong(OFF_HEAP_PROPERTY);
    if (bytes == null) {
      throw new IllegalStateException(
          "this JVM has no system property "
              + OFF_HEAP_PROPERTY
              + "; containers for tasks are started with it");
    }
    return bytes;
  }

  /** Options of {@code java} that keep the JVM within its container. */
  public List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + heapMb + "m");
    options.add("-XX:MaxDirectMemorySize=" + directMb + "m");
    // Else Netty counts for itself, and may have as much again.
    options.add("-Dio.netty.maxDirectMemory=0");
    // A JVM sizes its threads by the machine's processors, however few of them are its share.
    options.add("-XX:ActiveProcessorCount=" + cores);
    options.add(cores == 1 || memoryMb < SERVER_MEMORY_MB ? "-XX:+UseSerialGC" : "-XX:+UseG1GC");
    options.add("-XX:+ExitOnOutOfMemoryError");
    for (String name : OPENED_PACKAGES) {
      options.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
    }
    options.add("-D" + OFF_HEAP_PROPERTY + "=" + offHeapBytes);
    return List.copyOf(options);
  }

  private static int overheadMb(int memoryMb) {
    return Math.max(LEAST_OVERHEAD_MB, (int) Math.ceil(memoryMb * OVERHEAD_SHARE));
  }

  private static int otherDirectMb(int memoryMb) {
    return Math.max(LEAST_OTHER_DIRECT_MB, memoryMb / OTHER_DIRECT_DIVISOR);
  }

  private static int toMb(long bytes) {
    return Math.toIntExact((bytes + (1 << 20) - 1) >> 20);
  }

  private static IllegalArgumentException tooSmall(
      String what, int memoryMb, int nativeMb, int forData) {
    return new IllegalArgumentException(
        what
            + " of "
            + memoryMb
            + " MB is too small: "
            + overheadMb(memoryMb)
            + " MB go to the JVM itself and "
            + otherDirectMb(memoryMb)
            + " MB to buffers of Netty and HDFS, "
            + nativeMb
            + " MB to native memory of tasks, and at least "
            + forData
            + " MB must be left for heap and data");
  }
}
