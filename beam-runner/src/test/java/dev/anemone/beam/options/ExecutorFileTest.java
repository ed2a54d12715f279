// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ExecutorGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorFileTest {

  @TempDir Path directory;

  @Test
  void anExecutorIsDividedAmongTheTasksThatItRunsAtATime() throws IOException {
    ExecutorFile file =
        read(
            """
            [
              {"type": "Transient", "memory_mb": 4096, "capacity": 4, "num": 2},
              {"type": "Reserved", "memory_mb": 1000, "capacity": 1},
              {"type": "Compute", "memory_mb": 2047, "capacity": 2, "num": 1, "cores": 3,
               "nodes": ["node-1", "node-2"]}
            ]
            """);

    assertThat(file.groups())
        .containsExactly(
            new ExecutorGroup(ResourcePriority.TRANSIENT, 1024, 1, Optional.of(8), List.of()),
            new ExecutorGroup(ResourcePriority.RESERVED, 1000, 1, Optional.of(1), List.of()),
            new ExecutorGroup(
                ResourcePriority.NONE, 1023, 3, Optional.of(2), List.of("node-1", "node-2")));
    assertThat(file.slots()).isEqualTo(11);
  }

  @Test
  void tooLittleMemoryMattersOnlyWhereTasksHaveContainers() throws IOException {
    ExecutorFile file = read("[{\"type\": \"Transient\", \"memory_mb\": 512, \"capacity\": 5}]");

    assertThat(file.slots()).isEqualTo(5);
    assertThatThrownBy(file::groups)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining(
            "executors.json, entry 0: memory_mb 512 for a capacity of 5 is 102 MB")
        .hasMessageContaining("at least 512 MB")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|must be an array",
        "[]|at least one entry",
        "[1]|entry 0 is not an object",
        "[{\"type\": \"Compute\",|is not JSON",
        "[] []|is not JSON",
        "[{\"type\": \"Compute\", \"type\": \"Compute\"}]|is not JSON",
        "[{\"type\": \"Spot\", \"memory_mb\": 9, \"capacity\": 1}]"
            + "|entry 0: field 'type' must be Transient, Reserved or Compute, and is \"Spot\".",
        "[{\"memory_mb\": 9, \"capacity\": 1}]|field 'type' must be Transient, Reserved or Compute,"
            + " and is missing.",
        "[{\"type\": \"Compute\", \"memory_mb\": 2048, \"capacity\": 1}, {\"type\": \"Compute\"}]"
            + "|entry 1: field 'memory_mb' must be a whole number of at least 1, and is missing.",
        "[{\"type\": \"Compute\", \"memory_mb\": 1.5, \"capacity\": 1}]|and is 1.5.",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 0}]|'capacity' must be",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 1, \"num\": \"2\"}]|'num' must be",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 1, \"cores\": -1}]"
            + "|'cores' must be",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 1, \"nodes\": \"a\"}]"
            + "|'nodes' must be an array of host names",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 1, \"nodes\": [1]}]"
            + "|'nodes' must be an array of host names",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capcity\": 1}]"
            + "|entry 0: field 'capcity' is not known. There are type, memory_mb, capacity",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 1, \"max_offheap_ratio\": 0.2}]"
            + "|Use --offHeapMemoryMb",
        "[{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 1, \"poison_sec\": 3}]|Remove it",
      })
  void whatIsWrongIsNamedWithFileEntryAndField(String json, String message) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageStartingWith("--executorJson=" + directory)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void moreExecutorsThanCanBeCountedAreRefused() throws IOException {
    String many =
        "{\"type\": \"Compute\", \"memory_mb\": 1024, \"capacity\": 1, \"num\": 2000000000}";
    ExecutorFile file = read("[" + many + ", " + many + "]");

    assertThatThrownBy(file::groups)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("more executors than can be counted");
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = directory.resolve("missing.json");

    assertThatThrownBy(() -> ExecutorFile.read(missing))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--executorJson=" + missing + " cannot be read");
  }

  private ExecutorFile read(String json) throws IOException {
    return ExecutorFile.read(Files.writeString(directory.resolve("executors.json"), json));
  }
}
