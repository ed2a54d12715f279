// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.tcp.TcpTransportProvider;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

class TransportsTest {

  private static final TransportProvider TCP = new TcpTransportProvider();

  /** One that does not work here. */
  private record Missing(String name, int preference) implements TransportProvider {
    @Override
    public Transport open() throws TransportUnavailableException {
      throw new TransportUnavailableException("it needs lib" + name + ".", null);
    }
  }

  @Test
  void theServiceLoaderFindsTcp() throws Exception {
    Transports transports = Transports.found();
    assertThat(transports.names()).contains("tcp", "ucx");
    try (Transport transport = transports.open("tcp")) {
      assertThat(transport.name()).isEqualTo("tcp");
    }
  }

  @Test
  void theBestThatWorksIsTakenAndTheLogSaysWhy() throws Exception {
    Transports transports =
        Transports.of(List.of(new Missing("good", 10), TCP, new Missing("best", 20)));
    assertThat(transports.names()).containsExactly("best", "good", "tcp");
    StringBuilder log = new StringBuilder();
    AppenderSkeleton appender =
        new AppenderSkeleton() {
          @Override
          protected void append(LoggingEvent event) {
            log.append(event.getRenderedMessage()).append('\n');
          }

          @Override
          public void close() {
            // It has nothing to close.
          }

          @Override
          public boolean requiresLayout() {
            return false;
          }
        };
    Logger logger = Logger.getLogger(Transports.class);
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
    try (Transport transport = transports.open()) {
      assertThat(transport.name()).isEqualTo("tcp");
    } finally {
      logger.removeAppender(appender);
    }
    assertThat(log)
        .hasToString(
            "the transport is tcp; not best: it needs libbest.; not good: it needs libgood.\n");
  }

  @Test
  void whatIsForcedIsTakenOrRefused() throws Exception {
    Transports transports = Transports.of(List.of(new Missing("ucx", 10), TCP));
    assertThatThrownBy(() -> transports.open("ucx"))
        .isInstanceOf(TransportUnavailableException.class)
        .hasMessage(
            "the transport 'ucx' was asked for, but does not work here: it needs libucx."
                + " (Others: tcp.)");
    assertThatThrownBy(() -> transports.open("rdma"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no transport 'rdma'; there are: ucx, tcp");
    assertThatThrownBy(() -> transports.open("disni"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there is no transport 'disni': DiSNI was last released in 2019, and no distribution"
                + " packages its native library; 'ucx' does the same over verbs; there are: ucx,"
                + " tcp");
  }

  @Test
  void nothingWorks() {
    assertThatThrownBy(() -> Transports.of(List.of(new Missing("ucx", 10))).open())
        .isInstanceOf(TransportUnavailableException.class)
        .hasMessage("no transport works here: ucx: it needs libucx.");
    assertThatThrownBy(() -> Transports.of(List.of()).open())
        .isInstanceOf(TransportUnavailableException.class)
        .hasMessageContaining("none on the class path");
  }
}
