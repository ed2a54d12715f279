// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.runtime.spi.SpillFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleRequest.CacheToken;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateAppendResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateClearResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapKeysUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.TypeCase;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.runners.fnexecution.state.StateRequestHandler;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/**
 * The state of the keys that a stage works on, until {@link #clear}: bags of encoded elements, and
 * maps whose values are such bags, of which SDKs make all kinds of state. What does not fit into a
 * limit lies on disk, but for the keys of maps. Keys and windows are equal when their encodings
 * are. Thread-safe.
 */
final class KeyedState implements StateRequestHandler, Closeable {

  /** What it keeps. */
  static final Set<TypeCase> TYPES =
      Set.of(
          TypeCase.BAG_USER_STATE, TypeCase.MULTIMAP_USER_STATE, TypeCase.MULTIMAP_KEYS_USER_STATE);

  /** What an append takes in the heap besides its own bytes, with its share of the bag's name. */
  private static final int PART_BYTES = 128;

  /** A bag of which no part is kept. */
  private static final List<Part> EMPTY = List.of();

  /** What was appended at once: whole elements, in the heap or in the file. */
  private sealed interface Part {

    int length();
  }

  private record InHeap(ByteString bytes) implements Part {
    @Override
    public int length() {
      return bytes.size();
    }
  }

  private record OnDisk(long position, int length) implements Part {}

  private final Map<StateKey, List<Part>> bags = new HashMap<>();
  private final MapKeys mapKeys = new MapKeys();
  private final SpillFile file;
  private final long heapLimitBytes;
  private final CacheToken token =
      CacheToken.newBuilder()
          .setUserState(CacheToken.UserState.getDefaultInstance())
          .setToken(ByteString.copyFromUtf8(UUID.randomUUID().toString()))
          .build();
  private long heapBytes;
  private boolean closed;

  /**
   * No state yet.
   *
   * @param file is closed with this
   * @param heapLimitBytes that may stay in the heap
   */
  KeyedState(SpillFile file, long heapLimitBytes) {
    this.file = file;
    this.heapLimitBytes = heapLimitBytes;
  }

  /** Whether what is appended now goes to disk. */
  synchronized boolean isHeapFull() {
    return heapBytes >= heapLimitBytes;
  }

  /** Forgets all keys. */
  synchronized void clear() throws IOException {
    bags.clear();
    mapKeys.clear();
    heapBytes = 0;
    file.clear();
  }

  @Override
  public synchronized CompletionStage<StateResponse.Builder> handle(StateRequest request)
      throws IOException {
    if (closed) {
      throw new IOException("the task of this state has ended");
    }
    StateResponse.Builder response = StateResponse.newBuilder().setId(request.getId());
    StateKey key = request.getStateKey();
    switch (request.getRequestCase()) {
      case GET -> response.setGet(get(key, request.getGet().getContinuationToken()));
      case APPEND -> {
        append(key, request.getAppend().getData());
        response.setAppend(StateAppendResponse.getDefaultInstance());
      }
      case CLEAR -> {
        clear(key);
        response.setClear(StateClearResponse.getDefaultInstance());
      }
      default ->
          throw new IllegalArgumentException(
              "a harness asks its user state for " + request.getRequestCase());
    }
    return CompletableFuture.completedFuture(response);
  }

  private StateGetResponse get(StateKey key, ByteString from) throws IOException {
    return key.hasMultimapKeysUserState()
        ? readKeys(mapKeys.of(key.getMultimapKeysUserState()), from)
        : read(key, from);
  }

  private static StateGetResponse readKeys(List<ByteString> keys, ByteString from) {
    int next = StateChunks.position(from);
    ByteString data = ByteString.EMPTY;
    while (next < keys.size() && data.size() < StateChunks.BYTES) {
      data = data.concat(keys.get(next));
      next++;
    }
    return StateChunks.response(data, next, next < keys.size());
  }

  private void clear(StateKey key) {
    if (key.hasMultimapKeysUserState()) {
      MultimapKeysUserState map = key.getMultimapKeysUserState();
      for (ByteString mapKey : mapKeys.of(map)) {
        forget(StateKey.newBuilder().setMultimapUserState(MapKeys.entry(map, mapKey)).build());
      }
    } else {
      forget(key);
    }
  }

  private void append(StateKey bag, ByteString data) throws IOException {
    if (bag.hasMultimapUserState() && mapKeys.add(bag.getMultimapUserState())) {
      heapBytes += keyBytes(bag);
    }
    List<Part> parts = bags.computeIfAbsent(bag, absent -> new ArrayList<>());
    long bytes = (long) data.size() + PART_BYTES;
    if (heapBytes + bytes <= heapLimitBytes) {
      heapBytes += bytes;
      parts.add(new InHeap(data));
    } else {
      // The part itself still takes a little, which ends the bundle of many keys.
      heapBytes += PART_BYTES;
      parts.add(new OnDisk(file.append(data.asReadOnlyByteBuffer()), data.size()));
    }
  }

  /** What the key of a map's entry takes in the heap. */
  private static long keyBytes(StateKey entry) {
    return (long) PART_BYTES + entry.getMultimapUserState().getMapKey().size();
  }

  private void forget(StateKey bag) {
    List<Part> forgotten = bags.remove(bag);
    if (forgotten != null) {
      if (bag.hasMultimapUserState()) {
        mapKeys.remove(bag.getMultimapUserState());
        heapBytes -= keyBytes(bag);
      }
      for (Part part : forgotten) {
        heapBytes -= PART_BYTES + (part instanceof InHeap ? part.length() : 0);
      }
    }
  }

  private StateGetResponse read(StateKey bag, ByteString from) throws IOException {
    List<Part> parts = bags.getOrDefault(bag, EMPTY);
    int next = StateChunks.position(from);
    ByteString data = ByteString.EMPTY;
    while (next < parts.size() && data.size() < StateChunks.BYTES) {
      data = data.concat(bytes(parts.get(next)));
      next++;
    }
    return StateChunks.response(data, next, next < parts.size());
  }

  private ByteString bytes(Part part) throws IOException {
    if (part instanceof InHeap inHeap) {
      return inHeap.bytes();
    }
    ByteBuffer buffer = ByteBuffer.allocate(part.length());
    file.read(((OnDisk) part).position(), buffer);
    return ByteString.copyFrom(buffer.flip());
  }

  /** What harnesses keep of this state they may keep as long as this is there. */
  @Override
  public Iterable<CacheToken> getCacheTokens() {
    return List.of(token);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    bags.clear();
    mapKeys.clear();
    file.close();
  }
}
