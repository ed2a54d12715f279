// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * What the threads of this JVM allocate on the heap from a moment on. A thread that ends meanwhile
 * is left out altogether: its bytes leave the JVM's figures with it, and a sum over all threads
 * would fall by what an earlier test's thread had allocated in its whole life.
 */
public final class HeapAllocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Map<Long, Long> before;

  private HeapAllocation(Map<Long, Long> before) {
    this.before = before;
  }

  /** Counts from now on. */
  public static HeapAllocation begin() {
    return new HeapAllocation(bytesOfThreads());
  }

  /** Bytes that the threads which live now have allocated since the beginning. */
  public long bytes() {
    long sum = 0;
    for (Map.Entry<Long, Long> thread : bytesOfThreads().entrySet()) {
      sum += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
    }
    return sum;
  }

  private static Map<Long, Long> bytesOfThreads() {
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Long> ofThreads = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (bytes[i] >= 0) { // -1 of a thread that has ended since its id was asked for
        ofThreads.put(ids[i], bytes[i]);
      }
    }
    return ofThreads;
  }
}
