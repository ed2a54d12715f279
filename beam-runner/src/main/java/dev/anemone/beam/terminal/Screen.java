// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import java.io.IOException;
import java.util.Optional;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The terminal that a standard stream of this process goes to. JLine is asked, since Java does not
 * say it of the standard error stream. Thread-safe.
 */
public final class Screen {

  /** Of output that nobody watches, and of terminals that do not say how wide they are. */
  public static final int USUAL_COLUMNS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Screen.class);
  private static final int FEWEST_COLUMNS = 40;

  private final TerminalProvider provider;
  private final SystemStream stream;

  private Screen(TerminalProvider provider, SystemStream stream) {
    this.provider = provider;
    this.stream = stream;
  }

  /** The terminal of the standard error stream; empty when that goes elsewhere. */
  public static Optional<Screen> ofStandardError() {
    return of(SystemStream.Error);
  }

  /** How many columns what is written to the standard output may have. */
  public static int outputColumns() {
    return of(SystemStream.Output).map(Screen::columns).orElse(USUAL_COLUMNS);
  }

  private static Optional<Screen> of(SystemStream stream) {
    try {
      TerminalProvider provider = TerminalProvider.load("jni");
      return provider.isSystemStream(stream)
          ? Optional.of(new Screen(provider, stream))
          : Optional.empty();
    } catch (IOException | LinkageError e) {
      // Where its library does not run, there are plain lines.
      LOG.debug("Whether {} is a terminal is not known", stream, e);
      return Optional.empty();
    }
  }

  /** Its width now, in columns; people resize windows. */
  public int columns() {
    int columns = provider.systemStreamWidth(stream);
    return columns <= 0 ? USUAL_COLUMNS : Math.max(FEWEST_COLUMNS, columns);
  }
}
