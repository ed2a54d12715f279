// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.ucx.RequiresUcx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

@ExtendWith(RequiresUcx.class)
class MappingTrialTest {

  private UcpContext context;
  private MappingTrial trial;

  @BeforeEach
  void open() throws IOException {
    trial = MappingTrial.inLoadedLibraries();
    context = new UcpContext(new UcpParams().requestRmaFeature());
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  @Test
  void memoryThatCanBeMappedIsLeftAsItWas() throws IOException {
    List<String> before = sharedMemory();
    ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16).putLong(0, 7);

    trial.register(context, memory);
    trial.allocate(context, 1 << 16);

    assertThat(memory.getLong(0)).isEqualTo(7);
    assertThat(sharedMemory()).isEqualTo(before);
  }

  /** What UCX may have allocated, as far as it lies in memory that processes share. */
  private static List<String> sharedMemory() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains("/SYSV") || line.contains("/dev/shm/")).toList();
    }
  }

  @Test
  void whatUcxRefusesIsAnException() {
    ByteBuffer nowhere = UcxUtils.getByteBufferView(0, 1 << 16);

    assertThatThrownBy(() -> trial.register(context, nowhere))
        .isInstanceOfSatisfying(
            UcxException.class, refused -> assertThat(refused.getStatus()).isNegative())
        .hasMessage("Invalid parameter");
  }
}
