// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolfuzz;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.NameChange;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Frames that a right client sends, and some that only servers may. */
final class RightFrames {
  private static final PoolPath DIRECTORY = PoolPath.of("/fuzzed");
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int PAGES = 3;

  private RightFrames() {}

  static List<byte[]> of(Transport transport, ServerAddress server, AccessToken token)
      throws IOException {
    List<byte[]> frames = new CopyOnWriteArrayList<>();
    Tap tap = new Tap(transport, frames::add, in -> {});
    try (PoolClient client =
        PoolClient.connect(tap, PoolClientOptions.of(List.of(server), token).withBuffers(2))) {
      client.createDirectory(DIRECTORY, Lifetime.LEASE);
      PoolPath object = DIRECTORY.child("object");
      try (var writer = client.create(object, Lifetime.LEASE)) {
        writer.write(ByteBuffer.allocate(PAGES * client.pageBytes()));
        writer.commit();
      }
      client.open(object).read(0, ByteBuffer.allocate(client.pageBytes()));
      PoolPath other = DIRECTORY.child("other");
      try (var inFile = client.create(other, Lifetime.LEASE, TierKind.FILE)) {
        inFile.write(ByteBuffer.allocate(client.pageBytes()));
        inFile.commit();
      }
      client.open(other).read(0, ByteBuffer.allocate(client.pageBytes()));
      PoolPath small = DIRECTORY.child("small");
      client.put(small, ByteBuffer.allocate(100), ObjectSettings.of(Lifetime.LEASE));
      client.get(small);
      client.list(DIRECTORY);
      client.status();
      client.delete(object);
      client.removeDirectory(DIRECTORY, true);
    }
    UUID id = new UUID(1, 2);
    try (Caller caller =
        Caller.connect(
            tap,
            server,
            token,
            new Caller.Identity(List.of(server).toString(), id, Caller.Identity.CLIENT, 0),
            DEADLINE,
            () -> {})) {
      ObjectId object = new ObjectId(id, 1);
      for (Request request :
          List.of(
              new Request.Heartbeat(0),
              new Request.Join(),
              new Request.Apply(new NameChange.Remove("/fuzzed/object")),
              new Request.Seal(object, "/fuzzed/object", 1, List.of(new Request.PageId(0, 0))),
              new Request.Free(object),
              new Request.Exist(List.of(new Request.Named(object, "/fuzzed/object"))),
              new Request.Stop("ab"),
              new Request.Drain("ab"))) {
        // They are refused, which is not the matter here.
        caller.start(request).exceptionally(refused -> null).join();
      }
    }
    return List.copyOf(frames);
  }
}
