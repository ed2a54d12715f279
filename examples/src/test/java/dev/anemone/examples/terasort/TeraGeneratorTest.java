// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TeraGeneratorTest {
  private static final int RECORDS = 12_345;

  @TempDir private Path directory;

  @BeforeEach
  void fileSystems() {
    PipelineOptionsFactory.create();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1_000})
  void anyNumberOfFilesHasTheSameBytes(int files) throws Exception {
    assertThat(generator(files).write(directory.toString()))
        .hasSize(files)
        .startsWith(directory.resolve("part-00000").toString());

    assertThat(Records.read(directory)).isEqualTo(Records.joined(Records.generated(RECORDS)));
    assertThat(Records.names(directory)).hasSize(files).allMatch(name -> name.startsWith("part-"));
  }

  @Test
  void anOldResultIsNotTouched() throws Exception {
    Files.writeString(directory.resolve("part-00003"), "old");

    assertThatThrownBy(() -> generator(2).write(directory.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--output=" + directory)
        .hasMessageContaining("part-00003");
    assertThat(Records.names(directory)).containsExactly("part-00003");
  }

  @Test
  void aDirectoryThatCannotBeMadeIsRefusedByName() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "not a directory");

    assertThatThrownBy(() -> generator(1).write(file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--output=" + file)
        .hasMessageContaining("cannot be written to");
  }

  @Test
  void aFailureLeavesNoFile() throws IOException {
    // The last of the files cannot get its name, because a directory of that name is not empty.
    Files.createDirectories(directory.resolve("part-00001/full"));

    assertThatThrownBy(() -> generator(2).write(directory.toString()))
        .isInstanceOf(IOException.class);
    assertThat(Records.names(directory)).containsExactly("part-00001");
  }

  @Test
  void anInterruptLeavesNoFile() throws IOException {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> generator(5).write(directory.toString()))
        .isInstanceOf(InterruptedException.class)
        .hasNoSuppressedExceptions();
    assertThat(Records.names(directory)).isEmpty();
  }

  @Test
  void sizesThatMakeNoFilesAreRefused() {
    assertThatThrownBy(() -> new TeraGenerator(0, 1, RecordFormat.BINARY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("number of records");
    assertThatThrownBy(() -> new TeraGenerator(10, 11, RecordFormat.BINARY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 1 to 10 for 10 records, not 11");
  }

  @Test
  void filesAreAtMost250Megabytes() {
    assertThat(TeraGenerator.filesFor(1)).isEqualTo(1);
    assertThat(TeraGenerator.filesFor(2_500_000)).isEqualTo(1);
    assertThat(TeraGenerator.filesFor(2_500_001)).isEqualTo(2);
    assertThat(TeraGenerator.filesFor(40_000_000)).isEqualTo(16);
  }

  private static TeraGenerator generator(int files) {
    return new TeraGenerator(RECORDS, files, RecordFormat.BINARY);
  }
}
