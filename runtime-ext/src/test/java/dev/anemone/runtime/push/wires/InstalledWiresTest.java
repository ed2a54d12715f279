// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.wires;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.AbsentTransport;
import dev.anemone.runtime.push.PushHarness;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.SendingTask;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledWiresTest {

  private final PagePool pool = new PagePool(4L * PagePool.PAGE_BYTES);

  @Test
  void aTransportThatIsNotThereIsASentence() {
    assertThatThrownBy(() -> InstalledWires.open(AbsentTransport.NAME, pool, PushHarness.SECRET))
        .isInstanceOf(TransportUnavailableException.class)
        .hasMessageContaining("'absent' was asked for, but does not work here")
        .hasMessageContaining("install it");
    assertThatThrownBy(() -> InstalledWires.open("pigeons", pool, PushHarness.SECRET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pigeons")
        .hasMessageContaining("tcp");
  }

  @Test
  void whoeverHasTheLibraryNotAnnouncesWhatItHas(@TempDir Path directory) throws Exception {
    try (PushWires wires =
            InstalledWires.openWhatWorks(AbsentTransport.NAME, pool, PushHarness.SECRET);
        PushHarness harness = new PushHarness("tcp", directory);
        PushReceiver receiver =
            PushReceiver.open(
                wires,
                InetAddress.getLoopbackAddress(),
                new PushReceiver.Settings(PushHarness.JOB),
                harness.memory(8),
                () -> {});
        SendingTask task =
            harness.task(harness.impatient(0), 4, 1, target -> Optional.of(receiver.address()))) {
      assertThat(receiver.address().wire()).isEqualTo(PushWires.NETTY);
      task.send(5, 100_000);
      assertThat(task.finish().blockWritten()).isFalse();
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void theBestIsOneThatIsThere() throws Exception {
    try (PushWires wires = InstalledWires.open(PushWires.AUTO, pool, PushHarness.SECRET)) {
      assertThat(wires.ofReceivers().name()).isIn("tcp", "ucx");
      assertThat(wires.find(PushWires.NETTY)).isPresent();
    }
    assertThat(InstalledWires.names())
        .startsWith(PushWires.NETTY, PushWires.DIRECT, PushWires.AUTO)
        .contains("tcp", "ucx");
  }
}
