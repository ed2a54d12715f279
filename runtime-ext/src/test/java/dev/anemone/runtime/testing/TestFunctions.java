// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.testing;

import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementEncoder;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.FunctionProvider;
import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A small front end for tests of the engine. Elements are strings; a keyed element is {@code
 * key=value}. Reports carry what a collecting operator received.
 */
public final class TestFunctions implements FunctionProvider {

  /** Counts the attempts of failing operators, by the test's own name for them. */
  public static final Map<String, AtomicInteger> ATTEMPTS = new ConcurrentHashMap<>();

  /** Source; the part's payload is its lines. */
  public static final String LINES = "test:lines";

  /** Source; the part's payload {@code from:to:keys} is numbers, each as {@code key=1}. */
  public static final String NUMBERS = "test:numbers";

  /** Passes elements on, and calls the {@link #HOOKS hook} that its payload names before each. */
  public static final String HOOK = "test:hook";

  /** What tests do while a task runs, by name. */
  public static final Map<String, Hook> HOOKS = new ConcurrentHashMap<>();

  /** Something that a test does while a task runs. */
  @FunctionalInterface
  public interface Hook {

    /** Called before an element is passed on, of which the task has seen {@code count} before. */
    void at(TaskContext task, long count) throws Exception;
  }

  /** Puts a random number in front of each element's key. */
  public static final String RANDOM_KEY = "test:random_key";

  /** Splits an element at spaces and outputs {@code word=1}. */
  public static final String WORDS = "test:words";

  /** Sums the values of a group. */
  public static final String SUM = "test:sum";

  /** Sums values before the shuffle. */
  public static final String PARTIAL_SUM = "test:partial_sum";

  /** Reads the values of a group twice; outputs {@code key=count count}. */
  public static final String COUNT_TWICE = "test:count_twice";

  /** Outputs each element followed by all elements of side input {@code side}. */
  public static final String WITH_SIDE = "test:with_side";

  /** Fails as often as its payload ({@code name:times}) says, then passes elements on. */
  public static final String FAIL = "test:fail";

  /** Passes elements on, and waits to be interrupted after the first. */
  public static final String BLOCK = "test:block";

  /** Waits to be interrupted at element {@code slow}, if it is the first to see it. */
  public static final String SLOW_ONCE = "test:slow_once";

  /** Reports the elements that it receives, one per line. */
  public static final String COLLECT = "test:collect";

  /** Codes elements, and keys. */
  public static final FunctionSpec STRING = FunctionSpec.of("test:string");

  public static FunctionSpec spec(String urn, String payload) {
    return FunctionSpec.of(urn, payload.getBytes(StandardCharsets.UTF_8));
  }

  /** The payload of a function. */
  public static String text(FunctionSpec spec) {
    return new String(spec.payload(), StandardCharsets.UTF_8);
  }

  @Override
  public boolean provides(String urn) {
    return urn.startsWith("test:");
  }

  @Override
  public SourceReader sourceReader(SourceVertex source, FunctionSpec part, TaskContext context) {
    if (source.source().urn().equals(NUMBERS)) {
      String[] numbers = text(part).split(":", 3);
      int keys = Integer.parseInt(numbers[2]);
      return output -> {
        for (int i = Integer.parseInt(numbers[0]); i < Integer.parseInt(numbers[1]); i++) {
          output.accept("key" + i % keys + "=1");
        }
      };
    }
    return output -> {
      for (String line : text(part).split("\n", -1)) {
        output.accept(line);
      }
    };
  }

  @Override
  public Operator operator(FunctionSpec spec, TaskContext context) {
    return switch (spec.urn()) {
      case WORDS -> new Words();
      case RANDOM_KEY -> new RandomKey();
      case SUM -> new Sum();
      case PARTIAL_SUM -> new PartialSum();
      case COUNT_TWICE -> new CountTwice();
      case WITH_SIDE -> new WithSide();
      case FAIL -> new Fail(text(spec));
      case HOOK -> new Hooked(HOOKS.get(text(spec)));
      case BLOCK -> new Block();
      case SLOW_ONCE -> new SlowOnce();
      case COLLECT -> new Collect();
      default -> throw new IllegalArgumentException(spec.urn());
    };
  }

