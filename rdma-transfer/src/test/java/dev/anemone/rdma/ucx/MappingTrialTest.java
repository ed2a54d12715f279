// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

class MappingTrialTest {

  private UcpContext context;
  private MappingTrial trial;

  @BeforeEach
  void open() throws IOException {
    try {
      UcxLibrary.require();
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
    trial = new MappingTrial(UcxLibrary.loaded("libucp.so"), UcxLibrary.loaded("libucs.so"));
    context = new UcpContext(new UcpParams().requestRmaFeature());
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  @Test
  void memoryThatCanBeMappedIsLeftAsItWas() {
    ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16).putLong(0, 7);

    trial.register(context, memory);
    trial.allocate(context, 1 << 16);

    assertThat(memory.getLong(0)).isEqualTo(7);
    // What UCX has mapped for the trial is not left: the context could not be closed.
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
