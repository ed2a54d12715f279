// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TeraSortTest {
  private static final int RECORDS = 20_000;

  @TempDir private Path directory;
  private Path input;
  private Path output;

  @BeforeEach
  void paths() {
    PipelineOptionsFactory.create();
    input = directory.resolve("input");
    output = directory.resolve("output");
  }

  @Test
  void sortsToTheLastByte() throws Exception {
    new TeraGenerator(RECORDS, 3, RecordFormat.BINARY).write(input.toString());

    sort("--ranges=7");

    assertThat(Records.names(output))
        .containsExactly(
            "part-00000",
            "part-00001",
            "part-00002",
            "part-00003",
            "part-00004",
            "part-00005",
            "part-00006");
    assertThat(Records.read(output))
        .isEqualTo(Records.joined(Records.sorted(Records.generated(RECORDS))));
    assertThat(faults()).isEmpty();
  }

  @Test
  void sortsLinesOfText() throws Exception {
    new TeraGenerator(RECORDS, 2, RecordFormat.ASCII).write(input.toString());

    sort("--ranges=3");

    assertThat(faults()).isEmpty();
    List<String> lines = new ArrayList<>();
    for (String name : Records.names(output)) {
      lines.addAll(Files.readAllLines(output.resolve(name)));
    }
    assertThat(lines).hasSize(RECORDS).isSorted();
  }

  @Test
  void recordsWithFewKeysAreSortedByWhatFollows() throws Exception {
    List<byte[]> records = Records.generated(5_000);
    for (byte[] record : records) {
      int key = record[0] & 3;
      Arrays.fill(record, 0, TeraRecord.KEY_BYTES, (byte) (key * 85));
    }
    Records.write(input.resolve("part-00000"), records);

    sort("--ranges=50");

    assertThat(Records.names(output)).hasSizeBetween(1, 4);
    assertThat(Records.read(output)).isEqualTo(Records.joined(Records.sorted(records)));
    assertThat(faults()).isEmpty();
  }

  @Test
  void aSingleRecordIsSorted() throws IOException {
    Records.write(input.resolve("part-00000"), Records.generated(1));

    sort();

    assertThat(Records.read(output)).isEqualTo(Records.joined(Records.generated(1)));
  }

  @Test
  void anOldResultIsRefusedAndStays() throws Exception {
    new TeraGenerator(100, 1, RecordFormat.BINARY).write(input.toString());
    Files.createDirectories(output);
    Files.writeString(output.resolve("part-00099"), "old");

    assertThatThrownBy(this::sort)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--output=" + output)
        .hasMessageContaining("holds a result already");
    assertThat(Files.readString(output.resolve("part-00099"))).isEqualTo("old");
  }

  @Test
  void wrongInputsAndRangesAreRefusedAndNothingIsWritten() throws IOException {
    assertThatThrownBy(this::sort)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--input=" + input + ": no such file");

    Files.write(input, new byte[101]);
    assertThatThrownBy(this::sort)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("101 bytes");

    Files.write(input, new byte[100]);
    assertThatThrownBy(() -> sort("--ranges=100001"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--ranges=100001 is out of range");
    assertThat(output).doesNotExist();
  }

  @Test
  void anInputThatGrowsMeanwhileIsAnErrorAndNothingIsPublished() throws Exception {
    new TeraGenerator(RECORDS, 1, RecordFormat.BINARY).write(input.toString());
    Pipeline pipeline =
        TeraSort.pipeline(PipelineOptionsFactory.fromArgs(arguments()).as(TeraSort.Options.class));
    Files.write(input.resolve("part-00000"), new byte[100], StandardOpenOption.APPEND);

    assertThatThrownBy(() -> pipeline.run().waitUntilFinish())
        .hasStackTraceContaining("The input had 20000 records");
    assertThat(Records.names(output)).isNotEmpty().noneMatch(name -> name.startsWith("part-"));
  }

  private void sort(String... more) throws IOException {
    TeraSort.main(arguments(more));
  }

  private String[] arguments(String... more) {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--input=" + input);
    arguments.add("--output=" + output);
    arguments.add("--runner=NemoRunner");
    return arguments.toArray(new String[0]);
  }

  private List<String> faults() throws IOException {
    return TeraValidator.summarize("--output", output.toString())
        .faults(Optional.of(TeraValidator.summarize("--input", input.toString())));
  }
}
