// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.harness.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.io.range.OffsetRange;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.PaneInfo.Timing;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.PCollectionViews.ValueOrMetadata;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class SideInputsTest {

  static final Duration MINUTE = Duration.standardMinutes(1);
  static final IntervalWindow FIRST = new IntervalWindow(Instant.ofEpochMilli(0), MINUTE);
  static final IntervalWindow SECOND = new IntervalWindow(Instant.ofEpochMilli(60_000), MINUTE);
  static final IntervalWindow EMPTY = new IntervalWindow(Instant.ofEpochMilli(120_000), MINUTE);
  static final KvCoder<String, Integer> PAIRS = KvCoder.of(StringUtf8Coder.of(), VarIntCoder.of());

  @Test
  void singletonIsTheValueOfTheWindow() throws Exception {
    PCollectionView<Integer> view = view(VarIntCoder.of(), fixed(), View.asSingleton());

    assertThat(read(view, List.of(in(FIRST, 1), in(SECOND, 2)), FIRST, SECOND))
        .containsExactly("1", "2");
  }

  @Test
  void singletonWithoutValueFailsUnlessThereIsADefault() throws Exception {
    PCollectionView<Integer> strict = view(VarIntCoder.of(), fixed(), View.asSingleton());
    PCollectionView<Integer> lenient =
        view(VarIntCoder.of(), fixed(), View.<Integer>asSingleton().withDefaultValue(7));

    assertThatThrownBy(() -> read(strict, List.of(in(FIRST, 1)), EMPTY))
        .isInstanceOf(NoSuchElementException.class);
    assertThat(read(lenient, List.of(in(FIRST, 1)), EMPTY)).containsExactly("7");
  }

  @Test
  void iterableHoldsTheElementsOfTheWindow() throws Exception {
    PCollectionView<Iterable<Integer>> view = view(VarIntCoder.of(), fixed(), View.asIterable());

    assertThat(read(view, List.of(in(FIRST, 1), in(SECOND, 2), in(FIRST, 3)), FIRST, SECOND, EMPTY))
        .containsExactly("[1, 3]", "[2]", "[]");
  }

  @Test
  void listHoldsTheElementsOfTheWindow() throws Exception {
    PCollectionView<List<Integer>> view = view(VarIntCoder.of(), fixed(), View.asList());

    // Beam's expansion of the view numbers the elements, and adds the range of the numbers.
    assertThat(
            read(
                view,
                List.of(
                    in(FIRST, KV.of(0L, ValueOrMetadata.create(1))),
                    in(FIRST, KV.of(1L, ValueOrMetadata.create(2))),
                    in(
                        FIRST,
                        KV.of(
                            Long.MIN_VALUE,
                            ValueOrMetadata.createMetadata(new OffsetRange(0, 2))))),
                FIRST,
                EMPTY))
        .containsExactly("[1, 2]", "[]");
  }

  @Test
  void mapHasOneValueForEachKey() throws Exception {
    PCollectionView<Map<String, Integer>> view = view(PAIRS, fixed(), View.asMap());

    assertThat(
            read(view, List.of(in(FIRST, KV.of("a", 1)), in(FIRST, KV.of("b", 2))), FIRST, EMPTY))
        .containsExactly("{a=1, b=2}", "{}");
  }

  @Test
  void multimapHasAllValuesOfEachKey() throws Exception {
    PCollectionView<Map<String, Iterable<Integer>>> view = view(PAIRS, fixed(), View.asMultimap());

    assertThat(
            read(view, List.of(in(FIRST, KV.of("a", 1)), in(FIRST, KV.of("a", 2))), FIRST, EMPTY))
        .containsExactly("{a=[1, 2]}", "{}");
  }

  @Test
  void mapKeysAreEqualWhenTheirEncodingsAre() throws Exception {
    PCollectionView<Map<byte[], Iterable<Integer>>> view =
        view(
            KvCoder.of(ByteArrayCoder.of(), VarIntCoder.of()),
            new GlobalWindows(),
            View.asMultimap());
    List<WindowedValue<KV<byte[], Integer>>> elements =
        List.of(
            WindowedValues.valueInGlobalWindow(KV.of(new byte[] {1}, 10)),
            WindowedValues.valueInGlobalWindow(KV.of(new byte[] {1}, 20)));

    assertThat(
            task(new LookUpBytes(view), view)
                .withSideInput(name(view), elements)
                .run(List.of(WindowedValues.valueInGlobalWindow("x"))))
        .extracting(WindowedValue::getValue)
        .containsExactly("[10, 20]");
  }

  private static class LookUpBytes extends DoFn<String, String> {
    private final PCollectionView<Map<byte[], Iterable<Integer>>> view;

    LookUpBytes(PCollectionView<Map<byte[], Iterable<Integer>>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      context.output(context.sideInput(view).get(new byte[] {1}).toString());
    }
  }

  @Test
  void rowsWhoseSchemasDifferInNullabilityAreTheSameKey() throws Exception {
    Schema schema = Schema.builder().addStringField("name").build();
    PCollectionView<Map<Row, Iterable<Integer>>> view =
        view(
            KvCoder.of(RowCoder.of(schema), VarIntCoder.of()),
            new GlobalWindows(),
            View.asMultimap());
    List<WindowedValue<KV<Row, Integer>>> elements = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Row key = Row.withSchema(schema).addValue("name" + i % 3).build();
      elements.add(WindowedValues.valueInGlobalWindow(KV.of(key, i)));
    }

    assertThat(
            task(new LookUpNullable(view), view)
                .withSideInput(name(view), elements)
                .run(
                    List.of(
                        WindowedValues.valueInGlobalWindow("name1"),
                        WindowedValues.valueInGlobalWindow("name2"),
                        WindowedValues.valueInGlobalWindow("name3"),
                        WindowedValues.valueInGlobalWindow("null"))))
        .extracting(WindowedValue::getValue)
        .containsExactly("[1, 4]", "[2, 5]", "null", "null");
  }

  private static class LookUpNullable extends DoFn<String, String> {
    private static final Schema SCHEMA = Schema.builder().addNullableStringField("name").build();
    private final PCollectionView<Map<Row, Iterable<Integer>>> view;

    LookUpNullable(PCollectionView<Map<Row, Iterable<Integer>>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      Object name = context.element().equals("null") ? null : context.element();
      Row key = Row.withSchema(SCHEMA).addValue(name).build();
      context.output(Show.show(context.sideInput(view).get(key)));
    }
  }

  @Test
  void nullIsNoKeyWhereTheCoderDoesNotTakeIt() throws Exception {
    PCollectionView<Map<Row, Iterable<Integer>>> view =
        view(
            KvCoder.of(RowCoder.of(Schema.of()), VarIntCoder.of()),
            new GlobalWindows(),
            View.asMultimap());

    assertThat(
            task(new LookUpNull(view), view)
                .withSideInput(
                    name(view),
                    List.of(WindowedValues.valueInGlobalWindow(KV.of(Row.nullRow(Schema.of()), 1))))
                .run(List.of(WindowedValues.valueInGlobalWindow("x"))))
        .extracting(WindowedValue::getValue)
        .containsExactly("null");
  }

  private static class LookUpNull extends DoFn<String, String> {
    private final PCollectionView<Map<Row, Iterable<Integer>>> view;

    LookUpNull(PCollectionView<Map<Row, Iterable<Integer>>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      context.output(Show.show(context.sideInput(view).get(null)));
    }
  }

  @Test
  void globalSideInputIsSeenFromEveryWindow() throws Exception {
    PCollectionView<Integer> view = view(VarIntCoder.of(), new GlobalWindows(), View.asSingleton());

    assertThat(read(view, List.of(WindowedValues.valueInGlobalWindow(5)), FIRST, SECOND))
        .containsExactly("5", "5");
  }

  @Test
  void whatIsSeenOfAWindowIsTheLatestFiringOfItsTrigger() throws Exception {
    PCollectionView<Iterable<Integer>> view = view(VarIntCoder.of(), fixed(), View.asIterable());
    List<WindowedValue<Integer>> side =
        List.of(
            fired(FIRST, 1, true, false, 0),
            in(SECOND, 7),
            fired(FIRST, 2, false, true, 1),
            fired(FIRST, 3, true, false, 0),
            fired(SECOND, 8, true, false, 0),
            fired(FIRST, 4, true, true, 0),
            fired(EMPTY, 10, true, false, 0),
            fired(EMPTY, 11, false, false, 1),
            fired(EMPTY, 12, false, false, 1));

    // Two keys have fired in the first window; functions made up what is in the third.
    assertThat(read(view, side, FIRST, SECOND, EMPTY)).containsExactly("[2, 4]", "[7]", "[11, 12]");
  }

  @Test
  void aMapHasWhatTheLatestFiringHas() throws Exception {
    PCollectionView<Map<String, Integer>> view = view(PAIRS, fixed(), View.asMap());
    List<WindowedValue<KV<String, Integer>>> side =
        List.of(
            fired(FIRST, KV.of("a", 1), true, false, 0),
            fired(FIRST, KV.of("a", 2), false, false, 1),
            fired(FIRST, KV.of("a", 3), false, true, 2),
            fired(FIRST, KV.of("b", 4), true, true, 0),
            fired(SECOND, KV.of("c", 5), true, false, 0),
            fired(SECOND, KV.of("c", 6), false, false, 1));

    assertThat(read(view, side, FIRST, SECOND, EMPTY)).containsExactly("{a=3, b=4}", "{c=6}", "{}");
  }

  private static <T> WindowedValue<T> fired(
      IntervalWindow window, T value, boolean first, boolean last, long index) {
    return WindowedValues.of(
        value, window.start(), window, PaneInfo.createPane(first, last, Timing.EARLY, index, -1));
  }

  @Test
  void elementInSeveralWindowsSeesTheSideInputOfEach() throws Exception {
    PCollectionView<Integer> view = view(VarIntCoder.of(), fixed(), View.asSingleton());
    WindowedValue<String> element =
        WindowedValues.of("x", FIRST.start(), List.of(FIRST, SECOND), PaneInfo.NO_FIRING);

    assertThat(
            task(new Show(view), view)
                .withSideInput(name(view), List.of(in(FIRST, 1), in(SECOND, 2)))
                .run(List.of(element)))
        .containsExactly(
            WindowedValues.of("1", FIRST.start(), FIRST, PaneInfo.NO_FIRING),
            WindowedValues.of("2", FIRST.start(), SECOND, PaneInfo.NO_FIRING));
  }

  @Test
  void sideInputIsReadOnceAndOnlyWhenUsed() throws Exception {
    PCollectionView<Iterable<Integer>> view = view(VarIntCoder.of(), fixed(), View.asIterable());
    InMemoryTask task = task(new Show(view), view).withSideInput(name(view), List.of(in(FIRST, 1)));

    task.run(List.of());
    assertThat(task.sideInputReads()).isZero();
    task.run(List.of(in(FIRST, "x"), in(SECOND, "y")));
    task.run(List.of(in(FIRST, "z")));
    assertThat(task.sideInputReads()).isEqualTo(1);
  }

  @Test
  void sideInputCannotBeChanged() {
    PCollectionView<Iterable<Integer>> view = view(VarIntCoder.of(), fixed(), View.asIterable());

    assertThatThrownBy(
            () ->
                task(new RemoveFirst(view), view)
                    .withSideInput(name(view), List.of(in(FIRST, 1)))
                    .run(List.of(in(FIRST, "x"))))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static class RemoveFirst extends DoFn<String, String> {
    private final PCollectionView<Iterable<Integer>> view;

    RemoveFirst(PCollectionView<Iterable<Integer>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      var iterator = context.sideInput(view).iterator();
      iterator.next();
      iterator.remove();
    }
  }

  @Test
  void unknownViewIsRefused() {
    PCollectionView<Integer> known = view(VarIntCoder.of(), fixed(), View.asSingleton());
    PCollectionView<Integer> other = view(VarIntCoder.of(), fixed(), View.asSingleton());

    assertThatThrownBy(() -> task(new Show(other), known).run(List.of(in(FIRST, "x"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("calling sideInput() with unknown view");
  }

  @Test
  void parameterReadsTheSideInputOfItsName() throws Exception {
    PCollectionView<Integer> view = view(VarIntCoder.of(), fixed(), View.asSingleton());

    assertThat(
            task(new Parameter(), view)
                .withSideInput(name(view), List.of(in(FIRST, 4)))
                .run(List.of(in(FIRST, "x"))))
        .extracting(WindowedValue::getValue)
        .containsExactly("x4");
  }

  private static class Parameter extends DoFn<String, String> {
    @ProcessElement
    public void process(
        @Element String element, @SideInput("side") Integer side, OutputReceiver<String> output) {
      output.output(element + side);
    }
  }

  /** Outputs what the side input looks like, maps in the order of their keys. */
  private static class Show extends DoFn<String, String> {
    private final PCollectionView<?> view;

    Show(PCollectionView<?> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      Object value = context.sideInput(view);
      if (value instanceof Map<?, ?> map) {
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, each) -> sorted.put(key.toString(), show(each)));
        context.output(sorted.toString());
      } else {
        context.output(show(value));
      }
    }

    private static String show(Object value) {
      if (value instanceof Iterable<?> iterable) {
        List<Object> list = new ArrayList<>();
        iterable.forEach(list::add);
        return list.toString();
      }
      return String.valueOf(value);
    }
  }

  private List<Object> read(
      PCollectionView<?> view, List<? extends WindowedValue<?>> side, IntervalWindow... windows)
      throws Exception {
    List<WindowedValue<String>> main = new ArrayList<>();
    for (IntervalWindow window : windows) {
      main.add(in(window, "x"));
    }
    return task(new Show(view), view).withSideInput(name(view), side).run(main).stream()
        .map(WindowedValue::getValue)
        .toList();
  }

  final InMemoryTask task(DoFn<String, String> doFn, PCollectionView<?> view) {
    return prepared(
        new InMemoryTask(
            Steps.parDo(
                "Step", doFn, new TupleTag<>("main-tag"), List.of(), Map.of("side", view))));
  }

  /** Says where side inputs are kept. */
  InMemoryTask prepared(InMemoryTask task) {
    return task;
  }

  static String name(PCollectionView<?> view) {
    return Views.tag(view).getId();
  }

  static <T> WindowedValue<T> in(IntervalWindow window, T value) {
    return WindowedValues.of(value, window.start(), window, PaneInfo.NO_FIRING);
  }

  static FixedWindows fixed() {
    return FixedWindows.of(MINUTE);
  }

  static <T, V> PCollectionView<V> view(
      Coder<T> coder,
      WindowFn<Object, ?> windowFn,
      PTransform<PCollection<T>, PCollectionView<V>> transform) {
    return Pipeline.create()
        .apply(Create.empty(coder))
        .apply(Window.into(windowFn))
        .apply(transform);
  }
}
