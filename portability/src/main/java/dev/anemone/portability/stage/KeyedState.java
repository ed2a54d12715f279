// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.portability.stage.StateParts.Part;
import dev.anemone.runtime.spi.SpillFile;
import java.io.Closeable;
import java.io.IOException;
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
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapEntriesUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapKeysUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.TypeCase;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.runners.fnexecution.state.StateRequestHandler;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/**
 * The state of the keys that a stage works on, until {@link #clear}: bags of encoded elements, maps
 * whose values are such bags, and sorted lists, of which SDKs make all kinds of state. What does
 * not fit into a limit lies on disk, but for the keys of maps. Keys and windows are equal when
 * their encodings are. Thread-safe.
 */
final class KeyedState implements StateRequestHandler, Closeable {

  /** What it keeps. */
  static final Set<TypeCase> TYPES =
      Set.of(
          TypeCase.BAG_USER_STATE,
          TypeCase.MULTIMAP_USER_STATE,
          TypeCase.MULTIMAP_KEYS_USER_STATE,
          TypeCase.MULTIMAP_ENTRIES_USER_STATE,
          TypeCase.ORDERED_LIST_USER_STATE);

  /** A bag of which no part is kept. */
  private static final List<Part> EMPTY = List.of();

  private final Map<StateKey, List<Part>> bags = new HashMap<>();
  private final MapKeys mapKeys = new MapKeys();
  private final StateParts parts;
  private final SortedLists lists;
  private final MapValues mapValues;
  private final CacheToken token =
      CacheToken.newBuilder()
          .setUserState(CacheToken.UserState.getDefaultInstance())
          .setToken(ByteString.copyFromUtf8(UUID.randomUUID().toString()))
          .build();
  private boolean closed;

  /**
   * No state yet.
   *
   * @param file is closed with this
   * @param heapLimitBytes that may stay in the heap
   * @param mapValues tells the values of maps apart
   */
  KeyedState(SpillFile file, long heapLimitBytes, MapValues mapValues) {
    this.parts = new StateParts(file, heapLimitBytes);
    this.lists = new SortedLists(parts);
    this.mapValues = mapValues;
  }

  /** Whether what is appended now goes to disk. */
  synchronized boolean isHeapFull() {
    return parts.isHeapFull();
  }

  /** Forgets all keys. */
  synchronized void clear() throws IOException {
    bags.clear();
    mapKeys.clear();
    lists.clear();
    parts.clear();
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
    return switch (key.getTypeCase()) {
      case MULTIMAP_KEYS_USER_STATE -> readKeys(mapKeys.of(key.getMultimapKeysUserState()), from);
      case MULTIMAP_ENTRIES_USER_STATE -> readEntries(key.getMultimapEntriesUserState(), from);
      case ORDERED_LIST_USER_STATE -> lists.read(key.getOrderedListUserState(), from);
      default -> read(key, from);
    };
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

  /** Whole entries: each is a key with all of its values. */
  private StateGetResponse readEntries(MultimapEntriesUserState asked, ByteString from)
      throws IOException {
    MultimapKeysUserState map = MapKeys.mapOf(asked);
    List<ByteString> keys = mapKeys.of(map);
    int next = StateChunks.position(from);
    ByteString data = ByteString.EMPTY;
    while (next < keys.size() && data.size() < StateChunks.BYTES) {
      ByteString key = keys.get(next);
      ByteString values = ByteString.EMPTY;
      for (Part part : bags.getOrDefault(entry(map, key), EMPTY)) {
        values = values.concat(parts.read(part));
      }
      data = data.concat(key).concat(mapValues.iterable(map, values));
      next++;
    }
    return StateChunks.response(data, next, next < keys.size());
  }

  private static StateKey entry(MultimapKeysUserState map, ByteString key) {
    return StateKey.newBuilder().setMultimapUserState(MapKeys.entry(map, key)).build();
  }

  private void clear(StateKey key) {
    switch (key.getTypeCase()) {
      case MULTIMAP_KEYS_USER_STATE -> {
        MultimapKeysUserState map = key.getMultimapKeysUserState();
        mapKeys.of(map).forEach(mapKey -> forget(entry(map, mapKey)));
      }
      case ORDERED_LIST_USER_STATE -> lists.clear(key.getOrderedListUserState());
      default -> forget(key);
    }
  }

  private void append(StateKey key, ByteString data) throws IOException {
    if (key.hasOrderedListUserState()) {
      lists.append(key.getOrderedListUserState(), data);
      return;
    }
    if (key.hasMultimapUserState() && mapKeys.add(key.getMultimapUserState())) {
      parts.take(keyBytes(key));
    }
    bags.computeIfAbsent(key, absent -> new ArrayList<>()).add(parts.add(data));
  }

  /** What the key of a map's entry takes in the heap. */
  private static long keyBytes(StateKey entry) {
    return (long) StateParts.PART_BYTES + entry.getMultimapUserState().getMapKey().size();
  }

  private void forget(StateKey bag) {
    List<Part> forgotten = bags.remove(bag);
    if (forgotten != null) {
      if (bag.hasMultimapUserState()) {
        mapKeys.remove(bag.getMultimapUserState());
        parts.take(-keyBytes(bag));
      }
      forgotten.forEach(parts::forget);
    }
  }

  private StateGetResponse read(StateKey bag, ByteString from) throws IOException {
    List<Part> appended = bags.getOrDefault(bag, EMPTY);
    int next = StateChunks.position(from);
    ByteString data = ByteString.EMPTY;
    while (next < appended.size() && data.size() < StateChunks.BYTES) {
      data = data.concat(parts.read(appended.get(next)));
      next++;
    }
    return StateChunks.response(data, next, next < appended.size());
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
    lists.clear();
    parts.close();
  }
}
