// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.Loss;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.tez.runtime.api.ExecutionContext;
import org.apache.tez.runtime.api.InputContext;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.InputFailedEvent;
import org.apache.tez.runtime.api.events.InputReadErrorEvent;
import org.junit.jupiter.api.Test;

/** What a task is told of its producers, and what Tez of a loss. */
class LinkInputTest {

  private final List<Object> sent = new ArrayList<>();

  private LinkInput input() {
    InputContext context =
        (InputContext)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {InputContext.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
    return new LinkInput(context, 9);
  }

  private Object answer(String method, Object[] arguments) {
    if (method.equals("sendEvents")) {
      sent.addAll((List<?>) arguments[0]);
    }
    ExecutionContext here = () -> "here";
    return switch (method) {
      case "getExecutionContext" -> here;
      case "getSourceVertexName" -> "read";
      default -> null;
    };
  }

  private InputReadErrorEvent told(Loss loss) {
    input().reportLost(7, 3, loss, "why");
    assertThat(sent).hasSize(1);
    return (InputReadErrorEvent) sent.get(0);
  }

  @Test
  void whatIsGoneIsMadeAgainWhoeverSaysSo() {
    assertThat(told(Loss.GONE).isDiskErrorAtSource()).isTrue();
  }

  @Test
  void ofWhatIsOutOfReachTezCountsWhoSaysSo() {
    InputReadErrorEvent event = told(Loss.UNREACHABLE);
    assertThat(event.isDiskErrorAtSource()).isFalse();
    assertThat(event.isLocalFetch()).isFalse();
    assertThat(event.getIndex()).isEqualTo(7);
    assertThat(event.getVersion()).isEqualTo(3);
    assertThat(event.getDestinationLocalhostName()).isEqualTo("here");
    assertThat(event.getDiagnostics()).isEqualTo("why");
  }

  private static BlockAnnouncement announcement(int task, int attempt) {
    return BlockAnnouncement.ofBlock(
        new Producer(task, attempt),
        new BlockId("block-" + task + "-" + attempt),
        DataStore.LOCAL_FILE,
        Optional.empty(),
        new BitSet(),
        true,
        0);
  }

  private static GatheredAnnouncements.Entry gathered(int task, int attempt) {
    ByteBuffer buffer = announcement(task, attempt).toBytes();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return new GatheredAnnouncements.Entry(task, attempt, bytes);
  }

  private static InputFailedEvent withdrawn(int task, int attempt) {
    InputFailedEvent event = InputFailedEvent.create(task, attempt);
    event.setVersion(attempt);
    return event;
  }

  private static DataMovementEvent announced(int task, int attempt) {
    return DataMovementEvent.create(task, announcement(task, attempt).toBytes()).makeCopy(task);
  }

  private static List<String> all(SourceFeed feed) {
    List<String> all = new ArrayList<>();
    for (Optional<InputEvent> next = feed.poll(); next.isPresent(); next = feed.poll()) {
      all.add(
          next.get() instanceof InputEvent.Announced news
              ? news.source() + " wrote " + news.announcement().block().orElseThrow()
              : ((InputEvent.Withdrawn) next.get()).source()
                  + " lost "
                  + ((InputEvent.Withdrawn) next.get()).version());
    }
    return all;
  }

  @Test
  void whatIsGatheredCountsUnlessThereIsNewerNews() {
    LinkInput input = input();
    input.handleEvents(List.of(withdrawn(1, 0), withdrawn(2, 0), announced(2, 1)));
    input.announced(List.of(gathered(0, 0), gathered(1, 0), gathered(2, 0), gathered(3, 5)));
    SourceFeed feed = new SourceFeed((source, version, loss, reason) -> {});
    input.connect(feed);
    assertThat(all(feed))
        .containsExactly(
            "read task 1 lost 0",
            "read task 2 lost 0",
            "read task 2 wrote block-2-1",
            "read task 0 wrote block-0-0",
            "read task 3 wrote block-3-5");
    input.handleEvents(List.of(withdrawn(3, 5), announced(3, 6)));
    assertThat(all(feed)).containsExactly("read task 3 lost 5", "read task 3 wrote block-3-6");
  }

  @Test
  void anAttemptThatWasWithdrawnBeforeAnotherWasGatheredDoesNotHideThatOne() {
    LinkInput input = input();
    input.handleEvents(List.of(withdrawn(0, 0)));
    input.announced(List.of(gathered(0, 1)));
    SourceFeed feed = new SourceFeed((source, version, loss, reason) -> {});
    input.connect(feed);
    assertThat(all(feed)).containsExactly("read task 0 lost 0", "read task 0 wrote block-0-1");
  }
}
