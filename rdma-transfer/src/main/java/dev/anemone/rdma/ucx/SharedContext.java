// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.ucx.library.MappingTrial;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemMapParams;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * UCX's context, which closes when its worker has and it maps no memory any longer. Thread-safe.
 */
final class SharedContext {

  private final UcpContext context;
  private final MappingTrial trial;

  /** The worker, and what is mapped. */
  private int users = 1;

  /** Takes over a context that a worker is about to be of. */
  SharedContext(UcpContext context, MappingTrial trial) {
    this.context = context;
    this.trial = trial;
  }

  UcpContext ucx() {
    return context;
  }

  /**
   * Maps memory of the user's.
   *
   * @throws UcxException when UCX cannot
   */
  UcpMemory register(ByteBuffer memory) {
    return map(
        () -> {
          trial.register(context, memory);
          return context.registerMemory(memory);
        });
  }

  /**
   * Maps memory that UCX allocates.
   *
   * @throws UcxException when UCX cannot
   */
  UcpMemory allocate(int bytes) {
    return map(
        () -> {
          trial.allocate(context, bytes);
          return context.memoryMap(
              new UcpMemMapParams()
                  .allocate()
                  .setLength(bytes)
                  .setMemoryType(UcsConstants.MEMORY_TYPE.UCS_MEMORY_TYPE_HOST));
        });
  }

  private UcpMemory map(Supplier<UcpMemory> mapping) {
    synchronized (this) {
      users++;
    }
    boolean mapped = false;
    try {
      UcpMemory memory = mapping.get();
      mapped = true;
      return memory;
    } finally {
      if (!mapped) {
        leave();
      }
    }
  }

  void unmap(UcpMemory memory) {
    memory.deregister();
    leave();
  }

  /** The worker has closed, or memory is no longer mapped. */
  synchronized void leave() {
    if (--users == 0) {
      context.close();
    }
  }
}
