// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.task.LocalSpillFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateAppendRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateClearRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.BagUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapKeysUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyedStateTest {

  private static final int HEAP_BYTES = 100_000;

  @TempDir Path directory;

  private static StateRequest.Builder request(String key) {
    return StateRequest.newBuilder()
        .setId("1")
        .setStateKey(
            StateKey.newBuilder()
                .setBagUserState(
                    BagUserState.newBuilder()
                        .setTransformId("step")
                        .setUserStateId("state")
                        .setWindow(ByteString.EMPTY)
                        .setKey(ByteString.copyFromUtf8(key))));
  }

  private static StateRequest.Builder entry(String mapKey) {
    return StateRequest.newBuilder()
        .setId("1")
        .setStateKey(
            StateKey.newBuilder()
                .setMultimapUserState(
                    MapKeys.entry(
                        map().getStateKey().getMultimapKeysUserState(),
                        ByteString.copyFromUtf8(mapKey))));
  }

  private static StateRequest.Builder map() {
    return StateRequest.newBuilder()
        .setId("1")
        .setStateKey(
            StateKey.newBuilder()
                .setMultimapKeysUserState(
                    MultimapKeysUserState.newBuilder()
                        .setTransformId("step")
                        .setUserStateId("map")
                        .setWindow(ByteString.EMPTY)
                        .setKey(ByteString.copyFromUtf8("key"))));
  }

  private static StateResponse ask(KeyedState state, StateRequest.Builder request)
      throws Exception {
    return state.handle(request.build()).toCompletableFuture().get().build();
  }

  private static void append(KeyedState state, String key, ByteString data) throws Exception {
    append(state, request(key), data);
  }

  private static void append(KeyedState state, StateRequest.Builder to, ByteString data)
      throws Exception {
    ask(state, to.setAppend(StateAppendRequest.newBuilder().setData(data)));
  }

  private static void clear(KeyedState state, StateRequest.Builder what) throws Exception {
    ask(state, what.setClear(StateClearRequest.getDefaultInstance()));
  }

  private static ByteString read(KeyedState state, String key) throws Exception {
    return read(state, request(key));
  }

  /** All of it, part by part as harnesses read it. */
  private static ByteString read(KeyedState state, StateRequest.Builder what) throws Exception {
    ByteString all = ByteString.EMPTY;
    ByteString token = ByteString.EMPTY;
    do {
      StateGetRequest get = StateGetRequest.newBuilder().setContinuationToken(token).build();
      StateGetResponse response = ask(state, what.setGet(get)).getGet();
      assertThat(response.getData().size()).isLessThan(StateChunks.BYTES + HEAP_BYTES);
      all = all.concat(response.getData());
      token = response.getContinuationToken();
    } while (!token.isEmpty());
    return all;
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static ByteString block(int number) {
    return ByteString.copyFromUtf8(Character.toString('a' + number % 26).repeat(50_000));
  }

  @Test
  void whatDoesNotFitTheHeapIsReadFromDisk() throws Exception {
    try (KeyedState state = new KeyedState(new LocalSpillFile(directory), HEAP_BYTES)) {
      ByteString expected = ByteString.EMPTY;
      for (int i = 0; i < 60; i++) {
        append(state, "large", block(i));
        expected = expected.concat(block(i));
      }
      append(state, "small", block(0));

      assertThat(Files.size(files().get(0))).isGreaterThan(2_900_000);
      assertThat(read(state, "large")).isEqualTo(expected);
      assertThat(read(state, "small")).isEqualTo(block(0));
      assertThat(read(state, "none")).isEmpty();
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void clearingGivesTheHeapBack() throws Exception {
    try (KeyedState state = new KeyedState(new LocalSpillFile(directory), HEAP_BYTES)) {
      for (int i = 0; i < 100; i++) {
        append(state, "key", block(i));
        clear(state, request("key"));
      }

      assertThat(read(state, "key")).isEmpty();
      assertThat(state.isHeapFull()).isFalse();
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void manySmallAppendsFillTheHeapToo() throws Exception {
    try (KeyedState state = new KeyedState(new LocalSpillFile(directory), HEAP_BYTES)) {
      int appended = 0;
      while (!state.isHeapFull()) {
        append(state, "key" + appended, ByteString.copyFromUtf8("x"));
        appended++;
      }
      assertThat(appended).isLessThan(1000);

      state.clear();

      assertThat(state.isHeapFull()).isFalse();
      assertThat(read(state, "key0")).isEmpty();
    }
  }

  @Test
  void aMapHasTheKeysThatWerePutAndNotRemoved() throws Exception {
    try (KeyedState state = new KeyedState(new LocalSpillFile(directory), HEAP_BYTES)) {
      append(state, entry("b"), ByteString.copyFromUtf8("1"));
      append(state, entry("a"), ByteString.copyFromUtf8("2"));
      append(state, entry("b"), ByteString.copyFromUtf8("3"));
      append(state, entry("c"), ByteString.copyFromUtf8("4"));
      clear(state, entry("a"));

      assertThat(read(state, map()).toStringUtf8()).isEqualTo("bc");
      assertThat(read(state, entry("b")).toStringUtf8()).isEqualTo("13");
      assertThat(read(state, entry("a"))).isEmpty();

      clear(state, map());

      assertThat(read(state, map())).isEmpty();
      assertThat(read(state, entry("b"))).isEmpty();
    }
  }

  @Test
  void theKeysOfLargeMapsComeInParts() throws Exception {
    try (KeyedState state = new KeyedState(new LocalSpillFile(directory), HEAP_BYTES)) {
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 60; i++) {
        String mapKey = i + block(i).toStringUtf8();
        append(state, entry(mapKey), ByteString.copyFromUtf8("x"));
        expected.append(mapKey);
      }

      assertThat(state.isHeapFull()).isTrue();
      assertThat(read(state, map()).toStringUtf8()).isEqualTo(expected.toString());

      clear(state, map());

      assertThat(state.isHeapFull()).isFalse();
    }
  }
}
