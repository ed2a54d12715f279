// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.task.LocalSpillFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReturnedElementsTest {

  private static final long HEAP_BYTES = 10_000;

  @TempDir Path directory;

  private final List<Object> handedOn = new ArrayList<>();
  private ReturnedElements returned;
  private ReturnedElements.Output numbers;

  @BeforeEach
  void outputs() {
    returned = new ReturnedElements(new LocalSpillFile(directory), HEAP_BYTES);
    numbers = output("numbers", VarIntCoder.of());
    output("words", StringUtf8Coder.of());
  }

  @SuppressWarnings("unchecked") // the tests add what the coder codes
  private ReturnedElements.Output output(String transform, Coder<?> coder) {
    return returned.output(transform, (Coder<Object>) coder, handedOn::add);
  }

  private static <T> ByteString encoded(Coder<T> coder, List<T> elements) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    for (T element : elements) {
      coder.encode(element, bytes);
    }
    return bytes.toByteString();
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void whatIsBeyondTheLimitGoesToDiskAndComesBackInOrder() throws Exception {
    List<Object> added = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      returned.begin();
      for (int i = 0; i < 100; i++) {
        List<Integer> some = IntStream.range(i, i + 200).boxed().toList();
        returned.add("numbers", encoded(VarIntCoder.of(), some));
        added.addAll(some);
        returned.add("words", encoded(StringUtf8Coder.of(), List.of("word " + i, "")));
        added.addAll(List.of("word " + i, ""));
      }
      assertThat(Files.size(files().get(0))).isGreaterThan(HEAP_BYTES);
      returned.addDecoded(numbers, 7);
      added.add(7);
      returned.end();
      returned.handOnUntilEnd();
      assertThat(Files.size(files().get(0))).isZero();
    }

    assertThat(handedOn).isEqualTo(added);
    returned.close();
    assertThat(files()).isEmpty();
  }

  @Test
  void whatFitsStaysInTheHeap() throws Exception {
    for (int round = 0; round < 10; round++) {
      returned.add("words", encoded(StringUtf8Coder.of(), List.of("a".repeat(9000))));
      returned.handOn();
    }

    assertThat(files()).isEmpty();
    assertThat(handedOn).hasSize(10);
  }

  @Test
  void whoTakesWaitsForTheEnd() throws Exception {
    returned.begin();
    CompletableFuture<Void> harness =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < 1000; i++) {
                  returned.add("numbers", encoded(VarIntCoder.of(), List.of(i)));
                }
              } catch (IOException e) {
                throw new AssertionError(e);
              } finally {
                returned.end();
              }
            });

    returned.handOnUntilEnd();
    harness.get(10, TimeUnit.SECONDS);

    assertThat(handedOn).isEqualTo(IntStream.range(0, 1000).boxed().toList());
  }

  @Test
  void whatComesAfterTheTaskHasGoneIsDropped() throws Exception {
    ByteString large = encoded(StringUtf8Coder.of(), List.of("a".repeat(100_000)));
    returned.add("words", large);
    assertThat(files()).hasSize(1);

    returned.close();
    returned.add("words", large);

    assertThat(files()).isEmpty();
  }

  @Test
  void theTaskLearnsThatADiskIsFull() throws Exception {
    Files.delete(directory);
    returned.add("words", encoded(StringUtf8Coder.of(), List.of("a".repeat(100_000))));

    assertThatThrownBy(() -> returned.handOn()).isInstanceOf(IOException.class);
  }
}
