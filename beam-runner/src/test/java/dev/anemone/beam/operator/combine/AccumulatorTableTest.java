// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Instant;

class AccumulatorTableTest {

  private static final List<BoundedWindow> WINDOWS =
      List.of(
          GlobalWindow.INSTANCE,
          new IntervalWindow(Instant.ofEpochMilli(0), Instant.ofEpochMilli(10)),
          new IntervalWindow(Instant.ofEpochMilli(10), Instant.ofEpochMilli(20)));

  private record Element(int window, Object key) {}

  /** Equal keys have one entry in a window, others have others, as a map of the JDK says. */
  @Property(tries = 300)
  void hasAnEntryForEachKeyAndWindow(@ForAll("elements") List<Element> elements) {
    AccumulatorTable table =
        new AccumulatorTable(new AnyObjectCoder(), VarLongCoder.of(), Long.MAX_VALUE);
    Map<Element, Long> expected = new HashMap<>();
    for (Element element : elements) {
      AccumulatorTable.Entry entry =
          table.entry(WINDOWS.get(element.window()), copy(element.key()));
      entry.setAccumulator(entry.isNew() ? 1L : (Long) entry.accumulator() + 1);
      expected.merge(element, 1L, Long::sum);
    }
    Map<Element, Long> found = new HashMap<>();
    for (AccumulatorTable.Entry entry : table.entries()) {
      found.put(
          new Element(WINDOWS.indexOf(entry.window()), entry.key()), (Long) entry.accumulator());
    }
    assertThat(table.entries()).hasSameSizeAs(expected.entrySet());
    assertThat(found).isEqualTo(expected);
  }

  /** Another object that is equal. */
  private static Object copy(Object key) {
    return key instanceof String text ? new String(text.toCharArray()) : key;
  }

  /** Few different ones, and such as differ little. */
  @Provide
  Arbitrary<List<Element>> elements() {
    Arbitrary<String> texts =
        Arbitraries.strings()
            .withChars('\0', 'a', 'b', '\u00ff', '\u0100', '\u20ac')
            .ofMaxLength(17);
    Arbitrary<Object> keys =
        Arbitraries.oneOf(
            texts.map(Object.class::cast),
            // Texts of one hash.
            Arbitraries.of("Aa", "BB").list().ofMaxSize(4).map(parts -> String.join("", parts)),
            Arbitraries.longs().between(-3, 3).map(Object.class::cast),
            Arbitraries.integers().between(-3, 3).map(Object.class::cast),
            Arbitraries.doubles().between(-1, 1).ofScale(1).map(Object.class::cast));
    return Combinators.combine(Arbitraries.integers().between(0, WINDOWS.size() - 1), keys)
        .as(Element::new)
        .list()
        .ofMaxSize(3000);
  }

  /** Of keys that are never coded. */
  private static final class AnyObjectCoder extends AtomicCoder<Object> {
    private static final long serialVersionUID = 1;

    @Override
    public void encode(Object value, OutputStream out) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object decode(InputStream in) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object structuralValue(Object value) {
      return value;
    }
  }
}
