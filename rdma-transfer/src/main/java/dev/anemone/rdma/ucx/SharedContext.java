// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.util.function.Function;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemory;

/**
 * UCX's context, which closes when its worker has and it maps no memory any longer. Thread-safe.
 */
final class SharedContext {

  private final UcpContext context;

  /** The worker, and what is mapped. */
  private int users = 1;

  /** Takes over a context that a worker is about to be of. */
  SharedContext(UcpContext context) {
    this.context = context;
  }

  UcpContext ucx() {
    return context;
  }

  /**
   * Maps memory.
   *
   * @throws UcxException when UCX cannot
   */
  UcpMemory map(Function<UcpContext, UcpMemory> mapping) {
    synchronized (this) {
      users++;
    }
    boolean mapped = false;
    try {
      UcpMemory memory = mapping.apply(context);
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
