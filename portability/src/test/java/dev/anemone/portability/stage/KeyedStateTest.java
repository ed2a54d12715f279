// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.task.LocalSpillFile;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.OrderedListRange;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateAppendRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateClearRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.BagUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapEntriesUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapKeysUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.OrderedListUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.model.pipeline.v1.RunnerApi.MultimapStateSpec;
import org.apache.beam.model.pipeline.v1.RunnerApi.StateSpec;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.IterableCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.LengthPrefixCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.util.construction.SdkComponents;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyedStateTest {

  private static final int HEAP_BYTES = 100_000;

  private static final Coder<KV<Long, String>> NUMBERED =
      KvCoder.of(VarLongCoder.of(), LengthPrefixCoder.of(StringUtf8Coder.of()));

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
    return entry(ByteString.copyFromUtf8(mapKey));
  }

  private static StateRequest.Builder entry(ByteString mapKey) {
    return StateRequest.newBuilder()
        .setId("1")
        .setStateKey(
            StateKey.newBuilder()
                .setMultimapUserState(
                    MapKeys.entry(map().getStateKey().getMultimapKeysUserState(), mapKey)));
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

  private KeyedState state() throws Exception {
    SdkComponents components = SdkComponents.create();
    String coder = components.registerCoder(StringUtf8Coder.of());
    StateSpec map =
        StateSpec.newBuilder()
            .setMultimapSpec(MultimapStateSpec.newBuilder().setValueCoderId(coder))
            .build();
    return new KeyedState(
        new LocalSpillFile(directory),
        HEAP_BYTES,
        new MapValues(components.toComponents(), Map.of("step", Map.of("map", map))));
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
    try (KeyedState state = state()) {
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
    try (KeyedState state = state()) {
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
    try (KeyedState state = state()) {
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
    try (KeyedState state = state()) {
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
    try (KeyedState state = state()) {
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

  private static StateRequest.Builder entries() {
    return StateRequest.newBuilder()
        .setId("1")
        .setStateKey(
            StateKey.newBuilder()
                .setMultimapEntriesUserState(
                    MultimapEntriesUserState.newBuilder()
                        .setTransformId("step")
                        .setUserStateId("map")
                        .setWindow(ByteString.EMPTY)
                        .setKey(ByteString.copyFromUtf8("key"))));
  }

  private static StateRequest.Builder list(OrderedListUserState.Builder list) {
    return StateRequest.newBuilder()
        .setId("1")
        .setStateKey(
            StateKey.newBuilder()
                .setOrderedListUserState(
                    list.setTransformId("step")
                        .setUserStateId("list")
                        .setWindow(ByteString.EMPTY)
                        .setKey(ByteString.copyFromUtf8("key"))));
  }

  private static StateRequest.Builder list() {
    return list(OrderedListUserState.newBuilder());
  }

  private static StateRequest.Builder list(long start, long end) {
    return list(
        OrderedListUserState.newBuilder()
            .setRange(OrderedListRange.newBuilder().setStart(start).setEnd(end)));
  }

  private static <T> ByteString encoded(Coder<T> coder, T value) throws Exception {
    ByteString.Output out = ByteString.newOutput();
    coder.encode(value, out);
    return out.toByteString();
  }

  private static ByteString numbered(long number, String element) throws Exception {
    return encoded(NUMBERED, KV.of(number, element));
  }

  private static <T> List<T> decoded(Coder<T> coder, ByteString all) throws Exception {
    List<T> elements = new ArrayList<>();
    InputStream in = all.newInput();
    while (in.available() > 0) {
      elements.add(coder.decode(in));
    }
    return elements;
  }

  @Test
  void allEntriesOfAMapComeWithTheNumberOfTheirValues() throws Exception {
    try (KeyedState state = state()) {
      List<KV<String, Iterable<String>>> expected = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String mapKey = "key " + i;
        String value = block(i).toStringUtf8();
        StateRequest.Builder entry = entry(encoded(StringUtf8Coder.of(), mapKey));
        append(state, entry, encoded(StringUtf8Coder.of(), value));
        append(
            state,
            entry,
            encoded(StringUtf8Coder.of(), "").concat(encoded(StringUtf8Coder.of(), "x")));
        expected.add(KV.of(mapKey, List.of(value, "", "x")));
      }

      assertThat(
              decoded(
                  KvCoder.of(StringUtf8Coder.of(), IterableCoder.of(StringUtf8Coder.of())),
                  read(state, entries())))
          .usingRecursiveFieldByFieldElementComparator()
          .isEqualTo(expected);
    }
  }

  @Test
  void aListIsSortedByItsNumbers() throws Exception {
    try (KeyedState state = state()) {
      append(state, list(), numbered(7, "c").concat(numbered(-3, "a")));
      append(state, list(), numbered(7, "d").concat(numbered(5, "b")));

      assertThat(decoded(NUMBERED, read(state, list())))
          .containsExactly(KV.of(-3L, "a"), KV.of(5L, "b"), KV.of(7L, "c"), KV.of(7L, "d"));
      assertThat(decoded(NUMBERED, read(state, list(-3, 7))))
          .containsExactly(KV.of(-3L, "a"), KV.of(5L, "b"));

      clear(state, list(5, 7));

      assertThat(decoded(NUMBERED, read(state, list())))
          .containsExactly(KV.of(-3L, "a"), KV.of(7L, "c"), KV.of(7L, "d"));
      assertThat(read(state, "key")).isEmpty();
    }
  }

  @Test
  void aListMayBeLargerThanTheHeap() throws Exception {
    try (KeyedState state = state()) {
      List<KV<Long, String>> expected = new ArrayList<>();
      for (int i = 60; i > 0; i--) {
        append(state, list(), numbered(i, block(i).toStringUtf8()));
        expected.add(0, KV.of((long) i, block(i).toStringUtf8()));
      }

      assertThat(Files.size(files().get(0))).isGreaterThan(2_900_000);
      assertThat(decoded(NUMBERED, read(state, list()))).isEqualTo(expected);

      for (int i = 0; i < 1000; i++) {
        append(state, list(), numbered(i, ""));
      }
      assertThat(state.isHeapFull()).isTrue();

      clear(state, list());

      assertThat(state.isHeapFull()).isFalse();
      assertThat(read(state, list())).isEmpty();
    }
  }
}
