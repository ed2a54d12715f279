// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.tez.directory.JobDirectory.Tail;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobDirectoryTest {

  private static final int FILES = 20;

  @TempDir Path root;

  private JobDirectory directory(String kind) throws IOException {
    Path path = root.resolve("job");
    JobDirectory directory =
        kind.equals("local")
            ? new LocalJobDirectory(path)
            : HadoopJobDirectory.of(path.toUri(), new Configuration());
    directory.create();
    for (int i = 0; i < FILES; i++) {
      directory.write("file-" + i, content(i).getBytes(StandardCharsets.UTF_8));
    }
    return directory;
  }

  /** The first files are the longest, so that they come last where several are read at a time. */
  private static String content(int file) {
    return "x".repeat(10_000 * (FILES - file)) + file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void filesAreReadInTheirOrder(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    List<Integer> order = new ArrayList<>(IntStream.range(0, FILES).boxed().toList());
    Collections.rotate(order, FILES / 2);

    List<byte[]> read = directory.readAll(order.stream().map(i -> Tail.all("file-" + i)).toList());

    assertThat(read)
        .extracting(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .containsExactlyElementsOf(order.stream().map(JobDirectoryTest::content).toList());
    assertThat(directory.readAll(List.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void filesOfTheFrontEndAreReadAndOutliveTheJob(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    Path file = Files.writeString(root.resolve("given"), "content");
    JobFiles files = new JobFiles(directory);

    files.give(Map.of("name", file));

    try (InputStream read = files.openGiven("name")) {
      assertThat(read).hasContent("content");
    }
    assertThatThrownBy(() -> files.openGiven("other"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other");
    directory.delete();
    assertThat(root.resolve("job")).doesNotExist();
    assertThat(file).hasContent("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void aPartOfAFileIsReadToItsEnd(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    assertThat(directory.readAll(List.of(new Tail("file-1", 190_000), Tail.all("file-19"))))
        .extracting(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .containsExactly("1", content(19));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void messagesOfAllLogsAreReadOnceEach(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    MessageReader reader = new MessageReader(directory, "messages-");
    assertThat(reader.next()).isEmpty();
    try (MessageLog one = directory.log("messages-");
        MessageLog other = directory.log("messages-");
        MessageLog none = directory.log("others-")) {
      none.append(new byte[] {9});
      one.append(new byte[] {1});
      other.append(new byte[] {2});
      one.append(new byte[0]);
      assertThat(reader.next())
          .containsExactlyInAnyOrder(new byte[] {1}, new byte[] {2}, new byte[0]);
      one.append(new byte[] {3});
      assertThat(reader.next()).containsExactly(new byte[] {3});
      assertThat(reader.next()).isEmpty();
    }
    assertThat(new MessageReader(directory, "messages-").next()).hasSize(4);
  }

  /** A file that grows may be read while a message is written, and for ever have a part of it. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void aMessageIsReadWhenAllOfItIsThere(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    written.write(MessageFraming.frame("first".getBytes(StandardCharsets.UTF_8)));
    written.write(MessageFraming.frame("second".getBytes(StandardCharsets.UTF_8)));
    byte[] all = written.toByteArray();
    MessageReader reader = new MessageReader(directory, "grows");
    List<String> read = new ArrayList<>();
    for (int length = 0; length <= all.length; length++) {
      directory.write("grows", Arrays.copyOf(all, length));
      for (byte[] message : reader.next()) {
        read.add(length + " " + new String(message, StandardCharsets.UTF_8));
      }
    }
    assertThat(read).containsExactly("9 first", "19 second");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void oneThatIsNotThereIsTold(String kind) throws IOException {
    JobDirectory directory = directory(kind);

    assertThatThrownBy(
            () ->
                directory.readAll(
                    Stream.of("file-1", "file-none", "file-2").map(Tail::all).toList()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file-none");
  }
}
