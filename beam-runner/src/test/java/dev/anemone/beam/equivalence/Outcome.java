// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/** What a run of a pipeline in this JVM has made: each result, and how often. */
public final class Outcome {

  private static final Map<UUID, Map<String, Long>> BY_RUN = new ConcurrentHashMap<>();

  private final UUID run = UUID.randomUUID();

  public Outcome() {
    BY_RUN.put(run, new ConcurrentHashMap<>());
  }

  /** A function that counts a collection's elements as results under a name. */
  public DoFn<KV<Integer, Long>, Void> collect(String name) {
    return new Collect(run, name);
  }

  /** The results; the next call finds none. */
  public Map<String, Long> take() {
    return new TreeMap<>(BY_RUN.remove(run));
  }

  /** Counts when a bundle ends, so that a task attempt that fails before it leaves nothing. */
  private static final class Collect extends DoFn<KV<Integer, Long>, Void> {

    private static final long serialVersionUID = 1L;

    private final UUID run;
    private final String name;
    private transient List<String> results;

    Collect(UUID run, String name) {
      this.run = run;
      this.name = name;
    }

    @StartBundle
    public void start() {
      results = new ArrayList<>();
    }

    @ProcessElement
    public void collect(@Element KV<Integer, Long> element) {
      results.add(name + ": " + element.getKey() + "=" + element.getValue());
    }

    @FinishBundle
    public void finish() {
      results.forEach(result -> BY_RUN.get(run).merge(result, 1L, Long::sum));
    }
  }
}
