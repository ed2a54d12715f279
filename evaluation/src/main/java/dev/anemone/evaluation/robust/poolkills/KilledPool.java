// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.pool.PoolServerProcess.PoolServerProgram;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.DamagedPageException;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectLostException;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** What servers and clients of the pool agree on. */
final class KilledPool {
  static final int CHUNK_BYTES = 16 << 10;
  static final int CHUNKS = 400;

  private static final int BUFFERS = 8;

  private KilledPool() {}

  static PoolClientOptions clientOptions(List<ServerAddress> servers) {
    return PoolClientOptions.of(servers, AccessToken.open()).withBuffers(BUFFERS);
  }

  /** An object whose bytes follow from its path, so that those of others are known as wrong. */
  record TestObject(PoolPath path) {
    private static final int MOST_CHUNKS = 3;

    private byte[] bytes() {
      Random random = new Random(path.value().hashCode());
      byte[] bytes = new byte[1 + random.nextInt(MOST_CHUNKS * KilledPool.CHUNK_BYTES)];
      random.nextBytes(bytes);
      return bytes;
    }

    /** Writes it; without {@code commit} it is given up at the end. */
    void write(PoolClient client, Lifetime lifetime, boolean commit) throws IOException {
      try (ObjectWriter writer = client.create(path, lifetime)) {
        writer.write(ByteBuffer.wrap(bytes()));
        if (commit) {
          writer.commit();
        }
      }
    }

    /** Reads it from a part of its length, below 1, to its end; returns whether all is right. */
    boolean isRight(PoolClient client, double place) throws IOException {
      byte[] expected = bytes();
      int from = (int) (place * expected.length);
      ObjectReader reader = client.open(path);
      ByteBuffer got = ByteBuffer.allocate(expected.length - from);
      reader.read(from, got);
      return reader.length() == expected.length
          && Arrays.equals(got.array(), Arrays.copyOfRange(expected, from, expected.length));
    }
  }

  /** Objects that must be readable unless a server held them that suffered. Not thread-safe. */
  static final class SafeObjects {
    private static final PoolPath DIRECTORY = PoolPath.of("/kept");
    private static final int COUNT = 40;

    private final Map<String, Set<ServerAddress>> holders = new TreeMap<>();
    private long read;

    /** Writes those of which nothing is promised. */
    void write(PoolClient client) throws IOException {
      client.createDirectory(DIRECTORY);
      for (int i = 0; i < COUNT; i++) {
        PoolPath path = DIRECTORY.child(Integer.toString(i));
        if (!holders.containsKey(path.value())) {
          try {
            client.delete(path);
          } catch (NoSuchFileException e) {
            // Not written before.
          }
          new TestObject(path).write(client, Lifetime.POOL, true);
          holders.put(path.value(), new HashSet<>(client.getAttributes(path).servers()));
        }
      }
    }

    /** A server suffers: nothing is promised of what it holds. */
    void forget(ServerAddress server) {
      holders.values().removeIf(servers -> servers.contains(server));
    }

    /** More suffer than may at a time: nothing is promised of anything. */
    void forgetAll() {
      holders.clear();
    }

    /** Reads all that are promised, and returns which are not there, and why. */
    List<String> verify(PoolClient client) {
      List<String> missing = new ArrayList<>();
      for (String path : holders.keySet()) {
        try {
          if (new TestObject(PoolPath.of(path)).isRight(client, 0)) {
            read++;
          } else {
            missing.add("wrong bytes in " + path);
          }
        } catch (IOException e) {
          missing.add(path + " cannot be read: " + e);
        }
      }
      return missing;
    }

    long read() {
      return read;
    }
  }

  /**
   * A client that writes, reads and deletes objects, which others write too, until it is killed.
   * Says {@code ready}, and then what came of each read: {@code right}, {@code lost} when a server
   * took it along, or {@code wrong}.
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

    /** Arguments: the transport, the servers, and a seed. */
    public static void main(String[] args) throws Exception {
      List<ServerAddress> servers = ServerAddress.parseList(args[1]);
      try (Transport transport = Transports.found().open(args[0]);
          PoolClient client =
              PoolClient.connect(
                  transport,
                  KilledPool.clientOptions(servers)
                      .withCaches(
                          new CacheOptions(
                              METADATA_CACHE_BYTES, CHUNK_CACHE_BYTES, Duration.ZERO)))) {
        System.out.println(PoolServerProgram.READY);
        KilledClient work = new KilledClient(client, new Random(Long.parseLong(args[2])));
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
              client,
              random.nextBoolean() ? Lifetime.POOL : Lifetime.LEASE,
              random.nextInt(10) > 0);
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
}
