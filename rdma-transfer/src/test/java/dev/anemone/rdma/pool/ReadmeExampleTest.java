// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.example.TwoProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The example of this module's README. */
class ReadmeExampleTest {

  private static final Path SOURCE =
      Path.of("src/test/java/dev/anemone/rdma/example/TwoProcesses.java");

  @Test
  void theReadmeHasTheExample() throws IOException {
    String source = Files.readString(SOURCE);
    String code =
        source
            .substring(source.indexOf("import static"))
            .lines()
            .map(line -> line.isEmpty() ? line : "    " + line)
            .collect(Collectors.joining("\n"));

    assertThat(Files.readString(Path.of("README.md"))).contains(code);
  }

  @Test
  void itRuns() throws Exception {
    String address = TestPool.freeAddresses(1).get(0).toString();
    try (PoolProcess lender =
        PoolProcess.start(TwoProcesses.class, "lend", address, "a secret").awaitReady()) {
      try (PoolProcess user = PoolProcess.start(TwoProcesses.class, "use", address, "a secret")) {
        assertThat(user.awaitEnd()).containsExactly("hello");
      }
      assertThat(lender.awaitEnd()).containsExactly("lends 67108864 bytes");
    }
  }
}
