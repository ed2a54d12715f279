// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.coder;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.PaneInfo.PaneInfoCoder;
import org.apache.beam.sdk.util.VarInt;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowedValues.SingleWindowedValue;
import org.joda.time.Instant;

/**
 * Writes what an element carries beside its value: windows, timestamp and pane. A header byte says
 * which of them have a common value; only the others follow. An element in the global window with
 * the least timestamp and without pane costs the header byte alone.
 *
 * <pre>
 * header  bits 0-1  windows    0 the global one  1 one other  2 any number
 *         bits 2-3  timestamp  0 the least       1 the end of the first window  2 any
 *         bits 4-5  pane       0 no firing       1 on time and only  2 any
 *         bit  6    caused by drain
 * </pre>
 *
 * <p>Thread-safe as far as the window coder is.
 */
public final class ElementMetadataCodec {

  private static final int GLOBAL_WINDOW = 0;
  private static final int ONE_WINDOW = 1;
  private static final int MANY_WINDOWS = 2;
  private static final int WINDOWS_MASK = 3;

  private static final int MIN_TIMESTAMP = 0;
  private static final int END_OF_WINDOW = 1 << 2;
  private static final int ANY_TIMESTAMP = 2 << 2;
  private static final int TIMESTAMP_MASK = 3 << 2;

  private static final int NO_FIRING = 0;
  private static final int ONLY_FIRING = 1 << 4;
  private static final int ANY_PANE = 2 << 4;
  private static final int PANE_MASK = 3 << 4;

  private static final int DRAIN = 1 << 6;

  private static final List<GlobalWindow> GLOBAL = List.of(GlobalWindow.INSTANCE);

  private final Coder<BoundedWindow> windowCoder;

  /** A codec for elements whose windows {@code windowCoder} codes. */
  @SuppressWarnings("unchecked") // the windows of a PCollection are those that its coder codes
  public ElementMetadataCodec(Coder<? extends BoundedWindow> windowCoder) {
    this.windowCoder = (Coder<BoundedWindow>) windowCoder;
  }

  /** Writes all but the value of {@code element}. */
  public void write(WindowedValue<?> element, OutputStream out) throws IOException {
    PaneInfo pane = element.getPaneInfo();
    int header = element.causedByDrain() ? DRAIN : 0;
    if (pane.equals(PaneInfo.NO_FIRING)) {
      header |= NO_FIRING;
    } else if (pane.equals(PaneInfo.ON_TIME_AND_ONLY_FIRING)) {
      header |= ONLY_FIRING;
    } else {
      header |= ANY_PANE;
    }
    Instant timestamp = element.getTimestamp();
    if (element instanceof SingleWindowedValue single) {
      BoundedWindow window = single.getWindow();
      header |= timestampKind(timestamp, window);
      if (window == GlobalWindow.INSTANCE) {
        out.write(header);
      } else {
        out.write(header | ONE_WINDOW);
        windowCoder.encode(window, out);
      }
    } else {
      Collection<? extends BoundedWindow> windows = element.getWindows();
      BoundedWindow first = windows.isEmpty() ? null : windows.iterator().next();
      header |= timestampKind(timestamp, first);
      out.write(header | MANY_WINDOWS);
      VarInt.encode(windows.size(), out);
      for (BoundedWindow window : windows) {
        windowCoder.encode(window, out);
      }
    }
    if ((header & TIMESTAMP_MASK) == ANY_TIMESTAMP) {
      TimestampCodec.write(timestamp, out);
    }
    if ((header & PANE_MASK) == ANY_PANE) {
      PaneInfoCoder.INSTANCE.encode(pane, out);
    }
  }

  private static int timestampKind(Instant timestamp, BoundedWindow window) {
    long millis = timestamp.getMillis();
    if (millis == BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis()) {
      return MIN_TIMESTAMP;
    }
    if (window != null && millis == window.maxTimestamp().getMillis()) {
      return END_OF_WINDOW;
    }
    return ANY_TIMESTAMP;
  }

  /** Reads what {@link #write} wrote, then the value with {@code valueCoder}. */
  public <T> WindowedValue<T> read(InputStream in, Coder<T> valueCoder) throws IOException {
    int header = in.read();
    if (header < 0) {
      throw new EOFException("an element ends before its header byte");
    }
    if (header == 0) {
      return WindowedValues.valueInGlobalWindow(valueCoder.decode(in));
    }
    Collection<? extends BoundedWindow> windows = readWindows(header & WINDOWS_MASK, in);
    Instant timestamp = readTimestamp(header & TIMESTAMP_MASK, windows, in);
    PaneInfo pane =
        switch (header & PANE_MASK) {
          case NO_FIRING -> PaneInfo.NO_FIRING;
          case ONLY_FIRING -> PaneInfo.ON_TIME_AND_ONLY_FIRING;
          case ANY_PANE -> PaneInfoCoder.INSTANCE.decode(in);
          default -> throw invalid(header);
        };
    T value = valueCoder.decode(in);
    return WindowedValues.of(value, timestamp, windows, pane, null, null, (header & DRAIN) != 0);
  }

  private Collection<? extends BoundedWindow> readWindows(int kind, InputStream in)
      throws IOException {
    return switch (kind) {
      case GLOBAL_WINDOW -> GLOBAL;
      case ONE_WINDOW -> List.of(windowCoder.decode(in));
      case MANY_WINDOWS -> {
        int count = VarInt.decodeInt(in);
        List<BoundedWindow> windows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          windows.add(windowCoder.decode(in));
        }
        yield windows;
      }
      default -> throw invalid(kind);
    };
  }

  private static Instant readTimestamp(
      int kind, Collection<? extends BoundedWindow> windows, InputStream in) throws IOException {
    return switch (kind) {
      case MIN_TIMESTAMP -> BoundedWindow.TIMESTAMP_MIN_VALUE;
      case END_OF_WINDOW -> windows.iterator().next().maxTimestamp();
      case ANY_TIMESTAMP -> TimestampCodec.read(in);
      default -> throw invalid(kind);
    };
  }

  private static IOException invalid(int header) {
    return new IOException("an element has the unknown header byte " + header);
  }
}
