// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.RegionInfo;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** A client that does what it should not: sends no heartbeats, writes where nothing is its own. */
final class RawClient implements AutoCloseable {

  private final TestPool pool;
  private final UUID id = UUID.randomUUID();
  private final Caller caller;

  RawClient(TestPool pool, int server) throws IOException {
    this.pool = pool;
    this.caller =
        Caller.connect(
            pool.clientTransport(),
            pool.addresses().get(server),
            TestPool.TOKEN,
            new Caller.Identity(pool.addresses().toString(), id, -1, 0),
            Duration.ofSeconds(10),
            () -> {});
  }

  Reply.Allocated allocate() throws IOException {
    return caller.call(new Request.Allocate(TierKind.DRAM, TierKind.FILE), Reply.Allocated.class);
  }

  UUID id() {
    return id;
  }

  boolean isOpen() {
    return caller.isOpen();
  }

  Caller caller() {
    return caller;
  }

  /** Changes a byte of a page in the server's first region. */
  void overwrite(int page, int at, byte value) throws IOException {
    MemoryRegion memory = pool.region(1);
    memory.memory().put(0, value);
    RegionInfo region = caller.welcome().regions().get(0);
    AtomicBoolean done = new AtomicBoolean();
    caller
        .connection()
        .write(
            memory,
            0,
            1,
            region.remote(),
            (long) page * caller.welcome().pageBytes() + at,
            failure -> {});
    caller.connection().flush(failure -> done.set(failure == null));
    Await.until("the byte is written", done::get);
  }

  @Override
  public void close() {
    caller.closeAndAwait();
  }
}
