// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.transfer.announcement.Loss;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.tez.runtime.api.ExecutionContext;
import org.apache.tez.runtime.api.InputContext;
import org.apache.tez.runtime.api.events.InputReadErrorEvent;
import org.junit.jupiter.api.Test;

/** What Tez is told of a loss. */
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
    return method.equals("getExecutionContext") ? here : null;
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
}