  @Override
  public ElementEncoder encoder(FunctionSpec encoder, TaskContext context) {
    return (element, out) -> out.write(((String) element).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public ElementDecoder decoder(FunctionSpec decoder, TaskContext context) {
    return in -> new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public RecordEncoder recordEncoder(
      FunctionSpec keyExtractor,
      FunctionSpec keyEncoder,
      FunctionSpec encoder,
      TaskContext context) {
    return (element, sink) -> {
      String[] keyValue = ((String) element).split("=", 2);
      sink.key().write(keyValue[0].getBytes(StandardCharsets.UTF_8));
      sink.value().write(keyValue[1].getBytes(StandardCharsets.UTF_8));
      sink.emit();
    };
  }

  @Override
  public Optional<RecordCombiner> recordCombiner(FunctionSpec operator, TaskContext context) {
    return operator.urn().equals(PARTIAL_SUM)
        ? Optional.of(
            (key, values, combined) -> {
              long sum = 0;
              while (values.next()) {
                sum += Long.parseLong(string(values.value()));
              }
              combined.write(Long.toString(sum).getBytes(StandardCharsets.UTF_8));
            })
        : Optional.empty();
  }

  @SuppressWarnings("UnusedMethod") // its methods implement those of the operators below
  private abstract static class Base {
    protected OperatorContext context;
    protected Receiver output;

    public void open(OperatorContext newContext) throws Exception {
      context = newContext;
      output = newContext.output("main");
    }

    public void finish() throws Exception {}

    public void close() {}
  }

  private static final class Words extends Base implements ElementOperator {
    @Override
    public void accept(Object element) throws Exception {
      for (String word : ((String) element).split(" ", -1)) {
        if (!word.isEmpty()) {
          output.accept(word + "=1");
        }
      }
    }
  }

  private static final class RandomKey extends Base implements ElementOperator {
    private final SecureRandom random = new SecureRandom();

    @Override
    public void accept(Object element) throws Exception {
      output.accept(random.nextInt() + "/" + element);
    }
  }

  private static String string(java.io.InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static final class Sum extends Base implements GroupOperator {
    @Override
    public void acceptGroup(KeyGroup group) throws Exception {
      String key = string(group.key());
      long sum = 0;
      ValueCursor values = group.valuesOnce();
      while (values.next()) {
        sum += Long.parseLong(string(values.value()));
      }
      output.accept(key + "=" + sum);
    }
  }

  private static final class PartialSum extends Base implements ElementOperator {
    private final Map<String, Long> sums = new HashMap<>();

    @Override
    public void accept(Object element) {
      String[] keyValue = ((String) element).split("=", 2);
      sums.merge(keyValue[0], Long.valueOf(keyValue[1]), Long::sum);
    }

    @Override
    public void finish() throws Exception {
      for (Map.Entry<String, Long> entry : sums.entrySet()) {
        output.accept(entry.getKey() + "=" + entry.getValue());
      }
    }
  }

  private static final class CountTwice extends Base implements GroupOperator {
    @Override
    public void acceptGroup(KeyGroup group) throws Exception {
      KeyGroup.ReplayableValues values = group.replayableValues();
      output.accept(string(group.key()) + "=" + count(values) + " " + count(values));
    }

    private static long count(KeyGroup.ReplayableValues values) throws IOException {
      long count = 0;
      for (ValueCursor cursor = values.cursor(); cursor.next(); ) {
        count++;
      }
      return count;
    }
  }

  private static final class WithSide extends Base implements ElementOperator {
    @Override
    public void accept(Object element) throws Exception {
      List<String> side = new ArrayList<>();
      context.readSideInput("side", (e, bytes) -> side.add((String) e));
      side.sort(null);
      output.accept(element + " " + String.join(" ", side));
    }
  }

  private static final class Fail extends Base implements ElementOperator {
    private final AtomicInteger attempts;
    private final int times;

    Fail(String nameAndTimes) {
      String[] parts = nameAndTimes.split(":", 2);
      attempts = ATTEMPTS.computeIfAbsent(parts[0], k -> new AtomicInteger());
      times = Integer.parseInt(parts[1]);
    }

    @Override
    public void open(OperatorContext newContext) throws Exception {
      super.open(newContext);
      attempts.incrementAndGet();
    }

    @Override
    public void accept(Object element) throws Exception {
      if (attempts.get() <= times) {
        throw new IllegalStateException("planned failure of " + element);
      }
      output.accept(element);
    }
  }

  private static final class Hooked extends Base implements ElementOperator {
    private final Hook hook;
    private long count;

    Hooked(Hook hook) {
      this.hook = hook;
    }

    @Override
    public void accept(Object element) throws Exception {
      hook.at(context, count++);
      output.accept(element);
    }
  }

  private static final class Block extends Base implements ElementOperator {
    @Override
    public void accept(Object element) throws Exception {
      ATTEMPTS.computeIfAbsent("blocked", k -> new AtomicInteger()).incrementAndGet();
      synchronized (this) {
        while (true) {
          wait();
        }
      }
    }
  }

  private static final class SlowOnce extends Base implements ElementOperator {
    @Override
    public void accept(Object element) throws Exception {
      AtomicInteger seen = ATTEMPTS.computeIfAbsent("slow", k -> new AtomicInteger());
      if (element.equals("slow") && seen.incrementAndGet() == 1) {
        synchronized (this) {
          while (true) {
            wait();
          }
        }
      }
      output.accept(element);
    }
  }

  private static final class Collect extends Base implements ElementOperator {
    private final List<String> elements = new ArrayList<>();

    @Override
    public void accept(Object element) {
      elements.add((String) element);
    }

    @Override
    public void finish() {
      context.report(String.join("\n", elements).getBytes(StandardCharsets.UTF_8));
    }
  }
}
