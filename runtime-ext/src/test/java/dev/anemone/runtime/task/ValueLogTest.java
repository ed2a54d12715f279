// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValueLogTest {

  private static void add(ValueLog log, byte[] bytes) throws IOException {
    log.add(new ByteSlice().set(bytes, 0, bytes.length));
  }

  private static List<byte[]> rest(ValueCursor cursor) throws IOException {
    List<byte[]> values = new ArrayList<>();
    while (cursor.next()) {
      values.add(cursor.value().readAllBytes());
    }
    return values;
  }

  @Property(tries = 200)
  void readsBackWhatWasAddedWhateverTheMemoryLimit(
      @ForAll @Size(max = 40) List<@Size(max = 300) byte[]> values,
      @ForAll @IntRange(max = 4000) int memoryLimit,
      @ForAll @IntRange(max = 40) int addedBeforeFirstPass)
      throws IOException {
    Path directory = Files.createTempDirectory("value-log");
    try (ValueLog log = new ValueLog(directory, memoryLimit)) {
      int first = Math.min(addedBeforeFirstPass, values.size());
      for (byte[] value : values.subList(0, first)) {
        add(log, value);
      }
      ValueCursor early = log.cursor();
      List<byte[]> read = rest(early);
      for (byte[] value : values.subList(first, values.size())) {
        add(log, value);
      }
      read.addAll(rest(early));
      assertThat(read).containsExactlyElementsOf(values);
      assertThat(rest(log.cursor())).containsExactlyElementsOf(values);
      assertThat(log.count()).isEqualTo(values.size());
    } finally {
      Files.delete(directory);
    }
  }

  @Test
  void spillsBeyondTheLimitAndLeavesNothingBehind(@TempDir Path directory) throws IOException {
    byte[] large = "x".repeat(200_000).getBytes(StandardCharsets.UTF_8);
    try (ValueLog log = new ValueLog(directory, 1000)) {
      add(log, new byte[900]);
      assertThat(log.hasSpilled()).isFalse();
      add(log, large);
      add(log, new byte[3]);
      assertThat(log.hasSpilled()).isTrue();
      ValueCursor a = log.cursor();
      ValueCursor b = log.cursor();
      assertThat(a.next()).isTrue();
      assertThat(a.next()).isTrue();
      assertThat(b.next()).isTrue();
      assertThat(a.value().readAllBytes()).isEqualTo(large);
      assertThat(b.value().readAllBytes()).hasSize(900);
      assertThat(rest(b)).hasSize(2);
      assertThat(rest(a)).hasSize(1);
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
