// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a harness in this JVM logs. */
@Tag("slow")
class HarnessLogTest {

  private static final Logger LOGGER = Logger.getLogger("org.apache.beam");

  /** What it says at its end, and what of the end of its data stream, however that comes. */
  private static final String ENDS = "Shutting SDK harness down.";

  private static final Pattern STREAM_ENDS = Pattern.compile(".* for url: \"InProcessServer.*");
  private static final long END_SECONDS = 60;

  private final Lines lines = new Lines();
  private Level before;

  /** Keeps what is logged. */
  private static final class Lines extends AppenderSkeleton {
    private final List<LoggingEvent> logged = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch streamEnded = new CountDownLatch(1);

    @Override
    protected void append(LoggingEvent event) {
      logged.add(event);
      String message = String.valueOf(event.getRenderedMessage());
      if (message.equals(ENDS)) {
        ended.countDown();
      }
      if (STREAM_ENDS.matcher(message).lookingAt()) {
        streamEnded.countDown();
      }
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    before = LOGGER.getLevel();
    LOGGER.setLevel(Level.INFO);
    LOGGER.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeAppender(lines);
    LOGGER.setLevel(before);
  }

  @Test
  void itsEndIsNoFailure() throws Exception {
    Pipeline pipeline = HarnessPipelines.create("--experiments=beam_fn_api");
    pipeline.apply(Create.of("a")).apply(ParDo.of(new HarnessPipelines.InHarness()));

    pipeline.run();

    assertThat(lines.ended.await(END_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(lines.streamEnded.await(END_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(lines.logged)
        .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .extracting(LoggingEvent::getRenderedMessage)
        .isEmpty();
  }
}
