// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server takes for an object, and what not. */
class CommitTest {

  private TestPool pool;
  private PoolClient client;
  private RawClient raw;

  @BeforeEach
  void connect() throws IOException {
    pool = TestPool.ofServers(1, 16);
    client = pool.client();
    raw = new RawClient(pool, 0);
  }

  @AfterEach
  void close() {
    raw.close();
    pool.close();
  }

  /** A page of zeros as a memory that was never used has it. */
  private PageRef page(int server, int length) throws IOException {
    return page(raw, server, length);
  }

  private static PageRef page(RawClient writer, int server, int length) throws IOException {
    Reply.Allocated page = writer.allocate();
    CRC32C checksum = new CRC32C();
    checksum.update(new byte[Math.max(0, length)]);
    return new PageRef(
        server,
        writer.caller().welcome().incarnation(),
        page.tier(),
        page.number(),
        page.generation(),
        length,
        (int) checksum.getValue());
  }

  private void commit(long length, PageRef... pages) throws IOException {
    raw.caller().call(new Request.Commit(object("/object", length, pages), 0), Reply.Done.class);
  }

  private static StoredObject object(String path, long length, PageRef... pages) {
    return new StoredObject(
        new ObjectId(UUID.randomUUID(), 1), path, length, 0, 0, Lifetime.POOL, List.of(pages));
  }

  @Test
  void pagesThatAreNoObjectAreRefused() throws IOException {
    refused("page 0 of 1 has 0", 0, page(0, 0));
    refused("page 0 of 1 has -1", -1, page(0, -1));
    refused("page 0 of 1 has " + (PAGE + 1), PAGE + 1, page(0, PAGE + 1));
    PageRef last = page(0, PAGE);
    refused("page 0 of 2 has 1", 2, page(0, 1), page(0, 1));
    refused("is said to have 9, its pages " + PAGE, 9, last);
    refused("page 0 is on server 1", 1, page(1, 1));
    refused("page 0 is on server -1", 1, page(-1, 1));
    refused("page 1 is another one of it", 2L * PAGE, last, last);
  }

  private void refused(String why, long length, PageRef... pages) throws IOException {
    assertThatThrownBy(() -> commit(length, pages))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(why);
    assertThat(client.list(PoolPath.ROOT)).isEmpty();
  }

  @Test
  void pagesThatAreOneAreRead() throws IOException {
    commit(PAGE + 1, page(0, PAGE), page(0, 1));

    assertThat(read(client, "/object")).isEqualTo(new byte[PAGE + 1]);
    client.delete(PoolPath.of("/object"));
    commit(0);
    assertThat(read(client, "/object")).isEmpty();
    client.delete(PoolPath.of("/object"));
  }

  /** A client that has lost its connection asks again, while its first request is worked on. */
  @Test
  void aCommitThatIsRepeatedWhileItIsMadeSucceeds() throws IOException {
    try (TestPool pair = TestPool.ofServers(2, 1024)) {
      HashRing.Pair servers = new HashRing(pair.addresses()).serversOf(PoolPath.ROOT);
      PoolClient reader = pair.client();
      try (RawClient holder = new RawClient(pair, servers.replica());
          RawClient first = new RawClient(pair, servers.primary());
          RawClient second = new RawClient(pair, servers.primary())) {
        for (int i = 0; i < 200; i++) {
          Request.Commit commit =
              new Request.Commit(
                  object("/object-" + i, PAGE, page(holder, servers.replica(), PAGE)), 0);
          var made = first.caller().start(commit);
          var repeated = second.caller().start(commit);
          first.caller().await(made, Reply.Done.class);
          second.caller().await(repeated, Reply.Done.class);
          assertThat(read(reader, "/object-" + i)).isEqualTo(new byte[PAGE]);
          reader.delete(PoolPath.of("/object-" + i));
        }
      }
    }
  }
}
