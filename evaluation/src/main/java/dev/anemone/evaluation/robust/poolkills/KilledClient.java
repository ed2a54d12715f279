// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.pool.PoolServerProcess.PoolServerProgram;
import dev.anemone.evaluation.robust.poolkills.KilledPool.TestObject;
import dev.anemone.rdma.pool.DamagedPageException;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectLostException;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * A client that writes, reads and deletes objects, which others write too, until it is killed. Says
 * {@code ready}, and then what came of each read: {@code right}, {@code lost} when a server took it
 * along, or {@code wrong}.
 */
public record KilledClient(PoolClient client, Random random) {
  static final String RIGHT = "right";
  static final String LOST = "lost";
  static final String WRONG = "wrong";

  private static final long PAUSE_MILLIS = 2;
  private static final int DIRECTORIES = 2;
  private static final int OBJECTS = 60;
  private static final long METADATA_CACHE_BYTES = 1 << 20;
  private static final long CHUNK_CACHE_BYTES = 8L * KilledPool.CHUNK_BYTES;

  /** Arguments: the servers, and a seed. */
  public static void main(String[] args) throws Exception {
    List<ServerAddress> servers = ServerAddress.parseList(args[0]);
    try (Transport transport = Transports.found().open("tcp");
        PoolClient client =
            PoolClient.connect(
                transport,
                KilledPool.clientOptions(servers)
                    .withCaches(METADATA_CACHE_BYTES, CHUNK_CACHE_BYTES))) {
      System.out.println(PoolServerProgram.READY);
      KilledClient work = new KilledClient(client, new Random(Long.parseLong(args[1])));
      while (true) {
        work.step();
        // Others are to have a processor too, so that processes die at all places of their work.
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private void step() {
    PoolPath path =
        PoolPath.of("/c" + random.nextInt(DIRECTORIES) + "/o" + random.nextInt(OBJECTS));
    try {
      act(path);
    } catch (DamagedPageException e) {
      System.out.println(WRONG + " " + e.getMessage());
    } catch (ObjectLostException e) {
      System.out.println(LOST);
      delete(path);
    } catch (IOException e) {
      // A path that is there or is not, a server that has gone: all but wrong bytes is right.
    }
  }

  private void act(PoolPath path) throws IOException {
    TestObject object = new TestObject(path);
    switch (random.nextInt(5)) {
      case 0, 1 -> {
        client.createDirectory(path.parent());
        object.write(
            client, random.nextBoolean() ? Lifetime.POOL : Lifetime.LEASE, random.nextInt(10) > 0);
      }
      case 2 -> client.delete(path);
      default -> {
        double place = random.nextBoolean() ? 0 : random.nextDouble();
        System.out.println(
            object.isRight(client, place) ? RIGHT : WRONG + " " + path + " from " + place);
      }
    }
  }

  private void delete(PoolPath path) {
    try {
      client.delete(path);
    } catch (IOException e) {
      // Somebody else has deleted it.
    }
  }
}
